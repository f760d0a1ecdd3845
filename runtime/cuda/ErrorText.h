// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA's errors, their names and texts, for calls that are answered
// without a GPU.
// Threads: constant tables.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_ERRORTEXT_H
#define BLOCKMAESTRO_RUNTIME_CUDA_ERRORTEXT_H

#include "blockmaestro/Status.h"

#include <cuda_runtime_api.h>

namespace blockmaestro {

/// "cudaErrorInvalidValue"; "unrecognized error code" for others, as in CUDA.
const char *errorName(cudaError_t Error);
/// "invalid argument".
const char *errorText(cudaError_t Error);

/// The error CUDA has for how a kernel or a call of ours failed.
cudaError_t errorOf(const Status &Outcome);

} // namespace blockmaestro

#endif
