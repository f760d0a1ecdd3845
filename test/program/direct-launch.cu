// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels launched by cudaLaunchKernel and cudaLaunchKernelEx, without the
// launch syntax, go the same way.
// RUN: %bmclangxx -fblockmaestro %s -o %t
// RUN: env BLOCKMAESTRO_EXPLAIN=1 %t 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=BlockMaestro

#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __global__ void add(T *Out, T Value, char More) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] += Value + More;
}

int main() {
  double *Device = nullptr, Host[64] = {}, Value = 1.5;
  char More = 2;
  cudaMalloc(&Device, sizeof(Host));
  cudaMemset(Device, 0, sizeof(Host));
  void *Args[] = {&Device, &Value, &More};
  cudaLaunchKernel(reinterpret_cast<void *>(&add<double>), dim3(4), dim3(16),
                   Args, 0, nullptr);
  cudaLaunchConfig_t Config = {};
  Config.gridDim = dim3(4);
  Config.blockDim = dim3(16);
  cudaLaunchKernelEx(&Config, add<double>, Device, Value, More);
  cudaMemcpy(Host, Device, sizeof(Host), cudaMemcpyDeviceToHost);
  // CHECK-DAG: 7.0 7.0 cudaSuccess
  // CHECK-DAG: BlockMaestro: launches run by blocks: 2, others: 0; relations: 3, 3 of them exact
  std::printf("%.1f %.1f %s\n", Host[0], Host[63],
              cudaGetErrorName(cudaGetLastError()));
}
