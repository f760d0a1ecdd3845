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
//  - Barriers are unaligned: threads that left the body early arrive too.
//  - Nobody waits for longer than the report's patience: then the reason is
//    written and the kernel traps.

#ifndef BLOCKMAESTRO_RUNTIME_DEVICE_WAIT_H
#define BLOCKMAESTRO_RUNTIME_DEVICE_WAIT_H

#include "Gate.h"

#define BM_DEVICE static inline __attribute__((device, always_inline))
#define BM_COLD static __attribute__((device, noinline, cold))

namespace blockmaestro {

/// In nanoseconds, from the report to the trap, so that the report is out.
inline constexpr uint64_t TrapAfter = 1'000'000'000;
inline constexpr uint32_t WarpSize = 32;

BM_DEVICE uint32_t loadAcquire(const uint32_t *Word) {
  uint32_t Value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];"
               : "=r"(Value)
               : "l"(Word)
               : "memory");
  return Value;
}

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

BM_DEVICE uint64_t nanoseconds() {
  uint64_t Now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(Now)::"memory");
  return Now;
}

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

BM_DEVICE void blockBarrier() { __nvvm_barrier_sync(0); }

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
BM_COLD void giveUp(StuckReport *Report, uint64_t Launch, uint32_t Block,
                    uint64_t Producer, uint32_t ProducerBlock) {
  uint32_t Old;
  asm volatile("atom.cas.b32 %0, [%1], 0, 1;"
               : "=r"(Old)
               : "l"(&Report->Taken)
               : "memory");
  if (Old == 0) {
    Report->Launch = Launch;
    Report->Block = Block;
    Report->Producer = Producer;
    Report->ProducerBlock = ProducerBlock;
    asm volatile("fence.acq_rel.sys;\n\tst.relaxed.sys.u32 [%0], 2;"
                 :
                 : "l"(&Report->Taken)
                 : "memory");
  }
  uint64_t Start = nanoseconds();
  while (nanoseconds() - Start < TrapAfter)
    ;
  __builtin_trap();
}

/// Whether a wait since Start has taken longer than Patience.
BM_DEVICE bool isPast(uint64_t Patience, uint64_t Start) {
  return Patience != 0 && nanoseconds() - Start > Patience;
}

/// Polls until *Word is at least Value.
template <typename Integer>
BM_DEVICE void await(const Integer *Word, Integer Value, const Waiter &Who,
                     uint64_t Producer, uint32_t Block) {
  if (loadAcquire(Word) >= Value)
    return;
  uint64_t Start = nanoseconds();
  for (uint32_t Polls = 1; loadAcquire(Word) < Value; ++Polls)
    if (Polls % 4096 == 0 && isPast(Who.Stuck->Patience, Start))
      giveUp(Who.Stuck, Who.Launch, Who.Number, Producer, Block);
}

BM_DEVICE void awaitCount(const GateCount &Count, const Waiter &Who) {
  await(Count.Counter, Count.Target, Who, Count.Producer, AllBlocks);
}

/// Waits for producers First, First + Step, ... of one piece, in the order of
/// their box.
BM_DEVICE void awaitPiece(const GatePiece &Piece, const Waiter &Who,
                          uint32_t First, uint32_t Step) {
  ProducerBox Box = producersOf<int32_t>(Piece.Piece, Who.Block);
  if (Box.High[0] < Box.Low[0] || Box.High[1] < Box.Low[1] ||
      Box.High[2] < Box.Low[2])
    return lookAfresh();
  uint32_t Width = Box.High[0] - Box.Low[0] + 1;
  uint32_t Height = Box.High[1] - Box.Low[1] + 1;
  uint32_t Count = Width * Height * (Box.High[2] - Box.Low[2] + 1);
#pragma clang loop unroll(disable)
  for (uint32_t I = First; I < Count; I += Step) {
    uint32_t Row = I / Width;
    uint32_t Plane = Row / Height;
    uint32_t Number = (Box.Low[2] + Plane) * Piece.GridXY +
                      (Box.Low[1] + Row - Plane * Height) * Piece.GridX +
                      Box.Low[0] + I - Row * Width;
    if (Who.KnowsOwn && Number == Who.Own)
      continue;
    await(Piece.Done + Number, Piece.Epoch, Who, Piece.Producer, Number);
  }
}

/// The largest S with (Pieces << S) <= Lanes, roughly: how many lanes, as a
/// power of two, each piece gets.
BM_DEVICE uint32_t lanesPerPiece(uint32_t Pieces, uint32_t Lanes) {
  int32_t Shift = __builtin_clz(Pieces) - __builtin_clz(Lanes) -
                  ((Pieces & (Pieces - 1)) != 0);
  return Shift < 0 ? 0 : Shift;
}

/// All that a block waits for, spread over the lanes of its first warp. Lanes
/// beyond a whole group repeat a part of what the groups cover.
BM_DEVICE void awaitAll(const GatePiece *Pieces, uint32_t PieceCount,
                        const GateCount *Counts, uint32_t CountCount,
                        const Waiter &Who) {
#pragma clang loop unroll(disable)
  for (uint32_t I = Who.Lane; I < CountCount; I += Who.Lanes)
    awaitCount(Counts[I], Who);
  if (PieceCount == 0)
    return;
  uint32_t Shift = lanesPerPiece(PieceCount, Who.Lanes);
  uint32_t Step = 1u << Shift;
#pragma clang loop unroll(disable)
  for (uint32_t P = Who.Lane >> Shift; P < PieceCount; P += Who.Lanes >> Shift)
    awaitPiece(Pieces[P], Who, Who.Lane & (Step - 1), Step);
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
