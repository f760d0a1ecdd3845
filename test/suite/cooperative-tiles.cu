// Feature: cooperative groups: Tiles of every size, coalesced and labeled groups, their
// shuffles, votes, reductions and scans.
// Flags: -I%cuda/include/cccl

#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "Inputs/suite.h"

namespace cg = cooperative_groups;

template <int Size> __device__ int tileSum(cg::thread_block Block, int Value) {
  auto Tile = cg::tiled_partition<Size>(Block);
  for (int By = Size / 2; By > 0; By /= 2)
    Value += Tile.shfl_down(Value, By);
  return Tile.shfl(Value, 0) * 100 + Tile.thread_rank();
}

__global__ void tiles(int *Out) {
  cg::thread_block Block = cg::this_thread_block();
  int T = Block.thread_rank();
  int *O = Out + T * 6;
  O[0] = tileSum<2>(Block, T);
  O[1] = tileSum<8>(Block, T);
  O[2] = tileSum<32>(Block, T);
  auto Four = cg::tiled_partition<4>(Block);
  O[3] = Four.ballot(T % 3 == 0) + 16 * Four.any(T == 9) +
         32 * Four.all(T < 60) + 64 * Four.meta_group_rank();
  auto Sixteen = cg::tiled_partition<16>(Block);
  O[4] = cg::reduce(Sixteen, T * T, cg::plus<int>()) +
         cg::reduce(Sixteen, T ^ 5, cg::greater<int>()) * 100000;
  O[5] = cg::inclusive_scan(Sixteen, T, cg::plus<int>()) +
         1000 * cg::exclusive_scan(Sixteen, T % 5, cg::plus<int>());
}

__global__ void dynamicGroups(int *Out) {
  int T = threadIdx.x;
  int *O = Out + T * 4;
  if (T % 3 == 1) {
    cg::coalesced_group Some = cg::coalesced_threads();
    O[0] = Some.size() * 100 + Some.thread_rank();
    O[1] = Some.shfl(T, 2);
    O[2] = cg::reduce(Some, T, cg::plus<int>());
  }
  __syncwarp();
  cg::coalesced_group Warp = cg::coalesced_threads();
  auto Label = cg::labeled_partition(Warp, T % 4);
  O[3] = Label.size() * 1000 + cg::reduce(Label, T, cg::plus<int>());
}

int main() {
  const int Threads = 64;
  suite::Array<int> Out(Threads * 6);
  tiles<<<1, Threads>>>(Out);
  std::vector<int> Expected(Threads * 6);
  for (int T = 0; T < Threads; ++T) {
    int *E = &Expected[T * 6];
    int Sizes[] = {2, 8, 32};
    for (int S = 0; S < 3; ++S) {
      int First = T / Sizes[S] * Sizes[S], Sum = 0;
      for (int I = 0; I < Sizes[S]; ++I)
        Sum += First + I;
      E[S] = Sum * 100 + T % Sizes[S];
    }
    int First = T / 4 * 4;
    for (int I = 0; I < 4; ++I)
      E[3] |= ((First + I) % 3 == 0) << I;
    E[3] += 16 * (First == 8) + 32 * (First < 60) + 64 * (T / 4);
    int Greatest = 0, Below = 0, Ranks = 0;
    for (int I = T / 16 * 16; I < T / 16 * 16 + 16; ++I) {
      E[4] += I * I;
      Greatest = std::max(Greatest, I ^ 5);
      Below += I <= T ? I : 0;
      Ranks += I < T ? I % 5 : 0;
    }
    E[4] += Greatest * 100000;
    E[5] = Below + 1000 * Ranks;
  }
  same(Out.host(), Expected);

  suite::Array<int> Groups(Threads * 4);
  dynamicGroups<<<1, Threads>>>(Groups);
  std::vector<int> Wanted(Threads * 4);
  for (int T = 0; T < Threads; ++T) {
    int Warp = T / 32 * 32, Size = 0, Rank = 0, Third = -1, Sum = 0;
    for (int I = Warp; I < Warp + 32; ++I)
      if (I % 3 == 1) {
        Third = ++Size == 3 ? I : Third;
        Rank += I < T;
        Sum += I;
      }
    if (T % 3 == 1) {
      Wanted[T * 4] = Size * 100 + Rank;
      Wanted[T * 4 + 1] = Third;
      Wanted[T * 4 + 2] = Sum;
    }
    int Labelled = 0;
    for (int I = Warp; I < Warp + 32; ++I)
      Labelled += I % 4 == T % 4 ? I : 0;
    Wanted[T * 4 + 3] = 8000 + Labelled;
  }
  same(Groups.host(), Wanted);
  return suite::finish();
}
