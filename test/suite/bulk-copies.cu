// Feature: bulk copies: cp.async.bulk between global and shared memory and between blocks of a cluster, with mbarriers that count bytes, groups, reductions and multicast, in assembly and through libcu++.

#ifndef _CG_CLUSTER_INTRINSICS_AVAILABLE
#define _CG_CLUSTER_INTRINSICS_AVAILABLE // clang has them and does not say so.
#endif
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>

#include "Inputs/suite.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ uint32_t at(const void *Pointer) {
  return uint32_t(__cvta_generic_to_shared(Pointer));
}
__device__ void make(uint64_t *Bar, unsigned Count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(Bar)),
               "r"(Count)
               : "memory");
}
__device__ void arriveExpecting(uint64_t *Bar, unsigned Bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(Bar)),
      "r"(Bytes)
      : "memory");
}
__device__ void waitFor(uint64_t *Bar, unsigned Parity) {
  asm volatile("{\n.reg .pred p;\n"
               "again:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
               "@p bra done;\n"
               "bra again;\n"
               "done:\n}" ::"r"(at(Bar)),
               "r"(Parity)
               : "memory");
}
__device__ void copyIn(void *To, const void *From, unsigned Bytes,
                       uint64_t *Bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(at(To)),
               "l"(From), "r"(Bytes), "r"(at(Bar))
               : "memory");
}
__device__ void copyOut(void *To, const void *From, unsigned Bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(To),
      "r"(at(From)), "r"(Bytes)
      : "memory");
}

// A pipeline of two stages: tiles come in and go out doubled.
constexpr int Tile = 256, Stages = 2;
__global__ void pipeline(const int *In, int *Out, int Tiles) {
  __shared__ __align__(128) int Data[Stages][Tile];
  __shared__ __align__(128) int Results[Tile];
  __shared__ uint64_t Full[Stages];
  int T = threadIdx.x;
  if (T == 0) {
    for (uint64_t &Each : Full)
      make(&Each, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  auto Start = [&](int I) {
    uint64_t *Bar = &Full[I % Stages];
    arriveExpecting(Bar, Tile * sizeof(int));
    copyIn(Data[I % Stages], In + (blockIdx.x * Tiles + I) * Tile,
           Tile * sizeof(int), Bar);
  };
  if (T == 0)
    for (int I = 0; I < Stages && I < Tiles; ++I)
      Start(I);
  for (int I = 0; I < Tiles; ++I) {
    waitFor(&Full[I % Stages], I / Stages % 2);
    if (T == 0)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    for (int J = T; J < Tile; J += blockDim.x)
      Results[J] = 2 * Data[I % Stages][J];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (T == 0) {
      copyOut(Out + (blockIdx.x * Tiles + I) * Tile, Results,
              Tile * sizeof(int));
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      if (I + Stages < Tiles)
        Start(I + Stages);
    }
  }
  if (T == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Barriers whose bytes are told by the program itself.
__global__ void transactions(unsigned *Out) {
  __shared__ uint64_t Bar;
  unsigned T = threadIdx.x;
  if (T == 0)
    make(&Bar, blockDim.x);
  __syncthreads();
  uint64_t Token, Other;
  if (T == 0) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 48;" ::"r"(
                     at(&Bar))
                 : "memory");
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(Token)
                 : "r"(at(&Bar))
                 : "memory");
  } else {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, "
                 "[%1], 16;"
                 : "=l"(Token)
                 : "r"(at(&Bar))
                 : "memory");
  }
  __syncthreads();
  auto IsOver = [&](uint64_t Of) {
    unsigned Over;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(Over)
                 : "r"(at(&Bar)), "l"(Of)
                 : "memory");
    return Over;
  };
  Out[T * 4] = IsOver(Token); // All are there, but no byte is.
  __syncthreads();
  unsigned Bytes = T == 0 ? 48 : 16;
  if (T != 1)
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 "
                 "[%0], %1;" ::"r"(at(&Bar)),
                 "r"(Bytes)
                 : "memory");
  __syncthreads();
  Out[T * 4 + 1] = IsOver(Token); // 16 bytes are missing.
  __syncthreads();
  if (T == 1)
    asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 "
                 "[%0], %1;" ::"r"(at(&Bar)),
                 "r"(Bytes)
                 : "memory");
  __syncthreads();
  Out[T * 4 + 2] = IsOver(Token);
  // The next phase waits for arrivals again, of one thread fewer.
  if (T == 0)
    asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1];"
                 : "=l"(Other)
                 : "r"(at(&Bar))
                 : "memory");
  else
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(Other)
                 : "r"(at(&Bar))
                 : "memory");
  __syncthreads();
  unsigned Second = IsOver(Other), Third = 1;
  __syncthreads();
  if (T != 0) {
    uint64_t Last;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
                 : "=l"(Last)
                 : "r"(at(&Bar))
                 : "memory");
    __syncwarp(~1u);
    Third = IsOver(Last);
  }
  Out[T * 4 + 3] = Second && Third;
}

