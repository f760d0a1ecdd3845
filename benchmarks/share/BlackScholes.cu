// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace black_scholes {
#include "../black-scholes/black-scholes.cu"
} // namespace black_scholes
#undef main

Work blackScholesWork() {
  const int N = 16000000;
  auto Spot = randomArray<float>(N, 5, 30),
       Strike = randomArray<float>(N, 1, 99);
  auto Years = randomArray<float>(N, 0.25, 10);
  auto Call = emptyArray<float>(N), Put = emptyArray<float>(N);
  return workOf<float>("black-scholes", Call, [=](cudaStream_t On) {
    black_scholes::price<<<(N + 255) / 256, 256, 0, On>>>(N, *Spot, *Strike,
                                                          *Years, *Call, *Put);
  });
}
