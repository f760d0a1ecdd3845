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
//
// A launch without done-words keeps the order of its stream: as a pdl variant
// does, every thread waits for the launch in front, where that is allowed to
// be running. Such launches note when their blocks run.

#include "Leaving.h"
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

/// Lets the next launch in, once the window allows.
BM_DEVICE void admitNext(const Gate &G, uint32_t Thread) {
  if (G.Window.Counter && blockNumber() == 0) {
    if (Thread == 0)
      awaitCounts(&G.Window, 1, 0, 1, waiterOf(G, Thread));
    blockBarrier();
  }
  admitNextLaunch();
}

/// Waits for the block's producers, with the first warp.
BM_DEVICE void awaitProducers(const Gate &G, uint32_t Thread) {
  if (G.PieceCount + G.CountCount == 0) {
    if (Thread == 0)
      lookAfresh();
  } else if (Thread < WarpSize) {
    awaitAll(G.Pieces, G.PieceCount, G.Counts, G.CountCount,
             waiterOf(G, Thread));
  }
}

BM_DEVICE void noteStart(const Gate &G, uint32_t Thread) {
  if (G.Times && Thread == 0)
    noteStart(G.Times[blockNumber()]);
}

/// Publishes, and keeps launches completing in order. By one thread, behind all
/// that the block does.
BM_DEVICE void finishBlock(const Gate &G) {
  uint32_t Block = blockNumber();
  if (G.Times)
    noteEnd(G.Times[Block]);
  if (!G.Done)
    return;
  publish(G.Done + Block, G.Epoch, G.Counter);
  if (Block == blockCount() - 1)
    awaitPreviousLaunch();
}

} // namespace blockmaestro

using namespace blockmaestro;

/// Before and behind a body whose threads all pass the same barriers.
extern "C" __attribute__((device)) void __bm_prelaunch_enter(const Gate *G) {
  uint32_t Thread = threadNumber();
  if (G->Done)
    admitNext(*G, Thread);
  if (blockNumber() >= G->FirstLate) {
    awaitPreviousLaunch();
  } else {
    awaitProducers(*G, Thread);
    blockBarrier();
  }
  noteStart(*G, Thread);
}

extern "C" __attribute__((device)) void __bm_prelaunch_leave(const Gate *G) {
  blockBarrier();
  if (threadNumber() == 0)
    finishBlock(*G);
}

/// The same of a body that threads may leave while others still wait for each
/// other at its barriers: those that leave really exit.
extern "C" __attribute__((device)) void
__bm_prelaunch_enter_counted(const Gate *G) {
  uint32_t Thread = threadNumber();
  if (Thread == 0)
    Left = 0;
  if (G->Done)
    admitNext(*G, Thread);
  if (blockNumber() >= G->FirstLate)
    awaitPreviousLaunch();
  else
    awaitProducers(*G, Thread);
  blockBarrier();
  noteStart(*G, Thread);
}

extern "C" __attribute__((device)) void
__bm_prelaunch_leave_counted(const Gate *G) {
  if (isLastToLeave())
    finishBlock(*G);
}
