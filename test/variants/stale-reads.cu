// Loads that may be served stale (const __restrict__, __ldg, also in functions
// that are called) are ordinary loads in every variant that may start early, and
// stay what they are in the kernel and its timed variant.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: sed '/entry .*$bm_timed(/,/^}/d' %t.s | FileCheck --check-prefix=VARIANT %s
// RUN: sed -n '/entry _Z3addPKfPf$bm_timed(/,/^}/p' %t.s | FileCheck --check-prefix=TIMED %s

// TIMED-COUNT-2: ld.global.nc

// CHECK: .func {{.*}}_Z5thirdPKf(
// CHECK: ld.global.nc
// CHECK: .entry _Z3addPKfPf(
// CHECK-COUNT-2: ld.global.nc

// VARIANT: .entry {{.*}}$bm_pdl(
// VARIANT-NOT: ld.global.nc
// VARIANT: .entry {{.*}}$bm_prelaunch(
// VARIANT-NOT: ld.global.nc
// VARIANT: .entry bm_persistent_
// VARIANT-NOT: ld.global.nc

__device__ __noinline__ float third(const float *p) { return __ldg(p + 2); }

__global__ void add(const float *__restrict__ a, float *__restrict__ b) {
  int i = threadIdx.x;
  b[i] = a[i] + __ldg(a + 1 + i) + third(a);
}
