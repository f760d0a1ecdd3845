// Feature: cooperative groups: Grid-wide barriers of a cooperative launch, as many blocks
// as fit at once.
// Flags: -I%cuda/include/cccl

#include <algorithm>
#include <cooperative_groups.h>

#include "Inputs/suite.h"

namespace cg = cooperative_groups;

// Every round each element becomes the sum of its neighbours in the last one.
__global__ void relax(int *A, int *B, int N, int Rounds) {
  cg::grid_group Grid = cg::this_grid();
  int *From = A, *To = B;
  for (int R = 0; R < Rounds; ++R) {
    for (int I = Grid.thread_rank(); I < N; I += Grid.size())
      To[I] = (From[(I + 1) % N] + From[(I + N - 1) % N]) % 10007;
    Grid.sync();
    int *Swap = From;
    From = To;
    To = Swap;
  }
}

// What every block leaves, one thread adds up behind the grid's barrier.
__global__ void total(const int *In, int N, int *Partial, int *Out) {
  cg::grid_group Grid = cg::this_grid();
  cg::thread_block Block = cg::this_thread_block();
  __shared__ int Sum;
  if (Block.thread_rank() == 0)
    Sum = 0;
  Block.sync();
  for (int I = Grid.thread_rank(); I < N; I += Grid.size())
    atomicAdd(&Sum, In[I]);
  Block.sync();
  if (Block.thread_rank() == 0)
    Partial[blockIdx.x] = Sum;
  Grid.sync();
  if (Grid.thread_rank() == 0) {
    int All = 0;
    for (unsigned B = 0; B < gridDim.x; ++B)
      All += Partial[B];
    Out[0] = All;
    Out[1] = Grid.is_valid();
  }
}

int main() {
  const int N = 3000;
  std::vector<int> Numbers(N), Last(N), Next(N);
  for (int I = 0; I < N; ++I)
    Numbers[I] = Last[I] = I * 31 % 1009;
  int Rounds = 7;
  for (int R = 0; R < Rounds; ++R) {
    for (int I = 0; I < N; ++I)
      Next[I] = (Last[(I + 1) % N] + Last[(I + N - 1) % N]) % 10007;
    Last.swap(Next);
  }
  suite::Array<int> A(Numbers), B(N);
  int *PA = A, *PB = B, Count = N;
  void *Arguments[] = {&PA, &PB, &Count, &Rounds};
  int PerProcessor = 0, Processors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&PerProcessor, relax, 128,
                                                      0));
  check(cudaDeviceGetAttribute(&Processors, cudaDevAttrMultiProcessorCount, 0));
  expect(PerProcessor > 0 && Processors > 0);
  int Blocks = std::min(20, PerProcessor * Processors);
  check(cudaLaunchCooperativeKernel(relax, Blocks, 128, Arguments, 0, nullptr));
  same(B.host(), Last);

  suite::Array<int> In(Numbers), Partial(16), Out(2);
  const int *PIn = In;
  int *PPartial = Partial, *POut = Out;
  void *Others[] = {&PIn, &Count, &PPartial, &POut};
  check(cudaLaunchCooperativeKernel(total, 16, 96, Others, 0, nullptr));
  int Sum = 0;
  for (int I : Numbers)
    Sum += I;
  const std::vector<int> Expected = {Sum, 1};
  same(Out.host(), Expected);

  void *TooMany[] = {&PA, &PB, &Count, &Rounds};
  expect(cudaLaunchCooperativeKernel(relax, PerProcessor * Processors + 1, 128,
                                     TooMany, 0, nullptr) ==
         cudaErrorCooperativeLaunchTooLarge);
  cudaGetLastError();
  return suite::finish();
}
