// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: copies and fills of memory, and calls of libraries, as work for
// the engine.
// On the data's way: Commands.h -> here -> enqueue() (Streams.h).
// Invariants: a copy or fill that is work cannot fail when it runs, as long as
// its memory is there: cudaFree waits for it, and calls that read or write
// memory of the host which nobody registered wait themselves. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_COPIES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_COPIES_H

#include "Command.h"
#include "Operation.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

namespace blockmaestro::emulated {

/// Checks as cudaMemcpy3DAsync does, and makes the work; of a copy of nothing,
/// work that does nothing.
cudaError_t workOf(const CopyCommand &From, Work &Out);
/// Checks as cudaMemset3DAsync does, and makes the work.
cudaError_t workOf(const FillCommand &From, Work &Out);

/// The work of a library's call. It fails as a kernel does where a box that it
/// touches is no memory of the device.
std::function<Status()> workOf(const LibraryCommand &From);

// Those below take copies of which withoutArrays() has made plain ones.

/// Whether the call that asks for it returns only when it is done.
bool hostWaits(const CopyCommand &What, Asker By);
bool hostWaits(const FillCommand &What, Asker By);

/// A copy that has been checked, with the bytes it reads taken now. Null where
/// they may be written before it is its turn, or are too many.
std::function<Status()> stagedCopy(const CopyCommand &What);

/// Whether the device may touch these bytes: inside one allocation or variable.
bool isDeviceRange(const void *Address, size_t Bytes);

/// Whether the host may touch what is there without a call: whatever is not the
/// device's own.
bool hostSees(const void *Address);

} // namespace blockmaestro::emulated

#endif
