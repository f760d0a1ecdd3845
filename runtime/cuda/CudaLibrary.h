// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: NVIDIA's CUDA runtime, found and opened when the program starts,
// as tables of functions.
// On the data's way: below CudaDevice.
// Invariants: it is opened so that neither our exported calls shadow its own
// nor its calls become visible to the program.
// Ownership: never closed. Threads: constant after opening.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CUDALIBRARY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CUDALIBRARY_H

#include "Device.h"

namespace blockmaestro {

/// What start-up code written by the compiler calls.
struct RegistrationCalls {
  void **(*RegisterFatBinary)(void *FatBinary) = nullptr;
  void (*RegisterFatBinaryEnd)(void **Handle) = nullptr;
  void (*UnregisterFatBinary)(void **Handle) = nullptr;
  void (*RegisterFunction)(void **Handle, const char *Stub, char *Symbol,
                           const char *Name, int ThreadLimit, uint3 *, uint3 *,
                           dim3 *, dim3 *, int *) = nullptr;
  void (*RegisterVar)(void **Handle, char *Host, char *Symbol, const char *Name,
                      int Extern, size_t Bytes, int Constant,
                      int Global) = nullptr;
};

struct CudaLibrary {
  RuntimeCalls Calls;
  RegistrationCalls Registration;
};

/// Opens libcudart of the version we were built against, from the first of
/// cudaLibraryPlaces that has it. Fails naming what is missing.
Result<CudaLibrary> openCudaLibrary();

} // namespace blockmaestro

#endif
