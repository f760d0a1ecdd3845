// Feature: warp: Warps in lockstep as old programs take them to be: volatile
// shared memory without barriers, in reductions, scans, rotations and counters.
// Emulated-only: CUDA promises it below compute capability 7.0 only

#include "Inputs/suite.h"

template <unsigned Size>
__device__ void warpReduce(volatile int *Data, unsigned T) {
  if (Size >= 64) Data[T] += Data[T + 32];
  if (Size >= 32) Data[T] += Data[T + 16];
  if (Size >= 16) Data[T] += Data[T + 8];
  if (Size >= 8) Data[T] += Data[T + 4];
  if (Size >= 4) Data[T] += Data[T + 2];
  if (Size >= 2) Data[T] += Data[T + 1];
}

template <unsigned Size> __global__ void reduce(const int *In, int *Out) {
  extern __shared__ int Data[];
  unsigned T = threadIdx.x;
  Data[T] = In[blockIdx.x * Size + T];
  __syncthreads();
  for (unsigned Half = Size / 2; Half > 32; Half /= 2) {
    if (T < Half)
      Data[T] += Data[T + Half];
    __syncthreads();
  }
  if (T < 32)
    warpReduce<Size>(Data, T);
  if (T == 0)
    Out[blockIdx.x] = Data[0];
}

// Each warp scans its own 32 numbers, behind as many zeros.
__global__ void scanWarps(int *Numbers) {
  __shared__ volatile int Padded[4][64];
  volatile int *Mine = Padded[threadIdx.x / 32] + 32;
  int Lane = threadIdx.x % 32;
  Mine[Lane - 32] = 0;
  Mine[Lane] = Numbers[threadIdx.x];
  for (int By = 1; By < 32; By *= 2)
    Mine[Lane] += Mine[Lane - By];
  Numbers[threadIdx.x] = Mine[Lane];
}

__global__ void rotate(int *Numbers, int Rounds) {
  __shared__ volatile int Ring[32];
  int T = threadIdx.x;
  Ring[T] = Numbers[T];
  if (T < 24)
    for (int R = 0; R < Rounds; ++R)
      Ring[T] = Ring[(T + 1) % 24];
  Numbers[T] = Ring[T];
}

// Counters of the years before atomics in shared memory: who wrote last finds
// its own tag, the others try again.
__global__ void count(const unsigned *Numbers, int N, unsigned *Bins) {
  __shared__ unsigned Shared[8];
  volatile unsigned *Counts = Shared;
  const unsigned T = threadIdx.x, Tag = T << 27, Mask = (1u << 27) - 1;
  if (T < 8)
    Counts[T] = 0;
  __syncthreads();
  for (int I = T; I < N; I += 32) {
    const unsigned Bin = Numbers[I];
    unsigned Count;
    do {
      Count = Tag | ((Counts[Bin] & Mask) + 1);
      Counts[Bin] = Count;
    } while (Counts[Bin] != Count);
  }
  __syncthreads();
  if (T < 8)
    Bins[T] = Counts[T] & Mask;
}

template <unsigned Size> void testReduce() {
  const int Blocks = 6;
  std::vector<int> Numbers(Blocks * Size), Sums(Blocks);
  for (size_t I = 0; I < Numbers.size(); ++I) {
    Numbers[I] = static_cast<int>(I * 7 % 31);
    Sums[I / Size] += Numbers[I];
  }
  suite::Array<int> In(Numbers), Out(Blocks);
  reduce<Size><<<Blocks, Size, (Size + 32) * sizeof(int)>>>(In, Out);
  same(Out.host(), Sums);
}

int main() {
  testReduce<512>();
  testReduce<64>();
  testReduce<32>();
  testReduce<8>();

  std::vector<int> Numbers(128), Sums(128);
  for (int I = 0; I < 128; ++I) {
    Numbers[I] = I * 13 % 37;
    Sums[I] = Numbers[I] + (I % 32 ? Sums[I - 1] : 0);
  }
  suite::Array<int> Scanned(Numbers);
  scanWarps<<<1, 128>>>(Scanned);
  same(Scanned.host(), Sums);

  std::vector<unsigned> Into(333), Counts(8);
  for (size_t I = 0; I < Into.size(); ++I)
    ++Counts[Into[I] = I * I % 11 % 8];
  suite::Array<unsigned> Bins(8), IntoThere(Into);
  count<<<1, 32>>>(IntoThere, static_cast<int>(Into.size()), Bins);
  same(Bins.host(), Counts);

  std::vector<int> Ring(32), Turned(32);
  for (int I = 0; I < 32; ++I)
    Ring[I] = I;
  for (int I = 0; I < 32; ++I)
    Turned[I] = I < 24 ? (I + 5) % 24 : I;
  suite::Array<int> Rotated(Ring);
  rotate<<<1, 32>>>(Rotated, 5);
  same(Rotated.host(), Turned);
  return suite::finish();
}
