// A timed variant is its kernel as it was optimised, loads that may be stale
// among it, and one thread's notes of when the block starts, where, and when it
// has ended. It waits for no launch and publishes nothing. Threads that must
// really leave are counted.
// RUN: %bmclangxx -O3 -fblockmaestro -c %s -o %t.o
// RUN: %bm-dump metadata %t.o | FileCheck %s --check-prefix=RECORD
// RUN: %bmclangxx -O3 -fblockmaestro --cuda-device-only -S %s -o %t.ptx
// RUN: sed -n '/entry _Z5scalePfPKfi$bm_timed(/,/^}/p' %t.ptx | FileCheck %s --check-prefixes=NOTES,SCALE
// RUN: sed -n '/entry _Z6roundsPiPKii$bm_timed(/,/^}/p' %t.ptx | FileCheck %s --check-prefixes=NOTES,ROUNDS
// RUN: %bmclangxx -O0 -fblockmaestro --cuda-device-only -S %s -o %t.0.ptx
// RUN: sed -n '/entry _Z6roundsPiPKii$bm_timed(/,/^}/p' %t.0.ptx | FileCheck %s --check-prefixes=ROUNDS

// NOTES-NOT: {{griddepcontrol|acquire|fence|call|bar.sync}}
// NOTES: setp.ne.b32
// NOTES: mov.u64 %[[START:rd[0-9]+]], %globaltimer;
// NOTES: st.relaxed.gpu.global.u64 [%[[AT:rd[0-9]+]]], %[[START]];
// NOTES: mov.u32 %{{r[0-9]+}}, %smid;
// NOTES: st.relaxed.gpu.global.u32

// SCALE-NOT: {{griddepcontrol|acquire|fence|call|bar.sync}}
// SCALE: ld.global.nc.b32
// SCALE: st.global.b32
// SCALE-NOT: {{griddepcontrol|acquire|fence|call}}
// SCALE: bar.sync 0;
// SCALE-NOT: {{griddepcontrol|acquire|fence|call|bar.sync}}
// SCALE: mov.u64 %[[END:rd[0-9]+]], %globaltimer;
// SCALE: st.relaxed.gpu.global.u64 [%{{rd[0-9]+}}], %[[END]];
// SCALE-NOT: {{griddepcontrol|acquire|fence|call|st\.}}
// SCALE: ret;
// RECORD: kernel scale(
// RECORD: timed: _Z5scalePfPKfi$bm_timed
__global__ void scale(float *__restrict__ a, const float *__restrict__ b,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = 2 * b[i];
}

// The count is 0 for all before the first one leaves.
// ROUNDS: bar.sync 0;
// ROUNDS: bar.sync 0;
// ROUNDS: activemask.b32
// ROUNDS: atom.acq_rel.cta.shared.add.u32
// ROUNDS: mov.u64 %rd{{[0-9]+}}, %globaltimer;
// ROUNDS: st.relaxed.gpu.global.u64
// RECORD: kernel rounds(
// RECORD: timed: _Z6roundsPiPKii$bm_timed
#include "Inputs/rounds.h"

// None where blocks may wait for each other: it could hold fewer at a time.
// RECORD: kernel waits(
// RECORD-NOT: timed:
// RECORD: no variant: prelaunch and persistent: its blocks may wait for each other
__global__ void waits(unsigned *count) {
  while (atomicAdd(count, 0) < gridDim.x)
    ;
}
