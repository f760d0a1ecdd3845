// What a prelaunch variant does around the kernel's code has loops that are not
// in each other, and calls nothing: the assembler then gives it the registers
// that it gives the kernel. Polls in vain look at the report, the host's memory,
// each 4,096th time only.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s

// CHECK: .entry _Z5scalePffi$bm_prelaunch(
// CHECK-NOT: {{Depth=2|call}}
// CHECK: ld.acquire.gpu.u64
// CHECK-NOT: {{Depth=2|call}}
// CHECK: ld.acquire.gpu.u32
// CHECK-NOT: {{Depth=2|call|ld.global}}
// CHECK: and.b32 %r{{[0-9]+}}, %r{{[0-9]+}}, 4095;
// CHECK-NOT: {{Depth=2|call}}
// CHECK: st.global
// CHECK-NOT: {{Depth=2|call}}
// CHECK: ret;
__global__ void scale(float *a, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] *= f;
}
