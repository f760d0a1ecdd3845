// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PointerMoves.h"

#include "Canonicalize.h"
#include "DeepExpressions.h"
#include "KernelModel.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

// Note [Distances]
// "a[i]" stays in a's allocation whatever i is: that is what programs mean by
// an index, where it was read from, too. Not so where a pointer is moved by a
// distance between allocations. There are two signs of one. A number of 64 bits
// that is read from memory, put together from halves or given to a function is
// added to the address as it is, not multiplied by the size of an element:
// "(int *)(base + offset[0])". Or the number is made of the addresses of two
// objects, as in "p + (q - p)"; the difference of two pointers to one object is
// an index.
// A state of an integer is Inside (an index), Distance, the address of Object
// and an index, or Address alone, which is anything else made of addresses.
// What is multiplied, shifted, divided, cut or masked is no distance any more.

namespace blockmaestro {

namespace {

/// Masks and remainders below this are indices.
constexpr uint64_t LargestIndex = uint64_t(1) << 31;

bool isWide(const Value &V) { return V.getType()->isIntegerTy(64); }

/// The one object that Pointer points into; null where it may be another.
const Value *objectOf(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  if (Pointer->getType()->isPointerTy())
    getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return Objects.size() == 1 ? Objects.front() : nullptr;
}

/// Whether a 64-bit integer that comes into the function at V may be anything.
bool isForeign(const Value &V) {
  if (!isWide(V) || launchValue(&V))
    return false;
  if (const auto *A = dyn_cast<Argument>(&V))
    return !isKernel(*A->getParent());
  if (const auto *Call = dyn_cast<IntrinsicInst>(&V))
    return !Call->doesNotAccessMemory();
  return isa<LoadInst>(V) || isa<AtomicRMWInst>(V) ||
         isa<ExtractValueInst>(V) || isa<ExtractElementInst>(V) ||
         isa<BitCastInst>(V) || isa<CallBase>(V);
}

bool isMergeOperation(const Instruction &I) {
  return isa<PHINode>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I) ||
         isa<MinMaxIntrinsic>(I);
}

/// The operands of a merge that it may be.
SmallVector<const Value *, 4> choicesOf(const Instruction &I) {
  if (isa<SelectInst>(I))
    return {I.getOperand(1), I.getOperand(2)};
  if (const auto *Choice = dyn_cast<MinMaxIntrinsic>(&I))
    return {Choice->getLHS(), Choice->getRHS()};
  SmallVector<const Value *, 4> All;
  for (const Value *Operand : I.operands())
    All.push_back(Operand);
  return All;
}

} // namespace

PointerMoves::State PointerMoves::join(State A, State B) {
  if (A == B)
    return A;
  if (A.Object || B.Object)
    return {Move::Address, nullptr};
  return {std::max(A.Kind, B.Kind), nullptr};
}

/// Of A + B or A - B. The distance between two places in one object is an
/// index.
PointerMoves::State PointerMoves::sum(State A, State B, bool Minus) {
  if (Minus && A.Object && A.Object == B.Object)
    return {};
  if (A.Object && B == State())
    return A;
  if (B.Object && A == State() && !Minus)
    return B;
  return A.Object || B.Object ? State{Move::Address, nullptr} : join(A, B);
}

