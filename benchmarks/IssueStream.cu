// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Issue.h"

const char *const IssueName = "stream";

cudaError_t issue(const std::function<void(cudaStream_t)> &Launches,
                  cudaStream_t Stream) {
  Launches(Stream);
  return cudaGetLastError();
}
