// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The worker of a module's persistent entry: takes blocks of a batch of
// launches, waits for what each needs, runs it, publishes it where another
// worker waits for it.
//
// Tickets: blocks are numbered launch by launch and taken in that order. A
// ticket is only taken by a worker that runs it at once, so every block waits
// for blocks that are running or have run: no deadlock however many workers
// are resident. Owners: block b of every launch is run by worker b, which then
// waits only for other workers' blocks; all workers must be resident together,
// which a cooperative launch guarantees.
//
// Records: the launch a worker is in lies in one of two places in shared
// memory; its successor is copied to the other while the block runs. A place is
// written only after a barrier behind the last read of what it held. What a
// record has beyond StagedBytes is read where it is.

#include "Wait.h"

namespace blockmaestro {

/// Where one worker stands.
struct Progress {
  uint32_t Thread;
  uint32_t Place; ///< Of the launch it is in.
  uint32_t Block; ///< Of that launch; a ticket until looked up.
};

__attribute__((shared,
               aligned(16))) static unsigned char Staged[2][StagedBytes];
__attribute__((shared)) static uint32_t Taken;

BM_DEVICE const BatchLaunch &stagedLaunch(const Progress &At) {
  return *reinterpret_cast<const BatchLaunch *>(Staged[At.Place]);
}

/// Starts to copy the record of Bytes bytes at Offset to a place. By the first
/// warp; recordArrived() and a barrier end it.
BM_DEVICE void fetchRecord(const Batch &B, uint32_t Offset, uint32_t Bytes,
                           uint32_t Place, uint32_t Thread) {
  constexpr uint32_t Unit = 16;
  uint32_t Some = Bytes < StagedBytes ? Bytes : StagedBytes;
  if (Thread >= WarpSize)
    return;
  uint32_t To = sharedAddress(Staged[Place]);
#pragma clang loop unroll(disable)
  for (uint32_t I = Unit * Thread; I < Some; I += Unit * WarpSize)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :
                 : "r"(To + I), "l"(B.Records + Offset + I)
                 : "memory");
}

BM_DEVICE void recordArrived(uint32_t Thread) {
  if (Thread < WarpSize)
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/// Makes the staged successor the launch the worker is in. Behind a barrier
/// that followed recordArrived().
BM_DEVICE void enterNext(const Batch &B, Progress &At) {
  At.Place ^= 1;
  const BatchLaunch &L = stagedLaunch(At);
  fetchRecord(B, L.Offset + L.Bytes, L.NextBytes, At.Place ^ 1, At.Thread);
}

/// The bytes of the current launch's record from Begin to End.
BM_DEVICE const unsigned char *partOf(const Batch &B, const Progress &At,
                                      uint32_t Begin, uint32_t End) {
  return End <= StagedBytes ? Staged[At.Place] + Begin
                            : B.Records + stagedLaunch(At).Offset + Begin;
}

BM_DEVICE void takeTicket(const Batch &B) {
  uint64_t Old;
  asm volatile("atom.relaxed.gpu.add.u64 %0, [%1], 1;"
               : "=l"(Old)
               : "l"(B.Ticket)
               : "memory");
  uint64_t Ticket = Old - B.FirstTicketValue;
  Taken = Ticket < B.Tickets ? uint32_t(Ticket) : B.Tickets;
}

struct BlockPlace {
  uint32_t At[3];
};

BM_DEVICE BlockPlace placeOf(const BatchLaunch &L, uint32_t Block) {
  if (L.Grid[0] == L.Blocks)
    return {{Block, 0, 0}};
  uint32_t Row = Block / L.Grid[0];
  uint32_t Plane = Row / L.Grid[1];
  return {{Block - Row * L.Grid[0], Row - Plane * L.Grid[1], Plane}};
}

BM_DEVICE BlockIds idsOf(const BatchLaunch &L, const BlockPlace &Place,
                         uint32_t Thread) {
  uint32_t Row = quotient(Thread, L.Reciprocal[0]);
  uint32_t Plane = quotient(Row, L.Reciprocal[1]);
  return {{Thread - Row * L.Block[0], Row - Plane * L.Block[1], Plane},
          {L.Block[0], L.Block[1], L.Block[2]},
          {Place.At[0], Place.At[1], Place.At[2]},
          {L.Grid[0], L.Grid[1], L.Grid[2]}};
}

/// Waits for all that the block needs, with the first warp.
BM_DEVICE void awaitNeeds(const Batch &B, const Progress &At,
                          const BlockPlace &Place, bool Owned) {
  const BatchLaunch &L = stagedLaunch(At);
  Waiter Who = {
      B.Stuck,
      L.Launch,
      {int32_t(Place.At[0]), int32_t(Place.At[1]), int32_t(Place.At[2])},
      At.Block,
      At.Thread,
      WarpSize,
      At.Block,
      Owned};
  awaitAll(
      reinterpret_cast<const GatePiece *>(partOf(B, At, L.PiecesAt, L.Bytes)),
      L.PieceCount,
      reinterpret_cast<const GateCount *>(
          partOf(B, At, L.CountsAt, L.PiecesAt)),
      L.CountCount, Who);
}

} // namespace blockmaestro

