// A prelaunch variant admits the next launch, waits for its producers, runs the
// kernel's code and publishes that it is done; every return goes that way.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s

// CHECK: .entry _Z5scalePffi$bm_prelaunch(
// CHECK: griddepcontrol.launch_dependents;
// CHECK-NOT: ld.global.b32
// CHECK: ld.acquire.gpu.u32
// CHECK: bar.sync 0;
// CHECK: ld.global.b32
// CHECK: st.global
// CHECK: bar.sync 0;
// CHECK: fence.acq_rel.gpu;
// CHECK-NEXT: st.relaxed.gpu.u32
// CHECK-NEXT: red.relaxed.gpu.add.u64
// CHECK: griddepcontrol.wait;
// CHECK: ret;

__global__ void scale(float *a, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] *= f;
}
