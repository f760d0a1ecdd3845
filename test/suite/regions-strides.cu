// Feature: barriers: Threads that go through an array side by side before they meet, at a barrier or in a shuffle: bounds of all kinds, some threads gone, warps that are not whole.
#include "Inputs/suite.h"

#include <climits>

constexpr int Words = 1024;

template <typename T>
__device__ int walk(const int *In, T First, T End, T Step) {
  int Sum = 0;
  for (T I = First; I < End; I += Step)
    Sum = 3 * Sum + In[I & (Words - 1)];
  return Sum;
}

template <typename T>
__global__ void meetAtBarrier(const int *In, int *Out, T Begin, T End, T Step) {
  __shared__ int Sums[256];
  int Sum = walk<T>(In, Begin + threadIdx.x, End, Step);
  Sums[threadIdx.x] = Sum;
  __syncthreads();
  Out[threadIdx.x] = Sum + Sums[(threadIdx.x + 1) % blockDim.x];
}

template <typename T>
__global__ void meetInWarp(const int *In, int *Out, T Begin, T End, T Step) {
  int Sum = walk<T>(In, Begin + threadIdx.x, End, Step);
  Out[threadIdx.x] = Sum + __shfl_sync(~0u, Sum, (threadIdx.x + 1) % 32);
}

// A warp for each line; the first lanes of a warp are gone, and the last warp
// of a block of 80 is half of one.
__global__ void lines(const int *In, int *Out, int Lines, int Gone) {
  int Line = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int Lane = threadIdx.x % 32;
  if (Line >= Lines || Lane < Gone)
    return;
  int Sum = walk<int>(In, Line + Lane, 500 + Line, 32);
  unsigned Odd = __ballot_sync(~0u, Sum & 1);
  for (int By = 16; By > 0; By /= 2)
    Sum += __shfl_xor_sync(~0u, Sum, By);
  if (threadIdx.x < 32)
    Sum += __reduce_max_sync(~0u, Lane);
  int At = blockIdx.x * blockDim.x + threadIdx.x;
  Out[At] = Lane == 31 ? __popc(Odd) : Sum;
}

static std::vector<int> words() {
  std::vector<int> In(Words);
  for (int I = 0; I < Words; ++I)
    In[I] = I * 37 % 101 - 50;
  return In;
}

template <typename T>
static int walkOnHost(const std::vector<int> &In, T First, T End, T Step) {
  unsigned Sum = 0;
  for (T I = First; I < End; I += Step)
    Sum = 3 * Sum + unsigned(In[I & (Words - 1)]);
  return int(Sum);
}

template <typename T>
static void testBounds(T Begin, T End, T Step, int Threads) {
  const std::vector<int> In = words();
  suite::Array<int> From(In), Barrier(Threads), Warp(Threads);
  meetAtBarrier<T><<<1, Threads>>>(From.get(), Barrier.get(), Begin, End, Step);
  meetInWarp<T><<<1, Threads>>>(From.get(), Warp.get(), Begin, End, Step);
  std::vector<int> Sums(Threads), InBlock(Threads), InWarp(Threads);
  for (int I = 0; I < Threads; ++I)
    Sums[I] = walkOnHost<T>(In, Begin + I, End, Step);
  for (int I = 0; I < Threads; ++I) {
    InBlock[I] = int(unsigned(Sums[I]) + Sums[(I + 1) % Threads]);
    InWarp[I] = int(unsigned(Sums[I]) + Sums[I / 32 * 32 + (I + 1) % 32]);
  }
  same(Barrier.host(), InBlock);
  same(Warp.host(), InWarp);
}

/// What thread \p T of block \p Block leaves: of lanes that take part only.
static int lineOnHost(const std::vector<int> &In, int Block, int T, int Threads,
                      int Gone) {
  int Last = std::min(32, Threads - T / 32 * 32), Odd = 0;
  unsigned Sums[32] = {};
  for (int L = Gone; L < Last; ++L) {
    int Line = (Block * Threads + T / 32 * 32 + L) / 32;
    Sums[L] = walkOnHost<int>(In, Line + L, 500 + Line, 32);
    Odd += Sums[L] & 1;
  }
  unsigned Sum = 0;
  for (unsigned Each : Sums)
    Sum += Each;
  return T % 32 == 31 ? Odd : int(Sum + (T < 32 ? Last - 1 : 0));
}

// Shuffles from lanes that do not take part are undefined, unlike votes, so of
// warps that are not whole only the lane with the vote is looked at.
static void testLines(int Threads, int Gone, bool Whole) {
  const std::vector<int> In = words();
  const int Blocks = 3, Lines = Blocks * Threads / 32 - 1;
  suite::Array<int> From(In), Out(Blocks * Threads);
  lines<<<Blocks, Threads>>>(From.get(), Out.get(), Lines, Gone);
  std::vector<int> Got = Out.host();
  for (int I = 0; I < Lines * 32; ++I)
    if (Whole || I % Threads % 32 == 31)
      expect(Got[I] == lineOnHost(In, I / Threads, I % Threads, Threads, Gone));
}

int main() {
  for (int Threads : {64, 256}) {
    for (int End : {1000, 1024, Threads - 1, Threads, Threads + 1, 0, -5, INT_MIN})
      testBounds<int>(0, End, Threads, Threads);
    testBounds<int>(-100, 77, Threads, Threads);
    testBounds<int>(3, 1000, 1, Threads);
    testBounds<int>(3, 1000, 100, Threads);
    testBounds<unsigned>(0, 7, Threads, Threads);
    testBounds<unsigned>(5, 3001, 32, Threads);
    testBounds<unsigned>(1u << 31, (1u << 31) + 777, 32, Threads);
    testBounds<long long>(-1, 1000, 2 * Threads, Threads);
    testBounds<long long>(1ll << 40, (1ll << 40) + 300, Threads, Threads);
  }
  testLines(256, 0, true);
  testLines(80, 0, false);
  testLines(64, 3, false);
  return suite::finish();
}
