// A pdl variant waits for the launch in front before it touches any memory, and
// that alone: also where the kernel's loads could be served early, where threads
// exit in the middle, print, or wait for other blocks.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s
// RUN: %bmclangxx -O0 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s

#include <cstdio>

// CHECK: .entry _Z5scalePfPKfi$bm_pdl(
// CHECK-NOT: ld.global
// CHECK: griddepcontrol.wait;
// CHECK-NOT: griddepcontrol
// CHECK-NOT: ld.global.nc
// CHECK: ret;
__global__ void scale(float *a, const float *__restrict__ f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] *= f[0];
}

// CHECK: .entry _Z5leavePi$bm_pdl(
// CHECK: griddepcontrol.wait;
// CHECK: exit;
__global__ void leave(int *a) {
  if (a[threadIdx.x] == 0)
    asm volatile("exit;");
  a[threadIdx.x] = 1;
}

// CHECK: .entry _Z3sayPi$bm_pdl(
// CHECK: griddepcontrol.wait;
// CHECK: vprintf
__global__ void say(int *a) { printf("%d\n", a[0]); }

// CHECK: .entry _Z5awaitPVi$bm_pdl(
// CHECK: griddepcontrol.wait;
// CHECK: ld.volatile
__global__ void await(volatile int *a) {
  while (a[blockIdx.x] == 0)
    ;
}

// Only a reason that holds for the copy of the kernel leaves none.
// CHECK-NOT: _Z5staleiPKi$bm_pdl
__global__ void stale(int a, const int *b) {
  asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(a) : "l"(b));
}
