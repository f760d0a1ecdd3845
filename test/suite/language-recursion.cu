// Feature: language: Functions that call themselves and each other, with local
// arrays, and with a barrier at the bottom.

#include "Inputs/suite.h"

__host__ __device__ int fibonacci(int N) {
  return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2);
}

__host__ __device__ bool isOdd(int N);
__host__ __device__ bool isEven(int N) { return N == 0 || isOdd(N - 1); }
__host__ __device__ bool isOdd(int N) { return N != 0 && isEven(N - 1); }

__host__ __device__ int ackermann(int M, int N) {
  if (M == 0)
    return N + 1;
  return ackermann(M - 1, N == 0 ? 1 : ackermann(M, N - 1));
}

// A sort whose frames have arrays of their own.
__host__ __device__ void mergeSort(int *Data, int Count) {
  if (Count < 2)
    return;
  int Half = Count / 2, Copy[16];
  mergeSort(Data, Half);
  mergeSort(Data + Half, Count - Half);
  for (int I = 0; I < Count; ++I)
    Copy[I] = Data[I];
  for (int I = 0, L = 0, R = Half; I < Count; ++I)
    Data[I] = L < Half && (R == Count || Copy[L] <= Copy[R]) ? Copy[L++]
                                                             : Copy[R++];
}

__host__ __device__ int compute(int I, int *Sorted) {
  for (int K = 0; K < 16; ++K)
    Sorted[K] = (K * 7 + I * 5) % 16;
  mergeSort(Sorted, 16);
  return fibonacci(I % 12) * 10 + isEven(I) + ackermann(2, I % 4);
}

__global__ void all(int *Out, int *Sorted) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = compute(I, Sorted + 16 * I);
}

// Every level shifts the block's values by one thread.
__device__ int shifted(int *Buffer, int Depth, int Value) {
  if (Depth == 0)
    return Value;
  Buffer[threadIdx.x] = Value;
  __syncthreads();
  int Next = Buffer[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return shifted(Buffer, Depth - 1, Next) + 1;
}

__global__ void barriersBelow(int *Out, int Depth) {
  __shared__ int Buffer[64];
  Out[threadIdx.x] = shifted(Buffer, Depth, threadIdx.x);
}

int main() {
  const int N = 256;
  suite::Array<int> Out(N), Sorted(16 * N);
  all<<<4, 64>>>(Out, Sorted);
  std::vector<int> Expected(N), ExpectedSorted(16 * N);
  for (int I = 0; I < N; ++I)
    Expected[I] = compute(I, &ExpectedSorted[16 * I]);
  same(Out.host(), Expected);
  same(Sorted.host(), ExpectedSorted);

  suite::Array<int> Shifted(64);
  barriersBelow<<<1, 64>>>(Shifted, 5);
  std::vector<int> ExpectedShift(64);
  for (int I = 0; I < 64; ++I)
    ExpectedShift[I] = (I + 5) % 64 + 5;
  same(Shifted.host(), ExpectedShift);
  return suite::finish();
}
