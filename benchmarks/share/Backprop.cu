// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace backprop {
#include "../backprop/backprop.cu"
} // namespace backprop
#undef main

Work backpropWork() {
  const int N = 4000000;
  auto Input = randomArray<float>(N, 0, 1),
       Weight = randomArray<float>(16l * N, 0, 1);
  auto Partial = emptyArray<float>(N);
  return workOf<float>("backprop", Partial, [=](cudaStream_t On) {
    backprop::layerForward<<<N / 16, dim3(16, 16), 0, On>>>(N, *Input, *Weight,
                                                            *Partial);
  });
}