using namespace blockmaestro;

/// Made by the plugin: runs the body of kernel Case with the arguments laid
/// out as in a launch.
extern "C" __attribute__((device)) void
__bm_dispatch(uint32_t Case, const unsigned char *Arguments,
              const BlockIds *Ids);

/// Where the block is noted; where the batch has notes.
BM_DEVICE BlockTime *noteOf(const Batch &B, const Progress &At) {
  return B.Times + stagedLaunch(At).FirstTicket + At.Block;
}

/// One block, its wait included.
BM_DEVICE void runBlock(const Batch &B, const Progress &At, bool Owned) {
  const BatchLaunch &L = stagedLaunch(At);
  BlockPlace Place = placeOf(L, At.Block);
  if (L.PieceCount + L.CountCount != 0) {
    if (At.Thread < WarpSize)
      awaitNeeds(B, At, Place, Owned);
    blockBarrier();
  }
  if (B.Times && At.Thread == 0)
    noteStart(*noteOf(B, At));
  if (At.Thread < L.Threads) {
    BlockIds Ids = idsOf(L, Place, At.Thread);
    __bm_dispatch(L.Case, partOf(B, At, sizeof(BatchLaunch), L.CountsAt), &Ids);
  }
}

/// As publish() in Wait.h, for those that somebody waits for.
BM_DEVICE void publishWanted(uint32_t *Done, uint32_t Epoch,
                             uint64_t *Counter) {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  if (Done)
    asm volatile("st.relaxed.gpu.u32 [%0], %1;"
                 :
                 : "l"(Done), "r"(Epoch)
                 : "memory");
  if (Counter)
    asm volatile("red.relaxed.gpu.add.u64 [%0], 1;"
                 :
                 : "l"(Counter)
                 : "memory");
}

/// The end of a block: a barrier, then the last thread publishes what another
/// worker waits for, while the first warp goes on. Nothing is read from the
/// record after the barrier. Returns whether there is a next launch.
BM_DEVICE bool endBlock(const Batch &B, const Progress &At) {
  const BatchLaunch &L = stagedLaunch(At);
  uint32_t *Done = L.Done;
  uint64_t *Counter = L.Counter;
  BlockTime *Note = noteOf(B, At);
  bool More = L.NextBytes != 0;
  recordArrived(At.Thread);
  blockBarrier();
  if (At.Thread + 1 != uint32_t(__nvvm_read_ptx_sreg_ntid_x()))
    return More;
  if (B.Times)
    noteEnd(*Note);
  if (Done || Counter)
    publishWanted(Done ? Done + At.Block : nullptr, B.Epoch, Counter);
  return More;
}

/// Goes on until the launch that has the worker's block; false when there is
/// none.
BM_DEVICE bool findLaunch(const Batch &B, Progress &At, bool Owned) {
  if (!Owned && At.Block == B.Tickets)
    return false;
  while (true) {
    const BatchLaunch &L = stagedLaunch(At);
    uint32_t First = Owned ? 0 : L.FirstTicket;
    if (At.Block - First < L.Blocks) {
      At.Block -= First;
      return true;
    }
    if (L.NextBytes == 0)
      return false;
    recordArrived(At.Thread);
    blockBarrier();
    enterNext(B, At);
  }
}

/// Leads to the worker's first block.
BM_DEVICE void start(const Batch &B, Progress &At, bool Owned) {
  fetchRecord(B, 0, B.FirstBytes, 0, At.Thread);
  if (!Owned && At.Thread == 0)
    takeTicket(B);
  recordArrived(At.Thread);
  blockBarrier();
  enterNext(B, At);
}

/// Ends a block and leads to the next one, if there is one.
BM_DEVICE bool goOn(const Batch &B, Progress &At, bool Owned) {
  bool More = endBlock(B, At);
  if (Owned) {
    if (More)
      enterNext(B, At);
    return More;
  }
  if (At.Thread == 0)
    takeTicket(B);
  blockBarrier();
  return true;
}

/// The whole of one worker. Its block has one dimension.
extern "C" __attribute__((device)) void __bm_persistent(const Batch *B) {
  bool Owned = B->Mode == uint32_t(Placement::Owners);
  Progress At{uint32_t(__nvvm_read_ptx_sreg_tid_x()), 1,
              uint32_t(__nvvm_read_ptx_sreg_ctaid_x())};
  start(*B, At, Owned);
  do {
    if (!Owned)
      At.Block = Taken;
    if (!findLaunch(*B, At, Owned))
      break;
    runBlock(*B, At, Owned);
  } while (goOn(*B, At, Owned));
  recordArrived(At.Thread);
}
