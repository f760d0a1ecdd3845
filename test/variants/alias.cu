// What a variant calls by an alias is the variant's own copy of the function,
// without loads that may be stale.
// RUN: %bmclangxx -O1 -fblockmaestro -fgpu-rdc -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s --check-prefix=RECORD
// RUN: %bmclangxx -O1 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s

extern "C" {
__device__ __noinline__ int load(const int *p) { return __ldg(p); }
__device__ int alias(const int *p) __attribute__((alias("load")));
}

// RECORD: prelaunch: _Z4copyPKiPi$bm_prelaunch
// RECORD-NEXT: persistent case: 0
// CHECK: .func {{.*}}load$bm_overlapped(
// CHECK-NOT: ld.global.nc
// CHECK: .entry _Z4copyPKiPi$bm_prelaunch(
// CHECK: load$bm_overlapped,
__global__ void copy(const int *in, int *out) {
  out[threadIdx.x] = alias(in + threadIdx.x);
}
