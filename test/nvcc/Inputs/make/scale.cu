// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches a kernel for a program of C++.

#include "scale.h"

__global__ void scaleKernel(float *Data, float Factor, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Data[I] *= Factor;
}

extern "C" void scale(float *Data, float Factor, int Count) {
  scaleKernel<<<(Count + 127) / 128, 128>>>(Data, Factor, Count);
}
