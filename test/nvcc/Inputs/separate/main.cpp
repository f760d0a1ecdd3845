// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A program that has a kernel run by another file.

#include <cstdio>
#include <cuda_runtime.h>

void launch(int *A);

int main() {
  int *Device = nullptr, Host = 0;
  cudaMalloc(reinterpret_cast<void **>(&Device), sizeof(int));
  launch(Device);
  cudaMemcpy(&Host, Device, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", Host);
  return Host == 84 ? 0 : 1;
}
