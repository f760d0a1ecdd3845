// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A recording says how many registers ptxas gave a kernel, where the bytes of
// copies are, and how long each thread of the host computed between its calls.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-include-ptx=all -Xcuda-ptxas -v %s -o %t 2> %t.log
// RUN: env BLOCKMAESTRO_RECORD=%t.rec %t
// RUN: %bm-dump launches %t.rec >> %t.log
// RUN: FileCheck %s < %t.log
// RUN: FileCheck --check-prefix=FEW %s < %t.log

// Of a device for which the driver translates the PTX it does not.
// RUN: echo '{"compute_capability_major": 10}' > %t.json
// RUN: env BLOCKMAESTRO_MACHINE=%t.json BLOCKMAESTRO_RECORD=%t.rec %t
// RUN: %bm-dump launches %t.rec | FileCheck --check-prefix=PTX %s

#include <chrono>
#include <cuda_runtime.h>
#include <thread>

__global__ void many(float *Data) {
  float Sums[32];
  for (int I = 0; I < 32; ++I)
    Sums[I] = Data[I * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int I = 0; I < 32; ++I)
    Data[I * blockDim.x + threadIdx.x] = Sums[31 - I] * Sums[(I * 7) % 32];
}

__global__ void few(float *Data) { Data[threadIdx.x] += 1; }

int main() {
  using namespace std::chrono_literals;
  float *Data = nullptr, *Pinned = nullptr, *Managed = nullptr;
  static float Host[4096];
  cudaMalloc(&Data, sizeof(Host));
  cudaMallocHost(&Pinned, sizeof(Host));
  cudaMallocManaged(&Managed, sizeof(Host));
  cudaMemcpy(Data, Host, sizeof(Host), cudaMemcpyHostToDevice);
  std::this_thread::sleep_for(30ms);
  many<<<1, 128>>>(Data);
  std::this_thread::sleep_for(300ms);
  few<<<1, 128>>>(Data);
  cudaMemcpyAsync(Pinned, Data, sizeof(Host), cudaMemcpyDeviceToHost);
  std::thread([&] {
    cudaMemcpyAsync(Managed, Data, sizeof(Host), cudaMemcpyDefault);
  }).join();
  cudaMemset(Data, 0, sizeof(Host));
  return cudaDeviceSynchronize();
}

// CHECK: Compiling entry function '_Z4manyPf' for 'sm_90'
// CHECK: Used [[MANY:[0-9]+]] registers
// CHECK: copy 0: cudaMemcpy, 16384 bytes, from pageable to device, the host waits
// CHECK-NEXT: launch 0: many(float*), grid 1, block 128, [[MANY]] registers, after {{[3-9][0-9]......|[0-9]........}} ns of the host{{$}}
// CHECK-NEXT: launch 1: few(float*), grid 1, block 128, {{.*}}, after {{[3-9]........}} ns of the host{{$}}
// CHECK-NEXT: copy 1: cudaMemcpyAsync, 16384 bytes, from device to pinned, after
// CHECK-NEXT: copy 2: cudaMemcpyAsync, 16384 bytes, from device to managed, after 0 ns of the host's thread 1
// CHECK-NEXT: copy 3: cudaMemset, 16384 bytes, to device, after

// FEW: Compiling entry function '_Z3fewPf' for 'sm_90'
// FEW: Used [[FEW:[0-9]+]] registers
// FEW: launch 1: few(float*), grid 1, block 128, [[FEW]] registers

// PTX: launch 0: many(float*), grid 1, block 128, after
