// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: copies and fills of memory as work for the engine.
// On the data's way: the calls of CopyCalls.cpp, Fills.cpp and Symbols.cpp, and
// graphs -> here -> enqueue() (Streams.h).
// Invariants: what has been made into work cannot fail when it runs, as long as
// its memory is there: cudaFree waits for it, and calls that read or write
// memory of the host which nobody registered wait themselves. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_COPIES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_COPIES_H

#include "GraphWork.h"
#include "Operation.h"

#include <cuda_runtime_api.h>

#include <cstddef>

namespace blockmaestro::emulated {

/// Bytes in a row as the general form of a copy.
cudaMemcpy3DParms linearCopy(void *To, const void *From, size_t Bytes,
                             cudaMemcpyKind Kind);
/// Rows of bytes.
cudaMemcpy3DParms planeCopy(void *To, size_t ToPitch, const void *From,
                            size_t FromPitch, size_t Width, size_t Height,
                            cudaMemcpyKind Kind);

/// Checks as cudaMemcpy3DAsync does, and makes the work; of a copy of nothing,
/// work that does nothing.
cudaError_t copyWork(const cudaMemcpy3DParms &What, Work &Out);
/// Checks as cudaMemset3DAsync does, and makes the work.
cudaError_t fillWork(const FillWork &What, Work &Out);

/// Whether the device may touch these bytes: inside one allocation or variable.
bool isDeviceRange(const void *Address, size_t Bytes);

/// Whether the host may touch what is there without a call: whatever is not the
/// device's own.
bool hostSees(const void *Address);

/// Checks the copy and does it in the order of the stream; waits where CUDA
/// does not return before the host's memory can be used again.
cudaError_t copyAsync(const cudaMemcpy3DParms &What, cudaStream_t Stream);
/// The same on the default stream, waiting as cudaMemcpy does.
cudaError_t copyNow(const cudaMemcpy3DParms &What);

/// The default stream of the call: the legacy one, or in the forms for
/// per-thread default streams the thread's own.
cudaStream_t defaultStream();

/// While one of these is alive the thread's default stream is its own.
struct PerThreadDefault {
  PerThreadDefault();
  ~PerThreadDefault();
  PerThreadDefault(const PerThreadDefault &) = delete;
  PerThreadDefault &operator=(const PerThreadDefault &) = delete;
};

} // namespace blockmaestro::emulated

#endif
