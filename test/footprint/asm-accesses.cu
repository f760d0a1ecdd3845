// The memory instructions of inline assembly are accesses like any other; what
// is not understood may touch anything.
// RUN: %bmclangxx -O0 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s
// RUN: %bmclangxx -O3 -fblockmaestro -fblockmaestro-dump=footprints --cuda-device-only -c %s -o %t.o | grep -v "^    at " | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK: kernel vectors
// CHECK: write exact { [bx] -> arg0[4*tx + 8..15] }
// CHECK: read exact { [bx] -> arg1[16*tx + 0..15] }
__global__ void vectors(int *a, const float4 *b) {
  asm volatile("st.global.v2.u32 [%0+8], {%1,%1};" ::"l"(a + threadIdx.x),
               "r"(1)
               : "memory");
  a[0] = __ldcs(b + threadIdx.x).x;
}

// The constraints do not say that this reads memory; the brackets do.
// CHECK: kernel hidden
// CHECK: read exact { [bx] -> arg1[0..3] }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
__global__ void hidden(int *a, const int *b) {
  int value;
  asm("ld.global.nc.u32 %0, [%1];" : "=r"(value) : "l"(b));
  a[threadIdx.x] = value;
}

// CHECK: kernel predicated
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : arg1 >= 1 }
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] : arg1 < 0 }
// CHECK: 2 accesses: 2 exact
__global__ void predicated(int *a, int n) {
  asm volatile("{ .reg .pred p;\n setp.ne.b32 p, %1, 0;\n"
               "  @p st.global.u32 [%0], %1; }" ::"l"(a + threadIdx.x),
               "r"(n)
               : "memory");
}

// CHECK: kernel converted
// CHECK: atomic exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: 1 access:
__global__ void converted(int *a) {
  size_t to = __cvta_generic_to_global(a + threadIdx.x);
  asm volatile("red.global.add.u32 [%0], 1;" ::"l"(to) : "memory");
}

// CHECK: kernel halves
// CHECK: atomic exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: atomic exact { [bx] -> arg1[2*tx + 0..1] }
// CHECK: 2 accesses:
__global__ void halves(__half2 *a, __nv_bfloat16 *b) {
  atomicAdd(a + threadIdx.x, __floats2half2_rn(1, 2));
  atomicAdd(b + threadIdx.x, __float2bfloat16(1));
}

// A copy to shared memory reads; one with a size of its own, at most so much.
// CHECK: kernel staged
// CHECK: read exact { [bx] -> arg0[16*tx + 0..15] }
// CHECK: read bounded { [bx] -> arg0[16*tx + 2048..2063] : arg2 >= 1 }
// CHECK: read bounded { [bx] -> arg0[16*tx + 2048..2063] : arg2 < 0 }
// CHECK: write exact { [bx] -> arg1[16*tx + 0..15] }
// CHECK: 4 accesses:
__global__ void staged(const int4 *a, int4 *b, int n) {
  __shared__ int4 tile[128];
  unsigned to = __cvta_generic_to_shared(tile + threadIdx.x);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to),
               "l"(a + threadIdx.x)
               : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"(to),
               "l"(a + threadIdx.x + 128), "r"(n)
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  b[threadIdx.x] = tile[threadIdx.x];
}

// CHECK: kernel lane
// CHECK-NEXT: inline assembly
// CHECK: write exact { [bx] -> arg0[4*tx + 0..3] }
// CHECK: 1 access:
__global__ void lane(int *a) {
  int value;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  a[threadIdx.x] = value;
}

// CHECK: kernel unclear
// CHECK: read unknown { [bx] -> anywhere }
// CHECK-NEXT: because inline assembly may touch any memory
// CHECK: write unknown { [bx] -> anywhere }
__global__ void unclear(int *a) {
  asm volatile("{ .reg .u64 q;\n not.b64 q, %0;\n st.global.u32 [q], 1; }" ::"l"(
                   a)
               : "memory");
}
