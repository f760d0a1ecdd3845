// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The barriers in shared memory (mbarrier), as plain memory.
//
// Note [State of an mbarrier]
// A word of 64 bits: the arrivals still missing in this phase (bits 0..19), the
// arrivals each phase waits for (20..39), the bytes that are still to come in
// this phase, signed (40..60), and how many phases are over, the lowest bits of
// that (61..63). PTX leaves the layout open and gives out the whole word as the
// token of a phase, so waiting for a token compares its phase with the present
// one; a token is of the present phase or of the one before.

#include "PtxAccess.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr uint64_t CountMask = (1ULL << 20) - 1;
constexpr unsigned ExpectedAt = 20;
constexpr unsigned BytesAt = 40;
constexpr uint64_t BytesMask = (1ULL << 21) - 1;
constexpr unsigned PhaseAt = 61;

/// Takes the words that say where the barrier is and who sees it.
unsigned takePlace(PtxInstruction &I) {
  I.takeAny({"relaxed", "acquire", "release"});
  I.takeAny({"cta", "cluster"});
  return I.takeAny({"shared", "shared::cta", "shared::cluster"}).empty() ? 0
                                                                         : 3;
}

/// What happens to a barrier in one step; null stands for nothing.
struct Step {
  Value *Arrivals = nullptr;
  Value *Dropped = nullptr; ///< Of these, those that do not come again.
  Value *Bytes = nullptr;   ///< That are to come; negative: that have come.
};

/// \p State after \p Next.
Value *after(IRBuilder<> &B, Value *State, const Step &Next) {
  auto Field = [&](unsigned At, uint64_t Mask, Value *Less) -> Value * {
    Value *Bits = B.CreateAnd(B.CreateLShr(State, At), Mask);
    return Less ? B.CreateAnd(B.CreateSub(Bits, Less), Mask) : Bits;
  };
  Value *Expected = Field(ExpectedAt, CountMask, Next.Dropped);
  Value *Pending = Field(0, CountMask, Next.Arrivals);
  Value *Bytes =
      Field(BytesAt, BytesMask, Next.Bytes ? B.CreateNeg(Next.Bytes) : nullptr);
  Value *Over = B.CreateICmpEQ(B.CreateOr(Pending, Bytes), B.getInt64(0));
  Value *Phase = B.CreateAdd(B.CreateLShr(State, PhaseAt),
                             B.CreateZExt(Over, B.getInt64Ty()));
  return B.CreateOr(
      B.CreateOr(B.CreateShl(Phase, PhaseAt), B.CreateShl(Bytes, BytesAt)),
      B.CreateOr(B.CreateShl(Expected, ExpectedAt),
                 B.CreateSelect(Over, Expected, Pending)));
}

/// Makes the step \p Next at \p Address; the state before.
Value *makeStep(PtxCode &C, Value *Address, const Step &Next) {
  return exchangeLoop(C, Address, C.B.getInt64Ty(), /*Volatile=*/false,
                      [&](Value *State) { return after(C.B, State, Next); });
}

void initialize(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  unsigned Space = takePlace(I);
  if (I.Operands.size() != 2)
    return C.refuse();
  Value *Count = B.CreateZExt(C.read(I.Operands[1], PtxWord), B.getInt64Ty());
  StoreInst *Store =
      B.CreateAlignedStore(B.CreateOr(Count, B.CreateShl(Count, ExpectedAt)),
                           C.address(I.Operands[0], Space), Align(8));
  Store->setAtomic(AtomicOrdering::Release);
}

/// The operand number \p N of \p I, a count, as 64 bits.
Value *count(PtxCode &C, PtxInstruction &I, unsigned N) {
  return C.B.CreateZExt(C.operand(I, N, PtxWord), C.B.getInt64Ty());
}

