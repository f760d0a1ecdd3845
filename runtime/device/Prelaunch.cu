// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a prelaunch variant does before and after the kernel's own code.
//
// The launch behind this one is admitted once every block of this one has
// executed launch_dependents (or has exited). So a block that waits, waits for
// blocks that already hold their place on the machine: no deadlock. The gate
// block triggers only after the launch `Window` back has completed; with that,
// a launch's own relations cover everything that can still be running when its
// blocks start. The last block does not exit before the launch in front of
// this one has completed, so launches complete in order, and whatever follows
// in the stream without the programmatic attribute sees all of them.

#include "Wait.h"

namespace blockmaestro {

BM_DEVICE uint32_t blockNumber() {
  return (__nvvm_read_ptx_sreg_ctaid_z() * __nvvm_read_ptx_sreg_nctaid_y() +
          __nvvm_read_ptx_sreg_ctaid_y()) *
             __nvvm_read_ptx_sreg_nctaid_x() +
         __nvvm_read_ptx_sreg_ctaid_x();
}

BM_DEVICE uint32_t blockCount() {
  return __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_nctaid_y() *
         __nvvm_read_ptx_sreg_nctaid_z();
}

BM_DEVICE void admitNextLaunch() {
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

BM_DEVICE void awaitPreviousLaunch() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}

BM_DEVICE Waiter waiterOf(const Gate &G, uint32_t Thread) {
  uint32_t Threads = threadCount();
  return {G.Stuck,
          G.Launch,
          {int32_t(__nvvm_read_ptx_sreg_ctaid_x()),
           int32_t(__nvvm_read_ptx_sreg_ctaid_y()),
           int32_t(__nvvm_read_ptx_sreg_ctaid_z())},
          blockNumber(),
          Thread,
          Threads < WarpSize ? Threads : WarpSize,
          0,
          0};
}

} // namespace blockmaestro

using namespace blockmaestro;

/// Before the body: admit the next launch, then wait for the block's producers.
extern "C" __attribute__((device)) void __bm_prelaunch_enter(const Gate *G) {
  uint32_t Thread = threadNumber();
  if (G->Window.Counter && blockNumber() == 0) {
    if (Thread == 0)
      awaitCount(G->Window, waiterOf(*G, Thread));
    blockBarrier();
  }
  admitNextLaunch();
  if (blockNumber() >= G->FirstLate) {
    awaitPreviousLaunch();
    return;
  }
  if (G->PieceCount + G->CountCount == 0) {
    if (Thread == 0)
      lookAfresh();
  } else if (Thread < WarpSize) {
    awaitAll(G->Pieces, G->PieceCount, G->Counts, G->CountCount,
             waiterOf(*G, Thread));
  }
  blockBarrier();
}

/// After the body: publish, and keep launches completing in order.
extern "C" __attribute__((device)) void __bm_prelaunch_leave(const Gate *G) {
  blockBarrier();
  if (threadNumber() != 0)
    return;
  uint32_t Block = blockNumber();
  publish(G->Done + Block, G->Epoch, G->Counter);
  if (Block == blockCount() - 1)
    awaitPreviousLaunch();
}
