// A prelaunch variant notes when the block starts, its waits over, and, before
// it publishes anything, when it has ended and where. A counted one and workers
// do so too; the kernel and its pdl variant do not.
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o - | FileCheck %s

// CHECK: .entry _Z5scalePffi(
// CHECK-NOT: globaltimer
// CHECK: .entry _Z5scalePffi$bm_pdl(
// CHECK-NOT: globaltimer
// CHECK: ret;
// CHECK: .entry _Z5scalePffi$bm_prelaunch(
// CHECK: griddepcontrol.launch_dependents;
// CHECK: ld.acquire.gpu.u32
// CHECK: bar.sync 0;
// CHECK: mov.u64 %[[START:rd[0-9]+]], %globaltimer;
// CHECK: st.relaxed.gpu.u64 [%{{rd[0-9]+}}], %[[START]];
// CHECK: ld.global.b32
// CHECK: st.global
// CHECK: bar.sync 0;
// CHECK: mov.u32 %{{r[0-9]+}}, %smid;
// CHECK: mov.u64 %[[END:rd[0-9]+]], %globaltimer;
// CHECK: st.relaxed.gpu.u64 [%{{rd[0-9]+}}], %[[END]];
// CHECK: st.relaxed.gpu.u32
// CHECK: fence.acq_rel.gpu;
// CHECK: red.relaxed.gpu.add.u64
__global__ void scale(float *a, float f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] *= f;
}

// CHECK: .entry _Z6roundsPiPKii$bm_prelaunch(
// CHECK: st.relaxed.gpu.u64
// CHECK: atom.acq_rel.cta.shared.add.u32
// CHECK: mov.u32 %{{r[0-9]+}}, %smid;
// CHECK: fence.acq_rel.gpu;
#include "Inputs/rounds.h"

// CHECK: .entry bm_persistent_
// CHECK: st.relaxed.gpu.u64
// CHECK: mov.u32 %{{r[0-9]+}}, %smid;
// CHECK: st.relaxed.gpu.u64
// CHECK: fence.acq_rel.gpu;
