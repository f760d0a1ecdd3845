// The same for kernels whose threads are fibers: warp operations, printf,
// device memory, a grid barrier.
// REQUIRES: injection
// RUN: %bmclangxx -O1 -fblockmaestro -I%S/Inputs %s -o %t && %inject %t

#include <cooperative_groups.h>

#include "calls.h"

__global__ void warps(int *Out) {
  int Sum = threadIdx.x;
  for (int Step = 16; Step; Step /= 2)
    Sum += __shfl_xor_sync(0xffffffffu, Sum, Step);
  int *Own = static_cast<int *>(malloc(sizeof(int)));
  Out[threadIdx.x] = -1;
  if (Own) {
    *Own = Sum;
    Out[threadIdx.x] = *Own;
  }
  free(Own);
  if (threadIdx.x == 0)
    printf("sum %d\n", Sum);
}

__global__ void meet(int *Data) {
  const auto Grid = cooperative_groups::this_grid();
  Data[Grid.thread_rank()] = 1;
  Grid.sync();
  if (Grid.thread_rank() == 0)
    for (int I = 1; I < Grid.size(); ++I)
      Data[0] += Data[I];
}

int main() {
  int *Out = nullptr, Host[64];
  CALL(cudaMalloc(&Out, sizeof Host));
  CALL(cudaMemset(Out, 0, sizeof Host));
  LAUNCH(warps<<<1, 32>>>(Out));
  CALL(cudaMemcpy(Host, Out, sizeof Host, cudaMemcpyDeviceToHost));
  for (int I = 0; I < 32; ++I)
    if (Host[I] == -1)
      report(cudaErrorMemoryAllocation, "malloc in the kernel");
    else if (Host[I] != 496)
      lost("Host", I, Host[I], 496);
  void *Arguments[] = {&Out};
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(meet), dim3(2), dim3(32), Arguments, 0, nullptr));
  CALL(cudaMemcpy(Host, Out, sizeof Host, cudaMemcpyDeviceToHost));
  if (Host[0] != 64)
    lost("Host", 0, Host[0], 64);
  CALL(cudaFree(Out));
  std::puts("ok");
}