/// mbarrier.arrive state, [a]{, count} and, with .expect_tx, state, [a], bytes;
/// without a state too.
void arrive(PtxCode &C, PtxInstruction &I, bool Drop) {
  I.take("noComplete");
  bool Expects = I.take("expect_tx");
  unsigned Space = takePlace(I);
  bool HasState =
      !I.Operands.empty() && I.Operands[0].Kind != PtxOperandKind::Address;
  unsigned At = HasState ? 1 : 0;
  if (I.Operands.size() <= At || (Expects && I.Operands.size() != At + 2))
    return C.refuse();
  Step Next;
  Next.Arrivals = C.B.getInt64(1);
  if (Expects)
    Next.Bytes = count(C, I, At + 1);
  else if (I.Operands.size() > At + 1)
    Next.Arrivals = count(C, I, At + 1);
  if (Drop)
    Next.Dropped = Next.Arrivals;
  Value *Old = makeStep(C, C.address(I.Operands[At], Space), Next);
  if (HasState)
    C.write(I.Operands[0], Old);
}

/// expect_tx [a], bytes and complete_tx [a], bytes.
void changeBytes(PtxCode &C, PtxInstruction &I, bool Come) {
  unsigned Space = takePlace(I);
  if (I.Operands.size() != 2)
    return C.refuse();
  Value *Bytes = count(C, I, 1);
  if (Come)
    return ptxCompleteBytes(C, C.address(I.Operands[0], Space), Bytes);
  Step Next;
  Next.Bytes = Bytes;
  makeStep(C, C.address(I.Operands[0], Space), Next);
}

/// test_wait and try_wait: whether the phase of a token, or the last one with
/// the given parity, is over.
void testWait(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  bool Parity = I.take("parity");
  unsigned Space = takePlace(I);
  if (I.Operands.size() < 3)
    return C.refuse();
  LoadInst *State = B.CreateAlignedLoad(
      B.getInt64Ty(), C.address(I.Operands[1], Space), Align(8),
      /*isVolatile=*/true);
  State->setAtomic(AtomicOrdering::Acquire);
  Value *Phase = B.CreateLShr(State, PhaseAt);
  Value *Over =
      Parity
          ? B.CreateICmpNE(
                B.CreateAnd(Phase, 1),
                B.CreateAnd(B.CreateZExt(C.read(I.Operands[2], PtxWord),
                                         B.getInt64Ty()),
                            1))
          : B.CreateICmpNE(
                Phase, B.CreateLShr(C.read(I.Operands[2], PtxLong), PhaseAt));
  C.write(I.Operands[0], Over);
}

void pendingCount(PtxCode &C, PtxInstruction &I) {
  if (I.Operands.size() != 2)
    return C.refuse();
  C.write(I.Operands[0],
          C.B.CreateAnd(C.read(I.Operands[1], PtxLong), CountMask));
}

void barrier(PtxCode &C, PtxInstruction &I) {
  if (I.take("init"))
    return initialize(C, I);
  if (I.take("inval")) {
    takePlace(I);
    return;
  }
  if (I.take("complete_tx"))
    return changeBytes(C, I, /*Come=*/true);
  if (I.take("arrive"))
    return arrive(C, I, /*Drop=*/false);
  if (I.take("arrive_drop"))
    return arrive(C, I, /*Drop=*/true);
  if (I.take("test_wait") || I.take("try_wait"))
    return testWait(C, I);
  if (I.take("pending_count"))
    return pendingCount(C, I);
  if (I.take("expect_tx"))
    return changeBytes(C, I, /*Come=*/false);
  C.refuse();
}

const PtxRow MbarrierRows[] = {{"mbarrier", barrier}};

} // namespace

/// The copies are over when this runs, so they arrive at once; without .noinc
/// the barrier would first be made to expect this arrival, so nothing remains.
void ptxArriveAfterCopies(PtxCode &C, PtxInstruction &I) {
  I.take("arrive");
  if (I.take("noinc"))
    return arrive(C, I, /*Drop=*/false);
  takePlace(I);
}

void ptxCompleteBytes(PtxCode &C, Value *Barrier, Value *Bytes) {
  Step Next;
  Next.Bytes = C.B.CreateNeg(Bytes);
  makeStep(C, Barrier, Next);
}

ArrayRef<PtxRow> ptxMbarrierRows() { return MbarrierRows; }

} // namespace blockmaestro
