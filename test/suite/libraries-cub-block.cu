// Feature: libraries: CUB inside a block and a warp: loads and stores, reductions, scans,
// radix sort, histogram, discontinuity, exchange.

#include <algorithm>
#include <cub/cub.cuh>
#include <numeric>

#include "Inputs/suite.h"

constexpr int Threads = 128, Items = 4, Tile = Threads * Items;

template <cub::BlockReduceAlgorithm How>
__global__ void reduceBlocks(const int *In, int *Out) {
  using Reduce = cub::BlockReduce<int, Threads, How>;
  __shared__ typename Reduce::TempStorage Storage;
  int Mine[Items];
  cub::LoadDirectBlocked(threadIdx.x, In + blockIdx.x * Tile, Mine);
  const int Sum = Reduce(Storage).Sum(Mine);
  __syncthreads();
  const int Most = Reduce(Storage).Reduce(Mine[0], cuda::maximum<>{}, 100);
  if (threadIdx.x == 0) {
    Out[2 * blockIdx.x] = Sum;
    Out[2 * blockIdx.x + 1] = Most;
  }
}

__global__ void scanBlocks(const int *In, int *Out, int *Totals) {
  using Load = cub::BlockLoad<int, Threads, Items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, Threads, Items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
  using Scan = cub::BlockScan<int, Threads>;
  __shared__ union {
    typename Load::TempStorage Load;
    typename Store::TempStorage Store;
    typename Scan::TempStorage Scan;
  } Storage;
  int Mine[Items], Total;
  Load(Storage.Load).Load(In + blockIdx.x * Tile, Mine);
  __syncthreads();
  Scan(Storage.Scan).ExclusiveSum(Mine, Mine, Total);
  __syncthreads();
  Store(Storage.Store).Store(Out + blockIdx.x * Tile, Mine);
  if (threadIdx.x == 0)
    Totals[blockIdx.x] = Total;
}

__global__ void sortBlocks(unsigned *Keys, int *Values) {
  using Sort = cub::BlockRadixSort<unsigned, Threads, Items, int>;
  __shared__ typename Sort::TempStorage Storage;
  unsigned Key[Items];
  int Value[Items];
  cub::LoadDirectBlocked(threadIdx.x, Keys + blockIdx.x * Tile, Key);
  for (int I = 0; I < Items; ++I)
    Value[I] = threadIdx.x * Items + I;
  Sort(Storage).SortBlockedToStriped(Key, Value);
  cub::StoreDirectStriped<Threads>(threadIdx.x, Keys + blockIdx.x * Tile, Key);
  cub::StoreDirectStriped<Threads>(threadIdx.x, Values + blockIdx.x * Tile, Value);
}

__global__ void countBlocks(const unsigned char *In, int *Counts, int *Heads) {
  using Histogram =
      cub::BlockHistogram<unsigned char, Threads, Items, 256, cub::BLOCK_HISTO_ATOMIC>;
  using Discontinuity = cub::BlockDiscontinuity<unsigned char, Threads>;
  __shared__ union {
    typename Histogram::TempStorage Histogram;
    typename Discontinuity::TempStorage Heads;
  } Storage;
  __shared__ int Bins[256];
  unsigned char Mine[Items];
  cub::LoadDirectBlocked(threadIdx.x, In, Mine);
  Histogram(Storage.Histogram).Histogram(Mine, Bins);
  __syncthreads();
  for (int I = threadIdx.x; I < 256; I += Threads)
    Counts[I] = Bins[I];
  int Flags[Items];
  Discontinuity(Storage.Heads).FlagHeads(Flags, Mine, cuda::std::not_equal_to<>{});
  cub::StoreDirectBlocked(threadIdx.x, Heads, Flags);
}

