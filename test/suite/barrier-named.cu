// Feature: barriers: Named barriers in inline assembly: some warps of a block only, and
// arriving without waiting.

#include "Inputs/suite.h"

__device__ void syncNamed(int Id, int Threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(Id), "r"(Threads) : "memory");
}

__device__ void arriveNamed(int Id, int Threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(Id), "r"(Threads) : "memory");
}

// Each pair of warps sorts out its own part; the pairs never wait for each other.
__global__ void pairs(int *Out) {
  __shared__ int Tile[256];
  int T = threadIdx.x, Pair = T / 64;
  for (int Round = 0; Round <= Pair; ++Round) {
    Tile[T] = T + Round;
    syncNamed(1 + Pair, 64);
    Out[T] += Tile[Pair * 64 + 63 - T % 64];
    syncNamed(1 + Pair, 64);
  }
}

// The first two warps fill a buffer, the others take it, round after round.
__global__ void pipeline(const int *In, int *Out, int Rounds) {
  enum { Full = 1, Empty = 2 };
  __shared__ int Buffer[64];
  int T = threadIdx.x;
  for (int R = 0; R < Rounds; ++R) {
    if (T < 64) {
      if (R > 0)
        syncNamed(Empty, 128);
      Buffer[T] = In[R * 64 + T] * 2;
      __threadfence_block();
      arriveNamed(Full, 128);
    } else {
      syncNamed(Full, 128);
      Out[R * 64 + T - 64] = Buffer[127 - T] + 1;
      if (R + 1 < Rounds)
        arriveNamed(Empty, 128);
    }
  }
}

int main() {
  suite::Array<int> Out(256);
  pairs<<<1, 256>>>(Out);
  std::vector<int> Expected(256);
  for (int T = 0; T < 256; ++T)
    for (int R = 0; R <= T / 64; ++R)
      Expected[T] += T / 64 * 64 + 63 - T % 64 + R;
  same(Out.host(), Expected);

  const int Rounds = 9;
  std::vector<int> Numbers(Rounds * 64), Taken(Rounds * 64);
  for (int I = 0; I < Rounds * 64; ++I)
    Numbers[I] = I * I;
  for (int I = 0; I < Rounds * 64; ++I)
    Taken[I] = Numbers[I / 64 * 64 + 63 - I % 64] * 2 + 1;
  suite::Array<int> In(Numbers), Got(Rounds * 64);
  pipeline<<<1, 128>>>(In, Got, Rounds);
  same(Got.host(), Taken);
  return suite::finish();
}
