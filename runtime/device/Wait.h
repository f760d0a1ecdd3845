// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the two halves of a handover between blocks on the GPU: waiting
// for producers and publishing that a block is done; and noting when a block
// ran. Device code only.
// On the data's way: reads and writes Gate.h's structures, shared by the
// prelaunch and the persistent variants.
// Invariants:
//  - Publishing: a block barrier, one fence at gpu scope, then relaxed stores.
//    Waiting: acquire loads at gpu scope, then a block barrier. So everything a
//    producer block wrote is visible to every thread of the consumer block.
//  - Barriers are aligned: a thread that leaves the body early meets the others
//    of its warp in front of the barrier. Behind an unaligned one they may have
//    parted, and the assembler compiles the whole body for that: no loop in it
//    is unrolled.
//  - Nobody waits for longer than the report's patience: then the reason is
//    written and the kernel traps.

// Note [Shallow loops]
// The assembler chooses how many registers a kernel has by the code that it
// takes for the hottest, the deepest loop. Waits were three loops deep, over
// pieces, producers and polls, and a kernel of 72 registers got 56: its loads
// came one after the other. So a lane waits in one loop, whatever it waits for.
// It calls no function either, as for the report of a block that is stuck:
// around a call 8 more registers are kept.

#ifndef BLOCKMAESTRO_RUNTIME_DEVICE_WAIT_H
#define BLOCKMAESTRO_RUNTIME_DEVICE_WAIT_H

#include "Gate.h"
#include "blockmaestro/device_waits.h"

#define BM_DEVICE static inline __attribute__((device, always_inline))
#define BM_MEMBER __attribute__((device, always_inline))

namespace blockmaestro {

using device_waits::loadAcquire;
using device_waits::nanoseconds;
using device_waits::Patience;

BM_DEVICE uint64_t loadAcquire(const uint64_t *Word) {
  uint64_t Value;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];"
               : "=l"(Value)
               : "l"(Word)
               : "memory");
  return Value;
}

/// For a block that waits for nobody. Launches behind the window have completed
/// and published at gpu scope, but being admitted says nothing about memory:
/// the block could still find their data's old values in its cache, which an
/// acquire load would have emptied.
BM_DEVICE void lookAfresh() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

/// By one thread, when nothing keeps the block waiting any more.
BM_DEVICE void noteStart(BlockTime &Note) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;"
               :
               : "l"(&Note.Start), "l"(nanoseconds())
               : "memory");
}

/// By one thread, behind all that the block does and before anybody learns that
/// it is done: no consumer starts at an earlier time.
BM_DEVICE void noteEnd(BlockTime &Note) {
  uint32_t Sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(Sm));
  asm volatile("st.relaxed.gpu.u64 [%0], %1;\n\t"
               "st.relaxed.gpu.u32 [%2], %3;"
               :
               : "l"(&Note.End), "l"(nanoseconds()), "l"(&Note.Where),
                 "r"(Sm + 1)
               : "memory");
}

/// As assembly takes the address of shared memory.
BM_DEVICE uint32_t sharedAddress(const void *Shared) {
  using InShared = const __attribute__((address_space(3))) void *;
  return uint32_t(reinterpret_cast<uintptr_t>((InShared)Shared));
}

BM_DEVICE void blockBarrier() { __nvvm_bar_sync(0); }

