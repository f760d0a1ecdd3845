// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The barriers in shared memory (mbarrier), as plain memory.
//
// Note [State of an mbarrier]
// A word of 64 bits: the arrivals still missing in this phase (bits 0..19), the
// arrivals each phase waits for (20..39), and how many phases are over
// (40..63). PTX leaves the layout open and gives out the whole word as the
// token of a phase, so waiting for a token compares its phase with the present
// one.

#include "PtxAccess.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr uint64_t CountMask = (1ULL << 20) - 1;
constexpr unsigned ExpectedAt = 20;
constexpr unsigned PhaseAt = 40;
constexpr PtxType Word{PtxKind::Unsigned, 32, 1};
constexpr PtxType Long{PtxKind::Unsigned, 64, 1};

/// Takes the words that say where the barrier is and who sees it.
unsigned takePlace(PtxInstruction &I) {
  I.takeAny({"relaxed", "acquire", "release"});
  I.take("cta");
  return I.takeAny({"shared", "shared::cta"}).empty() ? 0 : 3;
}

/// \p State after \p Count arrivals, of which \p Dropped do not come again.
Value *arrived(IRBuilder<> &B, Value *State, Value *Count, Value *Dropped) {
  Value *Expected = B.CreateSub(
      B.CreateAnd(B.CreateLShr(State, ExpectedAt), CountMask), Dropped);
  Value *Pending = B.CreateSub(B.CreateAnd(State, CountMask), Count);
  Value *Phase = B.CreateLShr(State, PhaseAt);
  Value *Over = B.CreateICmpEQ(Pending, B.getInt64(0));
  Pending = B.CreateSelect(Over, Expected, Pending);
  Phase = B.CreateAdd(Phase, B.CreateZExt(Over, B.getInt64Ty()));
  return B.CreateOr(B.CreateOr(B.CreateShl(Phase, PhaseAt),
                               B.CreateShl(Expected, ExpectedAt)),
                    Pending);
}

void initialize(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  unsigned Space = takePlace(I);
  if (I.Operands.size() != 2)
    return C.refuse();
  Value *Count = B.CreateZExt(C.read(I.Operands[1], Word), B.getInt64Ty());
  StoreInst *Store =
      B.CreateAlignedStore(B.CreateOr(Count, B.CreateShl(Count, ExpectedAt)),
                           C.address(I.Operands[0], Space), Align(8));
  Store->setAtomic(AtomicOrdering::Release);
}

/// mbarrier.arrive state, [a]{, count}; without a state too.
void arrive(PtxCode &C, PtxInstruction &I, bool Drop) {
  IRBuilder<> &B = C.B;
  I.take("noComplete");
  unsigned Space = takePlace(I);
  bool HasState =
      !I.Operands.empty() && I.Operands[0].Kind != PtxOperandKind::Address;
  unsigned At = HasState ? 1 : 0;
  if (I.Operands.size() <= At)
    return C.refuse();
  Value *Count =
      I.Operands.size() > At + 1
          ? B.CreateZExt(C.read(I.Operands[At + 1], Word), B.getInt64Ty())
          : (Value *)B.getInt64(1);
  Value *Address = C.address(I.Operands[At], Space);
  Value *Old = exchangeLoop(
      C, Address, B.getInt64Ty(), /*Volatile=*/false, [&](Value *State) {
        return arrived(B, State, Count, Drop ? Count : B.getInt64(0));
      });
  if (HasState)
    C.write(I.Operands[0], Old);
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
          ? B.CreateICmpNE(B.CreateAnd(Phase, 1),
                           B.CreateAnd(B.CreateZExt(C.read(I.Operands[2], Word),
                                                    B.getInt64Ty()),
                                       1))
          : B.CreateICmpNE(Phase,
                           B.CreateLShr(C.read(I.Operands[2], Long), PhaseAt));
  C.write(I.Operands[0], Over);
}

void pendingCount(PtxCode &C, PtxInstruction &I) {
  if (I.Operands.size() != 2)
    return C.refuse();
  C.write(I.Operands[0], C.B.CreateAnd(C.read(I.Operands[1], Long), CountMask));
}

void barrier(PtxCode &C, PtxInstruction &I) {
  if (I.take("init"))
    return initialize(C, I);
  if (I.take("inval")) {
    takePlace(I);
    return;
  }
  if (I.take("arrive"))
    return arrive(C, I, /*Drop=*/false);
  if (I.take("arrive_drop"))
    return arrive(C, I, /*Drop=*/true);
  if (I.take("test_wait") || I.take("try_wait"))
    return testWait(C, I);
  if (I.take("pending_count"))
    return pendingCount(C, I);
  C.refuse();
}

const PtxRow Rows[] = {{"mbarrier", barrier}};

} // namespace

/// The copies are over when this runs, so they arrive at once; without .noinc
/// the barrier would first be made to expect this arrival, so nothing remains.
void ptxArriveAfterCopies(PtxCode &C, PtxInstruction &I) {
  I.take("arrive");
  if (I.take("noinc"))
    return arrive(C, I, /*Drop=*/false);
  takePlace(I);
}

ArrayRef<PtxRow> ptxMbarrierRows() { return Rows; }

} // namespace blockmaestro