/// None for an instruction that was not come by yet.
std::optional<PointerMoves::State> PointerMoves::stateOf(const Value *V) const {
  if (auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  if (isa<Instruction>(V))
    return std::nullopt;
  if (Operator::getOpcode(V) == Instruction::PtrToInt)
    return State{Move::Address, objectOf(cast<Operator>(V)->getOperand(0))};
  if (isa<ConstantExpr>(V) && V->getType()->isIntegerTy())
    return State{Move::Address, nullptr};
  return State{isForeign(*V) ? Move::Distance : Move::Inside, nullptr};
}

/// How I, a pointer that is no merge, was moved.
std::optional<PointerMoves::State>
PointerMoves::visitPointer(const Instruction &I) const {
  const auto *GEP = dyn_cast<GetElementPtrInst>(&I);
  if (!GEP)
    return isa<AddrSpaceCastInst>(I) ? stateOf(I.getOperand(0)) : State();
  const DataLayout &DL = I.getDataLayout();
  const unsigned Bits = DL.getIndexTypeSizeInBits(I.getType());
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(Bits, 0);
  if (!GEP->getType()->isPointerTy() ||
      !GEP->collectOffset(DL, Bits, Variable, Constant))
    return State{Move::Address, nullptr};
  std::optional<State> Result = stateOf(GEP->getPointerOperand());
  for (const auto &[Index, Scale] : Variable) {
    const std::optional<State> By = stateOf(Index);
    if (!By || !Result)
      return std::nullopt;
    if (By->Kind == Move::Address || Scale.abs().isOne())
      Result->Kind = std::max(Result->Kind, By->Kind);
  }
  return Result;
}

std::optional<PointerMoves::State>
PointerMoves::visitMerge(const Instruction &I) const {
  std::optional<State> Result;
  for (const Value *Choice : choicesOf(I)) {
    const std::optional<State> One = stateOf(Choice);
    if (!One && !isa<PHINode>(I))
      return std::nullopt;
    if (One)
      Result = Result ? join(*Result, *One) : *One;
  }
  return Result;
}

std::optional<PointerMoves::State>
PointerMoves::visitBinary(const Instruction &I) const {
  const std::optional<State> A = stateOf(I.getOperand(0));
  const std::optional<State> B = stateOf(I.getOperand(1));
  if (!A || !B)
    return std::nullopt;
  const auto *By = dyn_cast<ConstantInt>(I.getOperand(1));
  const bool Small = By && By->getValue().ult(LargestIndex);
  const bool Addresses = std::max(A->Kind, B->Kind) == Move::Address;
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return sum(*A, *B, I.getOpcode() == Instruction::Sub);
  case Instruction::And:
    return Small ? State() : join(*A, *B);
  case Instruction::Or:
  case Instruction::Xor:
    return Addresses ? State{Move::Address, nullptr} : join(*A, *B);
  case Instruction::URem:
  case Instruction::SRem:
    if (Small)
      return State();
    break;
  case Instruction::Shl:
    if (!Addresses && By && By->getValue().uge(32) && isWide(I))
      return State{Move::Distance, nullptr};
    break;
  default:
    break;
  }
  return State{Addresses ? Move::Address : Move::Inside, nullptr};
}

std::optional<PointerMoves::State>
PointerMoves::visitInteger(const Instruction &I) const {
  if (const auto *Address = dyn_cast<PtrToIntInst>(&I))
    return State{Move::Address, objectOf(Address->getPointerOperand())};
  if (isCut(&I))
    return stateOf(I.getOperand(0));
  if (isForeign(I))
    return State{Move::Distance, nullptr};
  if (isa<BinaryOperator>(I))
    return visitBinary(I);
  if (!isa<CastInst>(I) && !isa<IntrinsicInst>(I))
    return State();
  State Result;
  for (const Value *Operand : I.operands()) {
    const std::optional<State> One = stateOf(Operand);
    if (!One)
      return std::nullopt;
    if (One->Kind == Move::Address)
      Result = {Move::Address, isa<CastInst>(I) ? One->Object : nullptr};
    else if (isa<IntrinsicInst>(I))
      Result.Kind = std::max(Result.Kind, One->Kind);
  }
  return Result;
}

/// None as long as an operand was not come by yet.
std::optional<PointerMoves::State>
PointerMoves::visit(const Instruction &I) const {
  if (isMergeOperation(I))
    return visitMerge(I);
  if (I.getType()->isPointerTy())
    return visitPointer(I);
  return I.getType()->isIntOrIntVectorTy() ? visitInteger(I) : State();
}

/// States only grow, as an optimistic one of a loop is joined with what comes
/// around.
PointerMoves::PointerMoves(const Function &F) {
  const ReversePostOrderTraversal<const Function *> Order(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const BasicBlock *Block : Order)
      for (const Instruction &I : *Block) {
        const std::optional<State> Next = visit(I);
        if (!Next)
          continue;
        const auto [Found, New] = Known.try_emplace(&I, *Next);
        Changed |= New || Found->second != *Next;
        Found->second = *Next;
      }
  }
}

PointerMoves::Move PointerMoves::of(const Value *Pointer) const {
  const std::optional<State> Moved = stateOf(Pointer);
  return Moved ? Moved->Kind : Move::Inside;
}

} // namespace blockmaestro