// Sums, bits and extrema that a copy makes in global memory.
__global__ void reductions(int *Sums, unsigned *Bits, unsigned long long *Most) {
  __shared__ __align__(16) int Ints[64];
  __shared__ __align__(16) unsigned Words[64];
  __shared__ __align__(16) unsigned long long Longs[64];
  int T = threadIdx.x;
  Ints[T] = T + int(blockIdx.x);
  Words[T] = 1u << blockIdx.x;
  Longs[T] = (blockIdx.x * 7 + T) % 13;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (T == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 "
                 "[%0], [%1], 256;" ::"l"(Sums),
                 "r"(at(Ints))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 "
                 "[%0], [%1], 256;" ::"l"(Bits),
                 "r"(at(Words))
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 "
                 "[%0], [%1], 512;" ::"l"(Most),
                 "r"(at(Longs))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;" ::
                     : "memory");
  }
}

// A cluster: the first block sends a tile to all, each sends one to the next,
// and single words with st.async; the barriers are of those that receive.
__global__ void cluster(const int *In, int *Out) {
  __shared__ __align__(128) int Shared[64], Sent[64], Words[4];
  __shared__ uint64_t Bar;
  cg::cluster_group Cluster = cg::this_cluster();
  unsigned Rank = Cluster.block_rank(), Count = Cluster.num_blocks();
  unsigned Next = (Rank + 1) % Count;
  int T = threadIdx.x;
  for (int I = T; I < 64; I += 32)
    Sent[I] = -1;
  __shared__ __align__(128) int Own[64];
  for (int I = T; I < 64; I += 32)
    Own[I] = int(blockIdx.x) * 100 + I;
  if (T == 0) {
    make(&Bar, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    arriveExpecting(&Bar, 256 + 256 + 8);
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  Cluster.sync();
  if (T == 0) {
    uint32_t ThereData, ThereBar, ThereWord;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(ThereData)
        : "r"(at(Sent)), "r"(Next));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(ThereBar)
        : "r"(at(&Bar)), "r"(Next));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(ThereWord)
        : "r"(at(Words)), "r"(Next));
    asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_"
                 "tx::bytes [%0], [%1], 256, [%2];" ::"r"(ThereData),
                 "r"(at(Own)), "r"(ThereBar)
                 : "memory");
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes."
                 "v2.s32 [%0], {%1, %2}, [%3];" ::"r"(ThereWord),
                 "r"(Rank + 10), "r"(Rank + 20), "r"(ThereBar)
                 : "memory");
    if (Rank == 0)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx:"
                   ":bytes.multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(
                       at(Shared)),
                   "l"(In), "r"(at(&Bar)),
                   "h"(static_cast<unsigned short>((1u << Count) - 1))
                   : "memory");
  }
  waitFor(&Bar, 0);
  for (int I = T; I < 64; I += 32) {
    Out[(blockIdx.x * 64 + I) * 3] = Shared[I];
    Out[(blockIdx.x * 64 + I) * 3 + 1] = Sent[I];
    Out[(blockIdx.x * 64 + I) * 3 + 2] = Words[I % 2];
  }
  Cluster.sync();
}

