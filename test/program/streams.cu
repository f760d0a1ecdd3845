// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches on several streams with events between them keep their order, and
// events measure.
// RUN: %bmclangxx -O2 -fblockmaestro %s -o %t && %t | FileCheck %s
// RUN: env BLOCKMAESTRO_EXECUTOR=shuffle:5 %t | FileCheck %s

#include <cstdio>
#include <cuda_runtime.h>

__global__ void set(int *Out, int Value) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Value;
}
__global__ void addTo(int *Out, const int *In) {
  Out[blockIdx.x * blockDim.x + threadIdx.x] +=
      In[blockIdx.x * blockDim.x + threadIdx.x];
}

int main() {
  int *A = nullptr, *B = nullptr, *Host = nullptr;
  cudaMalloc(&A, 1024);
  cudaMalloc(&B, 1024);
  cudaMallocHost(&Host, 1024);
  cudaStream_t First, Second;
  cudaStreamCreate(&First);
  cudaStreamCreateWithFlags(&Second, cudaStreamNonBlocking);
  cudaEvent_t Filled, Done;
  cudaEventCreate(&Filled);
  cudaEventCreate(&Done);
  set<<<8, 32, 0, First>>>(A, 3);
  cudaEventRecord(Filled, First);
  set<<<8, 32, 0, Second>>>(B, 4);
  cudaStreamWaitEvent(Second, Filled, 0);
  addTo<<<8, 32, 0, Second>>>(B, A);
  cudaMemcpyAsync(Host, B, 1024, cudaMemcpyDeviceToHost, Second);
  cudaEventRecord(Done, Second);
  cudaStreamSynchronize(Second);
  // CHECK: 7 7 cudaSuccess
  std::printf("%d %d %s\n", Host[0], Host[255],
              cudaGetErrorName(cudaStreamQuery(Second)));
  float Milliseconds = -1;
  cudaEventElapsedTime(&Milliseconds, Filled, Done);
  // CHECK-NEXT: elapsed 1
  std::printf("elapsed %d\n", Milliseconds >= 0);
  cudaStreamDestroy(First);
  cudaStreamDestroy(Second);
  set<<<8, 32, 0, First>>>(A, 3);
  // CHECK-NEXT: cudaErrorInvalidResourceHandle
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaEventDestroy(Filled);
  cudaEventDestroy(Done);
  cudaFreeHost(Host);
  cudaFree(A);
  cudaFree(B);
}
