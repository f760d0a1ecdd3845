// Feature: warp: Shuffles of 32- and 64-bit values, all four modes, with widths.

#include "Inputs/suite.h"

constexpr unsigned Full = 0xffffffffu;
constexpr int Modes = 9;

__global__ void shuffles(int *Out, double *Wide) {
  int Lane = threadIdx.x % 32, T = threadIdx.x;
  int Mine = 1000 + T;
  int *O = Out + T * Modes;
  O[0] = __shfl_sync(Full, Mine, 5);
  O[1] = __shfl_sync(Full, Mine, Lane + 3, 8);
  O[2] = __shfl_up_sync(Full, Mine, 2);
  O[3] = __shfl_up_sync(Full, Mine, 3, 4);
  O[4] = __shfl_down_sync(Full, Mine, 7);
  O[5] = __shfl_down_sync(Full, Mine, 1, 16);
  O[6] = __shfl_xor_sync(Full, Mine, 31);
  O[7] = __shfl_xor_sync(Full, Mine, 6, 4);
  float F = __shfl_down_sync(Full, T * 0.5f, 1);
  O[8] = static_cast<int>(F * 2);
  Wide[T] = __shfl_xor_sync(Full, T * 1e10 + 0.25, 1);
}

// What lane gets from which lane of its warp.
int source(int Mode, int Lane) {
  auto Up = [&](int By, int Width) {
    return Lane % Width < By ? Lane : Lane - By;
  };
  auto Down = [&](int By, int Width) {
    return Lane % Width + By >= Width ? Lane : Lane + By;
  };
  switch (Mode) {
  case 0:
    return 5;
  case 1:
    return Lane / 8 * 8 + (Lane + 3) % 8;
  case 2:
    return Up(2, 32);
  case 3:
    return Up(3, 4);
  case 4:
    return Down(7, 32);
  case 5:
    return Down(1, 16);
  case 6:
    return Lane ^ 31;
  case 7: // A lane of a later group of four is out of reach.
    return (Lane ^ 6) / 4 > Lane / 4 ? Lane : Lane ^ 6;
  default:
    return Down(1, 32);
  }
}

__global__ void warpSums(const int *In, int *Out) {
  int Sum = In[blockIdx.x * blockDim.x + threadIdx.x];
  for (int By = 16; By > 0; By /= 2)
    Sum += __shfl_down_sync(Full, Sum, By);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&Out[blockIdx.x], Sum);
}

int main() {
  const int Threads = 96;
  suite::Array<int> Out(Threads * Modes);
  suite::Array<double> Wide(Threads);
  shuffles<<<1, Threads>>>(Out, Wide);
  std::vector<int> Expected(Threads * Modes);
  std::vector<double> ExpectedWide(Threads);
  for (int T = 0; T < Threads; ++T) {
    for (int M = 0; M < Modes; ++M)
      Expected[T * Modes + M] = 1000 + T / 32 * 32 + source(M, T % 32);
    Expected[T * Modes + 8] -= 1000;
    ExpectedWide[T] = (T ^ 1) * 1e10 + 0.25;
  }
  same(Out.host(), Expected);
  same(Wide.host(), ExpectedWide);

  const int Blocks = 5;
  std::vector<int> Numbers(Blocks * 256), Sums(Blocks);
  for (size_t I = 0; I < Numbers.size(); ++I) {
    Numbers[I] = static_cast<int>(I * 7 % 31);
    Sums[I / 256] += Numbers[I];
  }
  suite::Array<int> In(Numbers), Totals(Blocks);
  warpSums<<<Blocks, 256>>>(In, Totals);
  same(Totals.host(), Sums);
  return suite::finish();
}
