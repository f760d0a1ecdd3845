// Feature: programs: Prefix sums written by hand: Hillis and Steele, Blelloch, by shuffles,
// in three launches, and in one launch whose blocks look back at their predecessors.

#include <numeric>

#include "Inputs/suite.h"

constexpr int Threads = 128;

__global__ void hillisSteele(const int *In, int *Out) {
  __shared__ int Buffer[2][Threads];
  int Now = 0;
  Buffer[0][threadIdx.x] = In[threadIdx.x];
  __syncthreads();
  for (int Step = 1; Step < Threads; Step *= 2) {
    const int Mine = Buffer[Now][threadIdx.x];
    Buffer[1 - Now][threadIdx.x] =
        threadIdx.x >= Step ? Mine + Buffer[Now][threadIdx.x - Step] : Mine;
    Now = 1 - Now;
    __syncthreads();
  }
  Out[threadIdx.x] = Buffer[Now][threadIdx.x];
}

__global__ void blelloch(const int *In, int *Out, int *Totals) {
  __shared__ int Tree[2 * Threads];
  const int T = threadIdx.x, Base = blockIdx.x * 2 * Threads;
  Tree[2 * T] = In[Base + 2 * T];
  Tree[2 * T + 1] = In[Base + 2 * T + 1];
  int Offset = 1;
  for (int D = Threads; D > 0; D /= 2, Offset *= 2) {
    __syncthreads();
    if (T < D)
      Tree[Offset * (2 * T + 2) - 1] += Tree[Offset * (2 * T + 1) - 1];
  }
  if (T == 0) {
    if (Totals)
      Totals[blockIdx.x] = Tree[2 * Threads - 1];
    Tree[2 * Threads - 1] = 0;
  }
  for (int D = 1; D <= Threads; D *= 2) {
    Offset /= 2;
    __syncthreads();
    if (T < D) {
      const int L = Offset * (2 * T + 1) - 1, R = Offset * (2 * T + 2) - 1;
      const int X = Tree[L];
      Tree[L] = Tree[R];
      Tree[R] += X;
    }
  }
  __syncthreads();
  Out[Base + 2 * T] = Tree[2 * T];
  Out[Base + 2 * T + 1] = Tree[2 * T + 1];
}

__global__ void addOffsets(int *Data, const int *Offsets) {
  Data[blockIdx.x * 2 * Threads + threadIdx.x] += Offsets[blockIdx.x];
  Data[blockIdx.x * 2 * Threads + Threads + threadIdx.x] += Offsets[blockIdx.x];
}

__device__ int scanBlock(int Mine, int *Sums) {
  const int Lane = threadIdx.x % 32, Warp = threadIdx.x / 32;
  for (int Step = 1; Step < 32; Step *= 2) {
    const int Below = __shfl_up_sync(0xffffffffu, Mine, Step);
    if (Lane >= Step)
      Mine += Below;
  }
  if (Lane == 31)
    Sums[Warp] = Mine;
  __syncthreads();
  if (Warp == 0) {
    int Sum = Lane < Threads / 32 ? Sums[Lane] : 0;
    for (int Step = 1; Step < Threads / 32; Step *= 2) {
      const int Below = __shfl_up_sync(0xffffffffu, Sum, Step);
      if (Lane >= Step)
        Sum += Below;
    }
    if (Lane < Threads / 32)
      Sums[Lane] = Sum;
  }
  __syncthreads();
  return Mine + (Warp ? Sums[Warp - 1] : 0);
}

struct Look {
  int Ticket;
  volatile int State[64], Own[64], All[64];
};

/// Blocks take numbers in the order they start; each waits until the one before
/// has told its sum, or adds up what those before have told.
__global__ void lookBack(const int *In, int *Out, Look *L) {
  __shared__ int Number, Before, Sums[Threads / 32];
  if (threadIdx.x == 0)
    Number = atomicAdd(&L->Ticket, 1);
  __syncthreads();
  const int I = Number * Threads + threadIdx.x;
  const int Mine = scanBlock(In[I], Sums);
  if (threadIdx.x == Threads - 1) {
    L->Own[Number] = Mine;
    __threadfence();
    L->State[Number] = 1;
    int Sum = 0;
    for (int Look = Number - 1; Look >= 0;) {
      const int State = L->State[Look];
      __threadfence();
      if (State == 2) {
        Sum += L->All[Look];
        break;
      }
      if (State == 1)
        Sum += L->Own[Look--];
    }
    Before = Sum;
    L->All[Number] = Sum + Mine;
    __threadfence();
    L->State[Number] = 2;
  }
  __syncthreads();
  Out[I] = Mine + Before;
}

int main() {
  constexpr int Blocks = 16, N = Blocks * 2 * Threads;
  std::vector<int> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = I * 37 % 101 - 20;
  suite::Array<int> A(In), B(N), Totals(2 * Threads), Offsets(2 * Threads);

  hillisSteele<<<1, Threads>>>(A, B);
  std::vector<int> Sums(N), Got = B.host();
  std::partial_sum(In.begin(), In.end(), Sums.begin());
  for (int I = 0; I < Threads; ++I)
    expect(Got[I] == Sums[I]);

  blelloch<<<Blocks, Threads>>>(A, B, Totals);
  blelloch<<<1, Threads>>>(Totals, Offsets, nullptr);
  addOffsets<<<Blocks, Threads>>>(B, Offsets);
  std::vector<int> Exclusive(N);
  for (int I = 1; I < N; ++I)
    Exclusive[I] = Sums[I - 1];
  same(B.host(), Exclusive);

  suite::Array<Look> L(1);
  lookBack<<<2 * Blocks, Threads>>>(A, B, L);
  same(B.host(), Sums);
  return suite::finish();
}
