// Feature: clusters: Blocks of a cluster, as a launch attribute has them: where they are, barriers of all their threads, and shared memory of each other read, written and changed by atomics, in CUDA C++ and in assembly.

#ifndef _CG_CLUSTER_INTRINSICS_AVAILABLE
#define _CG_CLUSTER_INTRINSICS_AVAILABLE // clang has them and does not say so.
#endif
#include <cooperative_groups.h>

#include "Inputs/suite.h"

namespace cg = cooperative_groups;

template <typename... Parameters, typename... Arguments>
cudaError_t launch(void (*Kernel)(Parameters...), dim3 Grid, dim3 Block,
                   dim3 Cluster, size_t Bytes, Arguments... Given) {
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {Cluster.x, Cluster.y, Cluster.z};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = Grid;
  Config.blockDim = Block;
  Config.dynamicSmemBytes = Bytes;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  return cudaLaunchKernelEx(&Config, Kernel, Parameters(Given)...);
}

// Where each block says it is.
constexpr int Facts = 20;
__global__ void places(unsigned *Out) {
  cg::cluster_group Cluster = cg::this_cluster();
  unsigned Block =
      (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned *O = Out + Block * Facts;
  O[0] = Cluster.block_rank();
  O[1] = Cluster.num_blocks();
  O[2] = Cluster.block_index().x;
  O[3] = Cluster.block_index().y;
  O[4] = Cluster.block_index().z;
  O[5] = Cluster.dim_blocks().x;
  O[6] = Cluster.dim_blocks().y;
  O[7] = Cluster.dim_blocks().z;
  O[8] = Cluster.num_threads();
  O[9] = Cluster.thread_rank();
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(O[10]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(O[11]));
  asm("mov.u32 %0, %%clusterid.z;" : "=r"(O[12]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(O[13]));
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(O[14]));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(O[15]));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(O[16]));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(O[17]));
  O[18] = Cluster.dim_threads().x;
  O[19] = Cluster.thread_index().x;
}

void testPlaces() {
  const dim3 Cases[][2] = {{{8, 1, 1}, {2, 1, 1}}, {{4, 6, 1}, {1, 3, 1}},
                           {{4, 4, 4}, {2, 2, 2}}, {{6, 4, 2}, {3, 2, 1}},
                           {{5, 1, 1}, {1, 1, 1}}, {{8, 2, 1}, {8, 1, 1}}};
  for (auto [G, C] : Cases) {
    unsigned Blocks = G.x * G.y * G.z;
    suite::Array<unsigned> Out(Blocks * Facts);
    check(launch(places, G, 1, C, 0, Out.get()));
    std::vector<unsigned> Right;
    for (unsigned B = 0; B < Blocks; ++B) {
      unsigned X = B % G.x, Y = B / G.x % G.y, Z = B / G.x / G.y;
      unsigned Rank = (Z % C.z * C.y + Y % C.y) * C.x + X % C.x;
      unsigned Count = C.x * C.y * C.z;
      for (unsigned Fact :
           {Rank, Count, X % C.x, Y % C.y, Z % C.z, C.x, C.y, C.z, Count, Rank,
            X / C.x, Y / C.y, Z / C.z, G.x / C.x, Rank, Count, Y % C.y, C.x,
            C.x, X % C.x})
        Right.push_back(Fact);
    }
    same(Out.host(), Right);
  }
}

// Every block writes into the next one's memory, adds into all, and reads back.
__global__ void exchange(int *Out) {
  __shared__ int Static[64];
  extern __shared__ int Dynamic[];
  __shared__ int Sum;
  cg::cluster_group Cluster = cg::this_cluster();
  unsigned Rank = Cluster.block_rank(), Count = Cluster.num_blocks();
  int T = threadIdx.x;
  Static[T] = Dynamic[T] = -1;
  if (T == 0)
    Sum = 0;
  Cluster.sync();
  int *Next = Cluster.map_shared_rank(Static, (Rank + 1) % Count);
  Next[T] = int(blockIdx.x) * 1000 + T;
  Cluster.map_shared_rank(Dynamic, (Rank + Count - 1) % Count)[63 - T] =
      int(blockIdx.x) * 2000 + T;
  for (unsigned R = 0; R < Count; ++R)
    atomicAdd(Cluster.map_shared_rank(&Sum, R), T + int(Rank));
  Cluster.sync();
  int *O = Out + (blockIdx.x * 64 + T) * 4;
  O[0] = Static[T];
  O[1] = Dynamic[T];
  O[2] = Sum;
  O[3] = Cluster.query_shared_rank(Next) == (Rank + 1) % Count &&
         Cluster.query_shared_rank(Static) == Rank;
  Cluster.sync(); // Others may still read this block's memory.
}

