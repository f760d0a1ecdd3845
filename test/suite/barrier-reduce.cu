// Feature: barriers: __syncthreads_count, _and and _or, alone, in loops and with
// threads that have returned.

#include "Inputs/suite.h"

__global__ void reduce(int *Out) {
  int T = threadIdx.x + blockDim.x * threadIdx.y;
  Out[3 * T] = __syncthreads_count(T % 7 == 2);
  Out[3 * T + 1] = __syncthreads_and(T < 150) + 2 * __syncthreads_and(T < 149);
  Out[3 * T + 2] = __syncthreads_or(T == 149) + 2 * __syncthreads_or(T < 0);
}

// Goes on until all threads agree.
__global__ void converge(int *Steps, const int *Need) {
  int Left = Need[threadIdx.x], Done = 0;
  do {
    Left -= Left > 0;
    ++Done;
  } while (!__syncthreads_and(Left == 0));
  Steps[threadIdx.x] = Done;
}

__global__ void returned(int *Out) {
  if (threadIdx.x >= 70)
    return;
  __syncthreads();
  Out[threadIdx.x] = __syncthreads_count(1);
}

int main() {
  const int Threads = 150;
  suite::Array<int> Out(3 * Threads);
  reduce<<<1, dim3(30, 5)>>>(Out);
  std::vector<int> Expected(3 * Threads);
  for (int T = 0; T < Threads; ++T) {
    Expected[3 * T] = 22;
    Expected[3 * T + 1] = 1;
    Expected[3 * T + 2] = 1;
  }
  same(Out.host(), Expected);

  std::vector<int> Needs(100);
  for (int T = 0; T < 100; ++T)
    Needs[T] = T * 13 % 40;
  suite::Array<int> Need(Needs), Steps(100);
  converge<<<1, 100>>>(Steps, Need);
  same(Steps.host(), std::vector<int>(100, 39));

  suite::Array<int> Few(70);
  returned<<<1, 100>>>(Few);
  same(Few.host(), std::vector<int>(70, 70));
  return suite::finish();
}