__global__ void warps(const int *In, int *Out) {
  using Reduce = cub::WarpReduce<int>;
  using Scan = cub::WarpScan<int, 16>;
  __shared__ typename Reduce::TempStorage ReduceStorage[4];
  __shared__ typename Scan::TempStorage ScanStorage[8];
  const int Mine = In[threadIdx.x];
  const int Sum = Reduce(ReduceStorage[threadIdx.x / 32]).Sum(Mine);
  int Before;
  Scan(ScanStorage[threadIdx.x / 16]).ExclusiveSum(Mine, Before);
  Out[threadIdx.x] = Before;
  if (threadIdx.x % 32 == 0)
    Out[Threads + threadIdx.x / 32] = Sum;
}

int main() {
  constexpr int Blocks = 3, N = Blocks * Tile;
  std::vector<int> In(N);
  for (int I = 0; I < N; ++I)
    In[I] = (I * 7919) % 1009 - 300;
  suite::Array<int> A(In);

  suite::Array<int> Sums(2 * Blocks);
  std::vector<int> Expected(2 * Blocks);
  for (int B = 0; B < Blocks; ++B) {
    Expected[2 * B] = std::accumulate(&In[B * Tile], &In[B * Tile] + Tile, 0);
    Expected[2 * B + 1] = In[B * Tile];
    for (int T = 0; T < 100; ++T)
      Expected[2 * B + 1] = std::max(Expected[2 * B + 1], In[B * Tile + T * Items]);
  }
  reduceBlocks<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<Blocks, Threads>>>(A, Sums);
  same(Sums.host(), Expected);
  reduceBlocks<cub::BLOCK_REDUCE_RAKING><<<Blocks, Threads>>>(A, Sums);
  same(Sums.host(), Expected);

  suite::Array<int> Scanned(N), Totals(Blocks);
  scanBlocks<<<Blocks, Threads>>>(A, Scanned, Totals);
  std::vector<int> Scans(N), TotalsHere(Blocks);
  for (int B = 0; B < Blocks; ++B)
    for (int I = 0; I < Tile; ++I) {
      Scans[B * Tile + I] = TotalsHere[B];
      TotalsHere[B] += In[B * Tile + I];
    }
  same(Scanned.host(), Scans);
  same(Totals.host(), TotalsHere);

  std::vector<unsigned> Keys(N);
  for (int I = 0; I < N; ++I)
    Keys[I] = static_cast<unsigned>(I) * 2654435761u >> 20;
  suite::Array<unsigned> K(Keys);
  suite::Array<int> V(N);
  sortBlocks<<<Blocks, Threads>>>(K, V);
  std::vector<int> Order(N);
  for (int B = 0; B < Blocks; ++B) {
    std::iota(&Order[B * Tile], &Order[B * Tile] + Tile, 0);
    std::stable_sort(&Order[B * Tile], &Order[B * Tile] + Tile, [&](int L, int R) {
      return Keys[B * Tile + L] < Keys[B * Tile + R];
    });
    std::sort(&Keys[B * Tile], &Keys[B * Tile] + Tile);
  }
  same(K.host(), Keys);
  same(V.host(), Order);

  std::vector<unsigned char> Bytes(Tile);
  for (int I = 0; I < Tile; ++I)
    Bytes[I] = static_cast<unsigned char>((I / 3) * 37);
  suite::Array<unsigned char> C(Bytes);
  suite::Array<int> Counts(256), Heads(Tile);
  countBlocks<<<1, Threads>>>(C, Counts, Heads);
  std::vector<int> CountsHere(256), HeadsHere(Tile);
  for (int I = 0; I < Tile; ++I) {
    ++CountsHere[Bytes[I]];
    HeadsHere[I] = I == 0 || Bytes[I] != Bytes[I - 1];
  }
  same(Counts.host(), CountsHere);
  same(Heads.host(), HeadsHere);

  suite::Array<int> W(Threads + 4);
  warps<<<1, Threads>>>(A, W);
  std::vector<int> WarpsHere(Threads + 4);
  for (int T = 0; T < Threads; ++T) {
    WarpsHere[T] = T % 16 ? WarpsHere[T - 1] + In[T - 1] : 0;
    WarpsHere[Threads + T / 32] += In[T];
  }
  same(W.host(), WarpsHere);
  return suite::finish();
}
