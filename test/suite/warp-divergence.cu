// Feature: warp: Warp operations in divergent branches and loops, in called functions,
// and with lanes that have returned.

#include "Inputs/suite.h"

constexpr unsigned Full = 0xffffffffu;

// Both branches call the same operation with masks of their own.
__global__ void branches(unsigned *Out) {
  unsigned Lane = threadIdx.x % 32, Got;
  if (Lane < 10)
    Got = __reduce_add_sync(0x3ffu, Lane);
  else if (Lane < 20)
    Got = __shfl_sync(0xffc00u, Lane * 3, 12);
  else
    Got = __ballot_sync(0xfff00000u, Lane % 2);
  Out[threadIdx.x] = Got;
}

// Lanes leave the loop one after another, and with them the mask.
__global__ void shrinking(unsigned *Out) {
  unsigned Lane = threadIdx.x % 32, Sum = 0;
  unsigned Mask = Full;
  for (unsigned Round = 0;; ++Round) {
    unsigned Left = __ballot_sync(Mask, Lane > Round);
    if (Lane <= Round)
      break;
    Mask = Left;
    Sum += __shfl_sync(Mask, Lane, 31);
  }
  Out[threadIdx.x] = Sum;
}

__device__ __noinline__ unsigned sumBelow(unsigned Value, unsigned Depth) {
  if (Depth == 0)
    return __shfl_xor_sync(Full, Value, 1);
  return sumBelow(Value + Depth, Depth - 1) +
         __reduce_max_sync(Full, Value & 3);
}

// A warp operation at the bottom of a recursion.
__global__ void recursive(unsigned *Out) {
  Out[threadIdx.x] = sumBelow(threadIdx.x, 5);
}

__global__ void early(unsigned *Out) {
  unsigned Lane = threadIdx.x % 32;
  if (Lane % 4 == 1)
    return;
  // The lanes that returned are still named.
  Out[threadIdx.x] = __ballot_sync(Full, Lane > 7);
  __syncthreads();
  Out[threadIdx.x] += __syncthreads_count(Lane < 4);
}

// One atomic for all lanes of a warp that count.
__device__ unsigned countTogether(unsigned *Counter) {
  unsigned Mask = __activemask();
  unsigned Leader = __ffs(Mask) - 1;
  unsigned Before = 0;
  if (threadIdx.x % 32 == Leader)
    Before = atomicAdd(Counter, __popc(Mask));
  Before = __shfl_sync(Mask, Before, Leader);
  return Before + __popc(Mask & ((1u << threadIdx.x % 32) - 1));
}

__global__ void compact(const int *In, int N, int *Out, unsigned *Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I < N && In[I] > 0)
    Out[countTogether(Count)] = In[I];
}

unsigned hostSum(unsigned T, unsigned Depth) {
  unsigned Value = T, Sum = 0;
  for (; Depth > 0; --Depth) {
    Sum += 3;
    Value += Depth;
  }
  return Value + Sum;
}

int main() {
  suite::Array<unsigned> Out(64);
  std::vector<unsigned> Expected(64);
  branches<<<1, 64>>>(Out);
  for (unsigned T = 0; T < 64; ++T)
    Expected[T] = T % 32 < 10 ? 45 : T % 32 < 20 ? 36 : 0xaaa00000u;
  same(Out.host(), Expected);

  shrinking<<<1, 64>>>(Out);
  for (unsigned T = 0; T < 64; ++T)
    Expected[T] = 31 * (T % 32);
  same(Out.host(), Expected);

  recursive<<<1, 64>>>(Out);
  for (unsigned T = 0; T < 64; ++T)
    Expected[T] = hostSum(T ^ 1, 5);
  same(Out.host(), Expected);

  check(cudaMemset(Out, 0, 64 * sizeof(unsigned)));
  early<<<1, 64>>>(Out);
  for (unsigned T = 0; T < 64; ++T)
    Expected[T] = T % 4 == 1 ? 0 : 0xdddddd00u + 6;
  same(Out.host(), Expected);

  const int N = 1000;
  std::vector<int> Numbers(N);
  int Positive = 0;
  long long Sum = 0;
  for (int I = 0; I < N; ++I) {
    Numbers[I] = (I * 37) % 101 - 50;
    Positive += Numbers[I] > 0;
    Sum += Numbers[I] > 0 ? Numbers[I] : 0;
  }
  suite::Array<int> In(Numbers), Kept(N);
  suite::Array<unsigned> Count(1);
  compact<<<8, 128>>>(In, N, Kept, Count);
  expect(Count.host()[0] == unsigned(Positive));
  for (int K : Kept.host())
    Sum -= K;
  expect(Sum == 0);
  return suite::finish();
}
