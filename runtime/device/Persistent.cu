// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The worker of a module's persistent entry: takes blocks of a batch of
// launches, waits for what each needs, runs it, publishes it.
//
// Tickets: blocks are numbered launch by launch and taken in that order. A
// ticket is only taken by a worker that runs it at once, so every block waits
// for blocks that are running or have run: no deadlock however many workers
// are resident. Owners: block b of every launch is run by worker b mod
// workers, which then waits only for other workers' blocks; all workers must
// be resident together, which a cooperative launch guarantees.
//
// A relation reaches `Window` launches back; before a worker enters a launch
// it has seen every older launch complete.

#include "Wait.h"

namespace blockmaestro {

/// Where one worker stands.
struct Progress {
  uint32_t Thread;
  uint32_t Threads;
  uint32_t Launch;   ///< Index of the launch it is in.
  uint32_t Block;    ///< Of that launch.
  uint32_t Complete; ///< Launches seen complete: all with a smaller index.
};

BM_DEVICE uint64_t takeTicket(const Batch &B) {
  uint64_t Old;
  asm volatile("atom.relaxed.gpu.add.u64 %0, [%1], 1;"
               : "=l"(Old)
               : "l"(B.Ticket)
               : "memory");
  return Old - B.FirstTicketValue;
}

BM_DEVICE Waiter waiterOf(const BatchLaunch &L, const Batch &B, uint32_t Block,
                          uint32_t Lane, uint32_t Worker, uint32_t Workers) {
  return {B.Stuck,
          L.Launch,
          {int32_t(Block % L.Grid[0]), int32_t(Block / L.Grid[0] % L.Grid[1]),
           int32_t(Block / L.Grid[0] / L.Grid[1])},
          Block,
          Lane,
          WarpSize,
          Worker,
          Workers};
}

/// Waits until no launch more than Window before At.Launch is unfinished.
BM_DEVICE void awaitWindow(const Batch &B, Progress &At, const Waiter &Who) {
  uint32_t First = At.Complete;
  for (uint32_t I = First + Who.Lane; I + B.Window < At.Launch; I += Who.Lanes)
    await(B.Counters + I, B.Launches[I].Target, Who, B.Launches[I].Launch,
          AllBlocks);
}

BM_DEVICE BlockIds idsOf(const BatchLaunch &L, const Waiter &Who,
                         uint32_t Thread) {
  uint32_t Row = Thread / L.Block[0];
  uint32_t Plane = Row / L.Block[1];
  return {
      {Thread - Row * L.Block[0], Row - Plane * L.Block[1], Plane},
      {L.Block[0], L.Block[1], L.Block[2]},
      {uint32_t(Who.Block[0]), uint32_t(Who.Block[1]), uint32_t(Who.Block[2])},
      {L.Grid[0], L.Grid[1], L.Grid[2]}};
}

} // namespace blockmaestro

using namespace blockmaestro;

/// Made by the plugin: runs the body of kernel Case with the arguments laid
/// out as in a launch.
extern "C" __attribute__((device)) void
__bm_dispatch(uint32_t Case, const unsigned char *Arguments,
              const BlockIds *Ids);

/// One block from its wait to its publication. Workers is 0 where blocks have
/// no owner.
BM_DEVICE void runBlock(const Batch &B, Progress &At, uint32_t Workers) {
  const BatchLaunch &L = B.Launches[At.Launch];
  Waiter Who = waiterOf(L, B, At.Block, At.Thread,
                        __nvvm_read_ptx_sreg_ctaid_x(), Workers);
  if (At.Thread < WarpSize) {
    awaitWindow(B, At, Who);
    awaitAll(B.Pieces + L.FirstPiece, L.PieceCount, B.Counts + L.FirstCount,
             L.CountCount, Who);
  }
  if (At.Launch > B.Window)
    At.Complete = At.Launch - B.Window;
  blockBarrier();
  if (At.Thread < L.Threads) {
    BlockIds Ids = idsOf(L, Who, At.Thread);
    __bm_dispatch(L.Case, B.Arguments + L.ArgumentOffset, &Ids);
  }
  blockBarrier();
  if (At.Thread == 0)
    publish(B.Done + L.FirstTicket + At.Block, B.Epoch, B.Counters + At.Launch);
}

/// Takes the next ticket; no barrier is needed before the next call.
BM_DEVICE bool nextTicket(const Batch &B, Progress &At) {
  __attribute__((shared)) static uint32_t Taken;
  if (At.Thread == 0) {
    uint64_t Ticket = takeTicket(B);
    Taken = Ticket < B.Tickets ? uint32_t(Ticket) : B.Tickets;
  }
  blockBarrier();
  uint32_t Ticket = Taken;
  if (Ticket >= B.Tickets)
    return false;
  while (Ticket - B.Launches[At.Launch].FirstTicket >=
         B.Launches[At.Launch].Blocks)
    ++At.Launch;
  At.Block = Ticket - B.Launches[At.Launch].FirstTicket;
  return true;
}

/// Goes on to the worker's next block of this launch or of a later one.
BM_DEVICE bool nextOwned(const Batch &B, Progress &At, uint32_t Worker,
                         uint32_t Workers) {
  At.Block += Workers;
  while (At.Block >= B.Launches[At.Launch].Blocks) {
    if (++At.Launch == B.LaunchCount)
      return false;
    At.Block = Worker;
  }
  return true;
}

/// The whole of one worker.
extern "C" __attribute__((device)) void __bm_persistent(const Batch *B) {
  uint32_t Worker = __nvvm_read_ptx_sreg_ctaid_x();
  uint32_t Workers = __nvvm_read_ptx_sreg_nctaid_x();
  bool Owned = B->Mode == uint32_t(Placement::Owners);
  Progress At{threadNumber(), threadCount(), 0, Worker - Workers, 0};
  while (Owned ? nextOwned(*B, At, Worker, Workers) : nextTicket(*B, At))
    runBlock(*B, At, Owned ? Workers : 0);
}
