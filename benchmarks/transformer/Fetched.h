// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: halves of the device as numbers of the host.

#ifndef BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_FETCHED_H
#define BLOCKMAESTRO_BENCHMARKS_TRANSFORMER_FETCHED_H

#include "Reference.h"

namespace bench {

/// Halves as floats, which hold them exactly.
inline Values numbers(const std::vector<__half> &Of) {
  Values Result(Of.size());
  parallelFor((Of.size() + 4095) / 4096, [&](size_t Part) {
    for (size_t I = Part * 4096; I < Of.size() && I < Part * 4096 + 4096; ++I)
      Result[I] = __half2float(Of[I]);
  });
  return Result;
}

inline std::vector<__half> fetched(const __half *From, size_t Count) {
  std::vector<__half> Result(Count);
  CUDA_CHECK(cudaMemcpy(Result.data(), From, Count * sizeof(__half),
                        cudaMemcpyDeviceToHost));
  return Result;
}

inline Values read(const __half *From, size_t Count) {
  return numbers(fetched(From, Count));
}

} // namespace bench

#endif