// libcu++'s ways to the same.
__global__ void library(const int *In, int *Out, int Size) {
  __shared__ __align__(128) int Data[512];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ __align__(8) char Storage[2 * sizeof(Barrier)];
  Barrier *Bars = reinterpret_cast<Barrier *>(Storage);
  int T = threadIdx.x;
  if (T == 0) {
    init(&Bars[0], blockDim.x);
    init(&Bars[1], blockDim.x);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  Barrier::arrival_token Token;
  if (T == 0) {
    cuda::device::memcpy_async_tx(Data, In, cuda::aligned_size_t<16>(Size * 2),
                                  Bars[0]);
    Token = cuda::device::barrier_arrive_tx(Bars[0], 1, Size * 2);
  } else {
    Token = Bars[0].arrive();
  }
  Bars[0].wait(std::move(Token));
  uint64_t State;
  if (T == 0) {
    uint64_t *Handle = cuda::device::barrier_native_handle(Bars[1]);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, Data + Size / 2,
                       In + Size / 2, Size * 2, Handle);
    State = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                           ptx::space_shared, Handle, Size * 2);
  } else {
    State = ptx::mbarrier_arrive(cuda::device::barrier_native_handle(Bars[1]));
  }
  while (!ptx::mbarrier_try_wait(cuda::device::barrier_native_handle(Bars[1]),
                                 State))
    ;
  for (int I = T; I < Size; I += blockDim.x)
    Data[I] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (T == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, Out, Data,
                       Size * 4);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

std::vector<int> numbers(int Count) {
  std::vector<int> All;
  for (int I = 0; I < Count; ++I)
    All.push_back(I * 7919 % 10007);
  return All;
}

void testPipeline() {
  constexpr int Blocks = 3, Tiles = 5;
  std::vector<int> Numbers = numbers(Blocks * Tiles * Tile), Right = Numbers;
  for (int &Each : Right)
    Each *= 2;
  suite::Array<int> In(Numbers), Out(Numbers.size());
  pipeline<<<Blocks, 64>>>(In, Out, Tiles);
  same(Out.host(), Right);
  suite::Array<int> Copied(512);
  library<<<1, 64>>>(In, Copied, 512);
  Right = std::vector<int>(Numbers.begin(), Numbers.begin() + 512);
  for (int &Each : Right)
    ++Each;
  same(Copied.host(), Right);
}

void testTransactions() {
  suite::Array<unsigned> Out(32 * 4);
  transactions<<<1, 32>>>(Out);
  std::vector<unsigned> Right;
  for (int T = 0; T < 32; ++T)
    for (unsigned Over : {0, 0, 1, 1})
      Right.push_back(Over);
  same(Out.host(), Right);
}

void testReductions() {
  constexpr int Blocks = 6;
  suite::Array<int> Sums(64);
  suite::Array<unsigned> Bits(64);
  suite::Array<unsigned long long> Most(64);
  reductions<<<Blocks, 64>>>(Sums, Bits, Most);
  std::vector<int> Right;
  std::vector<unsigned long long> Greatest(64);
  for (int T = 0; T < 64; ++T) {
    Right.push_back(Blocks * T + Blocks * (Blocks - 1) / 2);
    for (int B = 0; B < Blocks; ++B)
      if (Greatest[T] < (unsigned long long)(B * 7 + T) % 13)
        Greatest[T] = (B * 7 + T) % 13;
  }
  same(Sums.host(), Right);
  same(Bits.host(), std::vector<unsigned>(64, (1u << Blocks) - 1));
  same(Most.host(), Greatest);
}

void testCluster() {
  constexpr int Blocks = 8, Count = 4;
  std::vector<int> Numbers = numbers(64), Right;
  suite::Array<int> In(Numbers), Out(Blocks * 64 * 3);
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {Count, 1, 1};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Blocks;
  Config.blockDim = 32;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  check(cudaLaunchKernelEx(&Config, cluster, (const int *)In.get(), Out.get()));
  for (int B = 0; B < Blocks; ++B)
    for (int I = 0; I < 64; ++I) {
      int Before = B / Count * Count + (B + Count - 1) % Count;
      Right.push_back(Numbers[I]);
      Right.push_back(Before * 100 + I);
      Right.push_back(Before % Count + (I % 2 ? 20 : 10));
    }
  same(Out.host(), Right);
}

int main() {
  testPipeline();
  testTransactions();
  testReductions();
  testCluster();
  return suite::finish();
}
