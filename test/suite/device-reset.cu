// Feature: device: After cudaDeviceReset variables have their initial values, the heap of kernels
// is empty and limits are as at the start.

#include "Inputs/suite.h"

struct Pair {
  int *Where;
  double Factor;
};

__device__ int Target = 3;
__device__ Pair Linked = {&Target, 2.5};
__device__ int Zeros[1000];
__constant__ int Table[3] = {1, 2, 3};
__device__ char *Kept;

__device__ int counted() {
  static int Calls = 10;
  return ++Calls;
}

__global__ void change(int *Out) {
  Out[0] = *Linked.Where + int(Linked.Factor * 10) + Zeros[999] + Table[1];
  Out[1] = counted();
  Out[2] = Kept == nullptr;
  Target = 50;
  Linked = {nullptr, 9};
  Zeros[999] = 70;
  Kept = static_cast<char *>(malloc(5 << 20));
  Out[3] = Kept != nullptr;
}

static void turn() {
  suite::Array<int> Out(4);
  change<<<1, 1>>>(Out);
  const std::vector<int> Expected = {3 + 25 + 0 + 2, 11, 1, 1};
  same(Out.host(), Expected);
  const int Other[3] = {7, 8, 9};
  check(cudaMemcpyToSymbol(Table, Other, sizeof Other));
}

int main() {
  size_t Heap = 0, Stack = 0;
  check(cudaDeviceGetLimit(&Heap, cudaLimitMallocHeapSize));
  check(cudaDeviceGetLimit(&Stack, cudaLimitStackSize));
  expect(Heap == 8 << 20);
  for (int Turn = 0; Turn < 3; ++Turn) {
    turn();
    check(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    check(cudaDeviceReset());
    size_t Now = 0;
    check(cudaDeviceGetLimit(&Now, cudaLimitStackSize));
    expect(Now == Stack);
    check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, Heap));
  }
  return suite::finish();
}
