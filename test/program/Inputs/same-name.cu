// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The second file of same-name.cu.

static __constant__ int Scale = 2;
static __device__ int Count = 200;
static __global__ void set(int *Out) {
  Out[0] = Scale;
  Out[1] = Count;
  Count += 10;
}

void setOther(int *Out) { set<<<1, 1>>>(Out); }

const void *otherKernel() { return reinterpret_cast<const void *>(set); }

int otherCount() {
  int Host = 0;
  cudaMemcpyFromSymbol(&Host, Count, sizeof(int));
  return Host;
}