void testExchange() {
  for (unsigned Count : {1, 2, 4, 8}) {
    unsigned Blocks = 16;
    suite::Array<int> Out(Blocks * 64 * 4);
    check(launch(exchange, Blocks, 64, Count, 64 * sizeof(int), Out.get()));
    std::vector<int> Right;
    for (unsigned B = 0; B < Blocks; ++B)
      for (int T = 0; T < 64; ++T) {
        int First = int(B / Count * Count), Rank = int(B) - First;
        int Before = First + (Rank + int(Count) - 1) % int(Count);
        int After = First + (Rank + 1) % int(Count);
        int Ranks = int(Count * (Count - 1) / 2);
        for (int X : {Before * 1000 + T, After * 2000 + 63 - T,
                      int(Count) * (63 * 64 / 2) + 64 * Ranks, 1})
          Right.push_back(X);
      }
    same(Out.host(), Right);
  }
}

// The same in assembly: 32-bit addresses of the cluster, generic ones, and the
// two halves of the barrier with work between them.
__global__ void assembly(unsigned *Out) {
  __shared__ unsigned Words[32];
  __shared__ unsigned long long Wide;
  unsigned T = threadIdx.x, Rank, Count;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(Rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(Count));
  Words[T] = 100 * Rank + T;
  if (T == 0)
    Wide = 0;
  asm volatile("barrier.cluster.arrive.release.aligned;\n"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  unsigned Here = unsigned(__cvta_generic_to_shared(&Words[T])), There, Got, Old;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(There)
      : "r"(Here), "r"((Rank + 1) % Count));
  asm volatile("ld.shared::cluster.u32 %0, [%1];"
               : "=r"(Got)
               : "r"(There)
               : "memory");
  unsigned Which;
  asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(Which) : "r"(There));
  unsigned long long WideThere;
  asm("mapa.u64 %0, %1, %2;" : "=l"(WideThere) : "l"(&Wide), "r"(0));
  asm volatile("red.add.u64 [%0], %1;" ::"l"(WideThere), "l"(1ull << 20 | T)
               : "memory");
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  unsigned Between = T * T;
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  asm volatile("atom.shared::cluster.add.u32 %0, [%1], %2;"
               : "=r"(Old)
               : "r"(There), "r"(7)
               : "memory");
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(There), "r"(Got + Which)
               : "memory");
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  unsigned IsShared, IsClusters;
  asm("{\n.reg .pred p;\nisspacep.shared::cta p, %1;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(IsShared)
      : "l"(WideThere));
  asm("{\n.reg .pred p;\nisspacep.shared::cluster p, %1;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(IsClusters)
      : "l"(WideThere));
  unsigned *O = Out + (blockIdx.x * 32 + T) * 7;
  O[0] = Got;
  O[1] = Which;
  O[2] = Between;
  O[3] = Old;
  O[4] = Words[T];
  O[5] = IsShared + 2 * IsClusters;
  O[6] = Rank == 0 ? unsigned(Wide >> 20) + unsigned(Wide & 0xfffff) : 0;
}

void testAssembly() {
  unsigned Blocks = 8, Count = 4;
  suite::Array<unsigned> Out(Blocks * 32 * 7);
  check(launch(assembly, Blocks, 32, Count, 0, Out.get()));
  std::vector<unsigned> Right;
  for (unsigned B = 0; B < Blocks; ++B)
    for (unsigned T = 0; T < 32; ++T) {
      unsigned Rank = B % Count, Next = (Rank + 1) % Count;
      unsigned Got = 100 * Next + T;
      // What the block before has stored: what it got here, and this rank.
      unsigned Stored = 100 * Rank + T + Rank;
      unsigned Sum = Rank == 0 ? Count * 32 + Count * 31 * 16 : 0;
      for (unsigned X : {Got, Next, T * T, Got, Stored,
                         (Rank == 0 ? 1u : 0u) + 2u, Sum})
        Right.push_back(X);
    }
  same(Out.host(), Right);
}

