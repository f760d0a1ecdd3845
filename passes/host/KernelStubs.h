// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which host function stands for which kernel.
// On the data's way: read by the launch rewriter.
// Invariants: taken from the registrations clang itself has made, so that the
// symbol is the one the device code has, whatever the mangling. Threads: no
// state.

#ifndef BLOCKMAESTRO_PASSES_HOST_KERNELSTUBS_H
#define BLOCKMAESTRO_PASSES_HOST_KERNELSTUBS_H

#include "llvm/ADT/DenseMap.h"

#include <string>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

struct KernelStub {
  std::string Symbol; ///< Mangled, as in the device module.
};

using KernelStubs = llvm::DenseMap<const llvm::Function *, KernelStub>;

/// Reads the calls of __cudaRegisterFunction, and the offload entries that
/// relocatable device code (-fgpu-rdc) has instead.
KernelStubs findKernelStubs(const llvm::Module &M);

/// Whether the linker registers kernels or variables of M.
bool hasOffloadEntries(const llvm::Module &M);

} // namespace blockmaestro

#endif
