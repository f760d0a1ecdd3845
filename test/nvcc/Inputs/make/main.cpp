// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program of C++ that calls CUDA's runtime and a function of a .cu file.

#include "scale.h"

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

int main() {
  std::vector<float> Host(1000, 2.0f);
  float *Device = nullptr;
  size_t Bytes = Host.size() * sizeof(float);
  cudaMalloc(reinterpret_cast<void **>(&Device), Bytes);
  cudaMemcpy(Device, Host.data(), Bytes, cudaMemcpyHostToDevice);
  for (int I = 0; I < 3; ++I)
    scale(Device, 2.0f, static_cast<int>(Host.size()));
  cudaMemcpy(Host.data(), Device, Bytes, cudaMemcpyDeviceToHost);
  cudaFree(Device);
  std::printf("%g %g\n", Host.front(), Host.back());
  return Host.front() == 16.0f && Host.back() == 16.0f ? 0 : 1;
}
