// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How a program that is to survive a failure calls CUDA: it tries once more,
// and when that fails too, says so and ends with 3.

#ifndef CALLS_H
#define CALLS_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

inline void report(cudaError_t Error, const char *Text) {
  std::printf("%s: %s\n", Text, cudaGetErrorName(Error));
  std::fflush(stdout);
  std::_Exit(3);
}

/// Calls until it succeeds, twice at most.
template <typename Function> void twice(Function Call, const char *Text) {
  if (Call() == cudaSuccess)
    return;
  (void)cudaGetLastError();
  const cudaError_t Error = Call();
  if (Error != cudaSuccess)
    report(Error, Text);
}

inline void lost(const char *What, int Index, int Got, int Expected) {
  std::printf("lost: %s[%d] is %d, not %d\n", What, Index, Got, Expected);
  std::exit(1);
}

#define CALL(Text) twice([&] { return Text; }, #Text)
#define LAUNCH(...)                                                            \
  twice(                                                                       \
      [&] {                                                                    \
        __VA_ARGS__;                                                           \
        return cudaGetLastError();                                             \
      },                                                                       \
      #__VA_ARGS__)

#endif // CALLS_H
