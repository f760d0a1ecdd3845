// Feature: device: The heap of kernels is as large as cudaDeviceSetLimit says, until a kernel has
// used it; the stack is deep enough for the recursion it was set for.

#include "Inputs/suite.h"

__global__ void take(size_t Bytes, int *Got) {
  void *Memory = malloc(Bytes);
  *Got = Memory != nullptr;
  free(Memory);
}

__device__ __noinline__ int depth(volatile int *Left) {
  volatile char Frame[256];
  Frame[*Left % 256] = 1;
  if (--*Left == 0)
    return Frame[0] * 0;
  return 1 + depth(Left);
}
__global__ void nest(int Levels, int *Out) {
  int Left = Levels;
  *Out = depth(&Left);
}

int main() {
  check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
  suite::Array<int> Got(1);
  take<<<1, 1>>>(32 << 20, Got);
  same(Got.host(), std::vector<int>{1});

  check(cudaDeviceSetLimit(cudaLimitStackSize, 128 << 10));
  suite::Array<int> Depth(1);
  nest<<<1, 1>>>(300, Depth);
  same(Depth.host(), std::vector<int>{299});
  return suite::finish();
}