/// The number of the calling thread in its block, x fastest.
BM_DEVICE uint32_t threadNumber() {
  return (__nvvm_read_ptx_sreg_tid_z() * __nvvm_read_ptx_sreg_ntid_y() +
          __nvvm_read_ptx_sreg_tid_y()) *
             __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

BM_DEVICE uint32_t threadCount() {
  return __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y() *
         __nvvm_read_ptx_sreg_ntid_z();
}

/// The block that waits, and which of its lanes the caller is.
struct Waiter {
  StuckReport *Stuck;
  uint64_t Launch;
  int32_t Block[3];
  uint32_t Number; ///< Of the block, linear.
  uint32_t Lane;
  uint32_t Lanes;
  /// With KnowsOwn, block Own of every launch runs on this very worker, which
  /// has run those it waits for.
  uint32_t Own;
  bool KnowsOwn;
};

/// Says which block is stuck waiting for what, unless another block has, and
/// stops the program.
BM_DEVICE void giveUp(StuckReport *Report, uint64_t Launch, uint32_t Block,
                      uint64_t Producer, uint32_t ProducerBlock) {
  if (device_waits::claimReport(&Report->Taken)) {
    Report->Launch = Launch;
    Report->Block = Block;
    Report->Producer = Producer;
    Report->ProducerBlock = ProducerBlock;
    device_waits::publishReport(&Report->Taken);
  }
  device_waits::stopProgram();
}

/// Ends the body of a loop in one place: the optimiser would make two loops of
/// it, one inside the other. See Note [Shallow loops].
template <typename T> BM_DEVICE void endOfBody(T &Carried) {
  asm volatile("" : "+l"(Carried));
}

/// Polls the counters of launches First, First + Step, ... until each has its
/// target.
BM_DEVICE void awaitCounts(const GateCount *Counts, uint32_t Count,
                           uint32_t First, uint32_t Step, const Waiter &Who) {
  Patience Left;
  uint64_t I = First;
#pragma clang loop unroll(disable)
  while (I < Count) {
    if (loadAcquire(Counts[I].Counter) >= Counts[I].Target) {
      I += Step;
      Left.renew();
    } else if (Left.ends(*Who.Stuck)) {
      giveUp(Who.Stuck, Who.Launch, Who.Number, Counts[I].Producer, AllBlocks);
    }
    endOfBody(I);
  }
}

/// The producers of one piece, in the order of their box.
struct PieceProducers {
  const uint32_t *Done;
  uint64_t Launch;
  uint32_t Epoch, Count, Width, Height, GridX, GridXY, First;

  BM_MEMBER uint32_t number(uint32_t I) const {
    uint32_t Row = I / Width;
    uint32_t Plane = Row / Height;
    return First + Plane * GridXY + (Row - Plane * Height) * GridX + I -
           Row * Width;
  }
};

BM_DEVICE PieceProducers producersOf(const GatePiece &Piece,
                                     const Waiter &Who) {
  ProducerBox Box = producersOf<int32_t>(Piece.Piece, Who.Block);
  PieceProducers Out = {Piece.Done, Piece.Producer, Piece.Epoch,  0, 0,
                        0,          Piece.GridX,    Piece.GridXY, 0};
  if (Box.High[0] < Box.Low[0] || Box.High[1] < Box.Low[1] ||
      Box.High[2] < Box.Low[2])
    return Out;
  Out.Width = Box.High[0] - Box.Low[0] + 1;
  Out.Height = Box.High[1] - Box.Low[1] + 1;
  Out.Count = Out.Width * Out.Height * (Box.High[2] - Box.Low[2] + 1);
  Out.First = Box.Low[2] * Piece.GridXY + Box.Low[1] * Piece.GridX + Box.Low[0];
  return Out;
}

/// The largest S with (Pieces << S) <= Lanes, roughly: how many lanes, as a
/// power of two, each piece gets.
BM_DEVICE uint32_t lanesPerPiece(uint32_t Pieces, uint32_t Lanes) {
  int32_t Shift = __builtin_clz(Pieces) - __builtin_clz(Lanes) -
                  ((Pieces & (Pieces - 1)) != 0);
  return Shift < 0 ? 0 : Shift;
}

/// Polls the done-words of all pieces. Lanes beyond a whole group repeat a part
/// of what the groups cover.
BM_DEVICE void awaitPieces(const GatePiece *Pieces, uint32_t Count,
                           const Waiter &Who) {
  uint32_t Shift = lanesPerPiece(Count, Who.Lanes);
  uint32_t Step = 1u << Shift;
  uint32_t Next = Who.Lane >> Shift, I = 0;
  PieceProducers Of = {};
  Patience Left;
  uint32_t Number = 0;
  const uint32_t *Word = nullptr; ///< Null: the next one has to be found.
  bool Ends = false;
#pragma clang loop unroll(disable)
  while (!Ends) {
    if (Word) {
      if (loadAcquire(Word) >= Of.Epoch)
        Word = nullptr;
      else if (Left.ends(*Who.Stuck))
        giveUp(Who.Stuck, Who.Launch, Who.Number, Of.Launch, Number);
    } else if (I < Of.Count) {
      Number = Of.number(I);
      I += Step;
      Left.renew();
      if (!Who.KnowsOwn || Number != Who.Own)
        Word = Of.Done + Number;
    } else if (Next < Count) {
      Of = producersOf(Pieces[Next], Who);
      I = Who.Lane & (Step - 1);
      Next += Who.Lanes >> Shift;
      if (Of.Count == 0)
        lookAfresh();
    } else {
      Ends = true;
    }
    endOfBody(Word);
  }
}

/// All that a block waits for, spread over the lanes of its first warp.
BM_DEVICE void awaitAll(const GatePiece *Pieces, uint32_t PieceCount,
                        const GateCount *Counts, uint32_t CountCount,
                        const Waiter &Who) {
  awaitCounts(Counts, CountCount, Who.Lane, Who.Lanes, Who);
  if (PieceCount != 0)
    awaitPieces(Pieces, PieceCount, Who);
}

/// Called by one thread after a block barrier: the block is done.
BM_DEVICE void publish(uint32_t *Done, uint32_t Epoch, uint64_t *Counter) {
  asm volatile("fence.acq_rel.gpu;\n\t"
               "st.relaxed.gpu.u32 [%0], %1;\n\t"
               "red.relaxed.gpu.add.u64 [%2], 1;"
               :
               : "l"(Done), "r"(Epoch), "l"(Counter)
               : "memory");
}

} // namespace blockmaestro

#endif
