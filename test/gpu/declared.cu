// Launches of a kernel that only CUDA knows stand between ours, declared and
// not: serial's bytes under every executor, and relations where they are
// declared. On two of three buffers the launches have nothing in common.
// REQUIRES: gpu
// RUN: %bmclangxx -O3 --offload-arch=sm_90 -Wno-unknown-cuda-version -I%S/../../include -c %S/../annotate/Inputs/closed.cu -o %t.o
// RUN: %bmclangxx -O3 -fblockmaestro %s %t.o -o %t
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=serial %t > %t.serial
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=prelaunch %t | cmp - %t.serial
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=persistent %t | cmp - %t.serial
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=prelaunch %t undeclared | cmp - %t.serial
// RUN: env BLOCKMAESTRO_DEVICE=cuda BLOCKMAESTRO_EXECUTOR=persistent BLOCKMAESTRO_RECORD=%t.rec %t | cmp - %t.serial
// RUN: %bm-dump launches %t.rec | FileCheck --check-prefix=LAUNCHES %s
// RUN: %bm-dump graph --all %t.rec | FileCheck %s

// LAUNCHES: launch 1: closedStep(int const*, int*, int), 5 blocks
// CHECK-DAG: relation 0 -> 1: full
// CHECK-DAG: relation 1 -> 2: full
// CHECK-NOT: relation 0 -> 3:
// CHECK-NOT: relation 2 -> 3:

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

void launchClosed(const int *In, int *Out, int Size, bool Declares);

constexpr int Size = 1 << 16;

__global__ void step(const int *In, int *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] + I % 7;
}

int main(int Count, char **) {
  int *Buffers[4];
  for (int *&Each : Buffers) {
    cudaMalloc(&Each, Size * sizeof(int));
    cudaMemset(Each, 1, Size * sizeof(int));
  }
  cudaDeviceSynchronize();
  const bool Declares = Count == 1;
  for (int Round = 0; Round < 200; ++Round) {
    step<<<Size / 256, 256>>>(Buffers[0], Buffers[1]);
    launchClosed(Buffers[1], Buffers[2], Size, Declares);
    step<<<Size / 256, 256>>>(Buffers[2], Buffers[0]);
    launchClosed(Buffers[3], Buffers[3], Size, Declares);
    if (Round % 2)
      step<<<Size / 256, 256>>>(Buffers[3], Buffers[2]);
  }
  static int Host[Size];
  unsigned long long Sum = 0;
  for (int *Each : Buffers) {
    cudaMemcpy(Host, Each, sizeof(Host), cudaMemcpyDeviceToHost);
    for (int I = 0; I < Size; ++I)
      Sum = Sum * 31 + unsigned(Host[I]);
  }
  std::printf("%llu %s\n", Sum, cudaGetErrorString(cudaGetLastError()));
}
