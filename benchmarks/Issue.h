// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a benchmark's launches reach the GPU: straight into a stream
// (IssueStream.cu) or captured once and replayed (IssueGraph.cu), which is
// what a careful programmer does by hand. A program links one of the two.

#ifndef BLOCKMAESTRO_BENCHMARKS_ISSUE_H
#define BLOCKMAESTRO_BENCHMARKS_ISSUE_H

#include <cuda_runtime.h>

#include <functional>

/// The name of this way in results.
extern const char *const IssueName;

/// Puts Launches, which always launches the same, onto the stream once more.
cudaError_t issue(const std::function<void(cudaStream_t)> &Launches,
                  cudaStream_t Stream);

#endif
