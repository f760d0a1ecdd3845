// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

__global__ void scaleKernel(float *Data, float Factor, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < Count)
    Data[I] *= Factor;
}

void scale(float *Data, float Factor, int Count) {
  scaleKernel<<<(Count + 63) / 64, 64>>>(Data, Factor, Count);
}
