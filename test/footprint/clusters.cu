// Shared memory of other blocks of a cluster is no global memory, and what bulk copies and tensor cores read and write there is not missed.
// RUN: %bmclangxx -O1 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

#include <cooperative_groups.h>
#include <mma.h>
namespace cg = cooperative_groups;
using namespace nvcuda;

// CHECK-LABEL: kernel neighbour{{.*}}
// CHECK-NEXT: shared 128 bytes
// CHECK-NEXT: cluster
// CHECK-NOT: anywhere
// CHECK: read exact { [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] }
// CHECK-NOT: anywhere
// CHECK: 2 accesses: 2 exact
__global__ void __cluster_dims__(2) neighbour(const int *in, int *out) {
  __shared__ int v[32];
  cg::cluster_group c = cg::this_cluster();
  int *there = c.map_shared_rank(v, c.block_rank() ^ 1);
  there[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  c.sync();
  atomicAdd(there + threadIdx.x, 1);
  c.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = v[threadIdx.x];
}

// CHECK-LABEL: kernel bulk{{.*}}
// CHECK-DAG: read exact { [bx] -> arg0[256*bx + 0..255] }
// CHECK-DAG: read exact { [bx] -> arg1[0..127] }
// CHECK-DAG: write exact { [bx] -> arg2[256*bx + 0..255] }
// CHECK: 3 accesses: 3 exact
__global__ void bulk(const char *in, const char *all, char *out) {
  __shared__ __align__(16) char v[384];
  __shared__ unsigned long long bar;
  unsigned to = unsigned(__cvta_generic_to_shared(v));
  unsigned signal = unsigned(__cvta_generic_to_shared(&bar));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(to), "l"(in + blockIdx.x * 256), "r"(signal) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;" ::"r"(to + 256), "l"(all), "r"(signal), "h"((unsigned short)3) : "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + blockIdx.x * 256), "r"(to) : "memory");
}

// A copy of as many bytes as an argument says ends where it says.
// CHECK-LABEL: kernel sized{{.*}}
// CHECK: read {{.*}}arg0[
// CHECK-NOT: anywhere
__global__ void sized(const char *in, unsigned bytes) {
  __shared__ __align__(16) char v[1024];
  __shared__ unsigned long long bar;
  unsigned to = unsigned(__cvta_generic_to_shared(v));
  unsigned signal = unsigned(__cvta_generic_to_shared(&bar));
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(in), "r"(bytes), "r"(signal) : "memory");
}

// A generic address that assembly has made may be anything.
// CHECK-LABEL: kernel generic{{.*}}
// CHECK: anywhere
__global__ void generic(int *a) {
  __shared__ int v[32];
  asm volatile("{ .reg .u64 p; mapa.u64 p, %0, 0; st.u32 [p], 1; }" ::"l"(v) : "memory");
  a[threadIdx.x] = v[threadIdx.x];
}

// CHECK-LABEL: kernel tiles{{.*}}
// CHECK-DAG: read {{.*}} -> arg0[
// CHECK-DAG: write {{.*}} -> arg1[
// CHECK-NOT: anywhere
// CHECK: 2 accesses: 2 exact
__global__ void tiles(const half *a, float *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a + blockIdx.x * 256, 16);
  wmma::fill_fragment(right, __float2half(1.0f));
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + blockIdx.x * 256, sum, 16, wmma::mem_row_major);
}
