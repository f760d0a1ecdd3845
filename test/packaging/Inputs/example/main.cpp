// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kernels.h"

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

int main() {
  const int Count = 1000;
  std::vector<float> Host(Count);
  for (int I = 0; I < Count; ++I)
    Host[I] = static_cast<float>(I);
  float *In = nullptr, *Out = nullptr;
  size_t Bytes = Count * sizeof(float);
  if (cudaMalloc(&In, Bytes) || cudaMalloc(&Out, Bytes))
    return 1;
  cudaMemcpy(In, Host.data(), Bytes, cudaMemcpyHostToDevice);
  scale(In, 3, Count);
  smooth(Out, In, Count);
  scale(Out, 2, Count);
  cudaMemcpy(Host.data(), Out, Bytes, cudaMemcpyDeviceToHost);
  for (int I = 0; I < Count; ++I)
    if (Host[I] != 6.0f * static_cast<float>(I))
      return std::printf("wrong at %d: %g\n", I, Host[I]), 1;
  std::printf("example: ok\n");
  return cudaGetLastError();
}
