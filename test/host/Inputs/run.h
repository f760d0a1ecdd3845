// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the programs of this folder share: a number that a kernel writes.

#include <cuda_runtime.h>

/// What Launch(Device) leaves in one int that held -1; minus the CUDA error
/// code, less a thousand, if something fails.
template <typename Function> int valueOf(Function Launch) {
  int *Device = nullptr, Host = -1;
  cudaMalloc(&Device, sizeof(int));
  cudaMemcpy(Device, &Host, sizeof(int), cudaMemcpyHostToDevice);
  Launch(Device);
  cudaError_t Wrong = cudaGetLastError();
  cudaMemcpy(&Host, Device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(Device);
  return Wrong == cudaSuccess ? Host : -1000 - Wrong;
}
