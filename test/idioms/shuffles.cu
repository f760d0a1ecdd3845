// Warp shuffles, votes and reductions: no access of their own.
// RUN: %footprints -O0 -emit-llvm %s | FileCheck %s
// RUN: %footprints -O3 %s | FileCheck %s

// CHECK-LABEL: kernel warpSums
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 4*bx*Dx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[32*bx + 4*floor(tx/32) + 0..3] : tx = 32*floor(tx/32) }
// CHECK-NOT: unknown
__global__ void warpSums(float *sums, const float *in) {
  float value = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int delta = 16; delta > 0; delta >>= 1)
    value += __shfl_down_sync(0xffffffff, value, delta);
  if ((threadIdx.x & 31) == 0)
    sums[blockIdx.x * 8 + (threadIdx.x >> 5)] = value;
}

// CHECK-LABEL: kernel votes
// CHECK-DAG: read exact { [bx] -> arg1[4*tx + 0..3] }
// CHECK-DAG: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK-NOT: unknown
__global__ void votes(unsigned *out, const int *in) {
  unsigned m = __ballot_sync(0xffffffff, in[threadIdx.x] > 0);
  m += __match_any_sync(0xffffffff, m);
  m += __reduce_add_sync(0xffffffff, m);
  out[threadIdx.x] = __all_sync(0xffffffff, m > 1) ? m : __activemask();
}