// A histogram whose bins lie in all blocks of the cluster. Some threads return
// before the others meet for the last time.
constexpr int Bins = 256;
__global__ void histogram(const int *In, int Size, int *Out) {
  extern __shared__ int Own[];
  cg::cluster_group Cluster = cg::this_cluster();
  int Each = Bins / int(Cluster.num_blocks());
  for (int I = threadIdx.x; I < Each; I += blockDim.x)
    Own[I] = 0;
  Cluster.sync();
  for (int I = blockIdx.x * blockDim.x + threadIdx.x; I < Size;
       I += gridDim.x * blockDim.x) {
    int Bin = In[I];
    atomicAdd(Cluster.map_shared_rank(Own, Bin / Each) + Bin % Each, 1);
  }
  Cluster.sync();
  if (threadIdx.x >= 32)
    return;
  for (int I = threadIdx.x; I < Each; I += 32)
    atomicAdd(&Out[Cluster.block_rank() * Each + I], Own[I]);
  Cluster.sync();
}

void testHistogram() {
  constexpr int Size = 20000;
  std::vector<int> Numbers, Right(Bins);
  unsigned Seed = 5;
  for (int I = 0; I < Size; ++I) {
    Seed = Seed * 1664525 + 1013904223;
    Numbers.push_back(int(Seed >> 24));
    ++Right[Numbers.back()];
  }
  suite::Array<int> In(Numbers), Out(Bins), Again(Bins);
  check(launch(histogram, 8, 96, 4, Bins / 4 * sizeof(int), In.get(), Size,
               Out.get()));
  same(Out.host(), Right);

  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Exec;
  check(cudaStreamCreate(&Stream));
  check(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal));
  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {2, 1, 1};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 4;
  Config.blockDim = 96;
  Config.dynamicSmemBytes = Bins / 2 * sizeof(int);
  Config.stream = Stream;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  check(cudaLaunchKernelEx(&Config, histogram, (const int *)In.get(), Size,
                           Again.get()));
  check(cudaStreamEndCapture(Stream, &Graph));
  check(cudaGraphInstantiate(&Exec, Graph, 0));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaGraphLaunch(Exec, Stream));
  check(cudaStreamSynchronize(Stream));
  for (int &Bin : Right)
    Bin *= 2;
  same(Again.host(), Right);
  check(cudaGraphExecDestroy(Exec));
  check(cudaGraphDestroy(Graph));
  check(cudaStreamDestroy(Stream));
}

// What CUDA does not launch; and how many clusters there may be.
__global__ void mark(int *Out) { atomicAdd(Out, 1); }

void testLimits() {
  suite::Array<int> Out(1);
  expect(launch(mark, 6, 32, 4, 0, Out.get()) != cudaSuccess);
  expect(launch(mark, dim3(4, 3), 32, dim3(2, 2), 0, Out.get()) !=
         cudaSuccess);
  expect(launch(mark, 32, 32, 32, 0, Out.get()) != cudaSuccess);
  cudaGetLastError();
  check(launch(mark, dim3(4, 2), 32, dim3(2, 2), 0, Out.get()));
  same(Out.host(), std::vector<int>{8 * 32});

  cudaLaunchAttribute Attribute = {};
  Attribute.id = cudaLaunchAttributeClusterDimension;
  Attribute.val.clusterDim = {4, 1, 1};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = 64;
  Config.blockDim = 128;
  Config.attrs = &Attribute;
  Config.numAttrs = 1;
  int Clusters = 0, Most = 0;
  check(cudaOccupancyMaxActiveClusters(&Clusters, exchange, &Config));
  expect(Clusters > 0);
  Config.numAttrs = 0;
  check(cudaOccupancyMaxPotentialClusterSize(&Most, exchange, &Config));
  expect(Most >= 8);
}

int main() {
  testPlaces();
  testExchange();
  testAssembly();
  testHistogram();
  testLimits();
  return suite::finish();
}
