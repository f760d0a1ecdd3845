// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Strips]
// ~~~~~~~~~~~~~
// A block of 16 x 16 threads touches 16 short pieces of memory, each in another
// row of a picture; its neighbour touches the next pieces. Run one block after
// another, such a kernel defeats what caches and prefetchers are made for. A
// loop by hand runs along whole rows.
//
// Most kernels know where they are only by
//     x = blockIdx.x * blockDim.x + threadIdx.x
// For them n blocks that are neighbours in x are the same as one block that is
// n times as wide and stands where the first of them does: x takes the same
// values, each once. So the same code runs a strip of blocks when it is told a
// larger extent (BlockContext::StripBlocks). Blocks have no order among them
// and may run at the same time, so their threads may take turns.
//
// To see that a body is of this kind we follow blockIdx.x and threadIdx.x
// through sums and products with constants. Such a value is
//     a * blockIdx.x + b * threadIdx.x + what does not depend on either
// and it is settled if a = b * blockDim.x: then the wide block computes it as
// the single blocks do, modulo the width of its type. As long as it is open it
// may be used in further sums only. What LLVM knows of open values, from the
// range of threadIdx.x, does not hold in a strip, and is removed.
//
// Whatever else is different from block to block has to be missing: shared
// memory, visit counts, calls that are told the context.
//
// A strip changes the order of accesses where blocks have several rows. That
// pays only if neighbours in x are neighbours in memory. And where a thread
// walks through memory in a loop, the next row of the block wants what the
// first has just brought into the caches: such blocks stay small.

#include "Strips.h"

#include "BlockContext.h"
#include "BlockFunction.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <cstddef>
#include <optional>

using namespace llvm;

namespace blockmaestro {

namespace {

/// The field of the BlockContext that \p I reads for as long as a block runs,
/// or nothing.
std::optional<uint64_t> constantField(const Instruction &I,
                                      const Function &Body) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load || !Load->hasMetadata(LLVMContext::MD_invariant_load))
    return std::nullopt;
  APInt Offset(64, 0);
  const Value *Base =
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          Body.getParent()->getDataLayout(), Offset, true);
  if (Base != Body.getArg(0))
    return std::nullopt;
  return Offset.getZExtValue();
}

bool isIn(uint64_t Field, uint64_t First, uint64_t Bytes) {
  return Field >= First && Field < First + Bytes;
}

/// Whether the context's \p Field is the same for all blocks of a launch, or
/// where a block is.
bool isOfAnyBlock(uint64_t Field) {
  return isIn(Field, offsetof(BlockContext, Arguments), sizeof(void *)) ||
         isIn(Field, offsetof(BlockContext, Grid), 12) ||
         isIn(Field, offsetof(BlockContext, Block), 12) ||
         isIn(Field, offsetof(BlockContext, Index), 12);
}

/// Whether \p Body does nothing with \p Pointer, which points into the context,
/// but read what isOfAnyBlock().
bool readsOnlyPlaces(const Value &Pointer, const Function &Body) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (isa<GetElementPtrInst>(U))
      return readsOnlyPlaces(*U, Body);
    const auto *I = dyn_cast<Instruction>(U);
    std::optional<uint64_t> Field = I ? constantField(*I, Body) : std::nullopt;
    return Field && isOfAnyBlock(*Field);
  });
}

/// `Block * blockIdx.x + Thread * threadIdx.x + the rest`, modulo 2^64.
struct Share {
  uint64_t Block = 0, Thread = 0;
};

/// Follows the values that are open; see Note [Strips].
class OpenValues {
public:
  OpenValues(Function &Body, uint32_t Extent) : Body(Body), Extent(Extent) {}

  /// Whether all of them settle.
  bool settle();
  /// Removes from sums and products what holds in single blocks only.
  void forgetRanges();

private:
  Share of(const Value *V) const { return Open.lookup(V); }
  std::optional<Share> leaf(const Instruction &I) const;
  std::optional<Share> combine(const Instruction &I) const;
  bool isSettled(Share S, const Type *T) const;

  Function &Body;
  uint64_t Extent;
  DenseMap<const Value *, Share> Open;
  SmallVector<Instruction *> Combined; ///< From open values, in order.
};

bool OpenValues::isSettled(Share S, const Type *T) const {
  unsigned Unused = 64 - T->getIntegerBitWidth();
  return ((S.Block - S.Thread * Extent) << Unused) == 0;
}

/// blockIdx.x, and extensions of the two indices, which are never negative.
std::optional<Share> OpenValues::leaf(const Instruction &I) const {
  std::optional<uint64_t> Field = constantField(I, Body);
  if (Field && *Field == offsetof(BlockContext, Index) &&
      I.getType()->isIntegerTy(32))
    return Share{1, 0};
  if (!isa<ZExtInst, SExtInst>(I) || !I.getType()->isIntegerTy(64))
    return std::nullopt;
  const Value *From = I.getOperand(0);
  if (From == Body.getArg(1))
    return Share{0, 1};
  const auto *Load = dyn_cast<LoadInst>(From);
  return Load ? leaf(*Load) : std::nullopt;
}

/// The share of the sum or product \p I, where it is one.
std::optional<Share> OpenValues::combine(const Instruction &I) const {
  if (!isa<BinaryOperator>(I) || I.getType()->getScalarSizeInBits() > 64 ||
      !I.getType()->isIntegerTy())
    return std::nullopt;
  Share L = of(I.getOperand(0)), R = of(I.getOperand(1));
  const auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  uint64_t N = Number ? Number->getSExtValue() : 0;
  const auto *Or = dyn_cast<PossiblyDisjointInst>(&I);
  switch (I.getOpcode()) {
  case Instruction::Or:
    if (!Or->isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case Instruction::Add:
    return Share{L.Block + R.Block, L.Thread + R.Thread};
  case Instruction::Sub:
    return Share{L.Block - R.Block, L.Thread - R.Thread};
  case Instruction::Mul:
    return Number ? std::optional(Share{L.Block * N, L.Thread * N})
                  : std::nullopt;
  case Instruction::Shl:
    return Number && N < I.getType()->getIntegerBitWidth()
               ? std::optional(Share{L.Block << N, L.Thread << N})
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

bool OpenValues::settle() {
  Open[Body.getArg(1)] = {0, 1};
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&Body))
    for (Instruction &I : *Block) {
      if (std::optional<Share> S = leaf(I)) {
        Open[&I] = *S;
        continue;
      }
      if (none_of(I.operands(), [&](Use &U) { return Open.contains(U); }))
        continue;
      std::optional<Share> S = combine(I);
      if (!S)
        return false;
      Combined.push_back(&I);
      if (!isSettled(*S, I.getType()))
        Open[&I] = *S;
    }
  SmallPtrSet<const User *, 16> Known(Combined.begin(), Combined.end());
  return all_of(Open, [&](auto &Each) {
    return all_of(Each.first->users(), [&](const User *U) {
      return Known.contains(U) || Open.contains(U);
    });
  });
}

void OpenValues::forgetRanges() {
  for (Instruction *I : Combined) {
    if (I->getOpcode() != Instruction::Or) {
      I->dropPoisonGeneratingFlags();
      continue;
    }
    IRBuilder<> B(I);
    I->replaceAllUsesWith(B.CreateAdd(I->getOperand(0), I->getOperand(1)));
    I->eraseFromParent();
  }
}

/// How far apart in memory the accesses of threads are that are neighbours in
/// x. A guess, for what pays: values that change in loops count as the same.
class Strides {
public:
  explicit Strides(Function &Body) : Body(Body) {}

  /// The constant by which \p V grows from thread to thread, if there is one.
  std::optional<int64_t> of(Value *V);

private:
  std::optional<int64_t> compute(Instruction &I);
  std::optional<int64_t> computeAddress(GEPOperator &Address);

  Function &Body;
  DenseMap<Value *, std::optional<int64_t>> Known;
};

std::optional<int64_t> Strides::computeAddress(GEPOperator &Address) {
  const DataLayout &Layout = Body.getParent()->getDataLayout();
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Fixed(64, 0);
  std::optional<int64_t> Sum = of(Address.getPointerOperand());
  if (!Sum || !Address.collectOffset(Layout, 64, Variable, Fixed))
    return std::nullopt;
  for (auto &[Index, Scale] : Variable) {
    std::optional<int64_t> Step = of(Index);
    if (!Step)
      return std::nullopt;
    *Sum += *Step * Scale.getSExtValue();
  }
  return Sum;
}

std::optional<int64_t> Strides::compute(Instruction &I) {
  if (auto *Address = dyn_cast<GEPOperator>(&I))
    return computeAddress(*Address);
  SmallVector<int64_t> Steps;
  for (Value *Operand : I.operand_values()) {
    std::optional<int64_t> Step = of(Operand);
    if (!Step)
      return std::nullopt;
    Steps.push_back(*Step);
  }
  if (isa<PHINode>(I))
    return *max_element(Steps);
  if (all_of(Steps, [](int64_t Step) { return Step == 0; }))
    return 0;
  const auto *Number = I.getNumOperands() == 2
                           ? dyn_cast<ConstantInt>(I.getOperand(1))
                           : nullptr;
  switch (I.getOpcode()) {
  case Instruction::Or:
  case Instruction::Add:
    return Steps[0] + Steps[1];
  case Instruction::Sub:
    return Steps[0] - Steps[1];
  case Instruction::Mul:
    return Number ? std::optional(Steps[0] * Number->getSExtValue())
                  : std::nullopt;
  case Instruction::Shl:
    return Number && Number->getLimitedValue() < 32
               ? std::optional(Steps[0] << Number->getZExtValue())
               : std::nullopt;
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return Steps[0];
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Strides::of(Value *V) {
  if (V == Body.getArg(1))
    return 1;
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return 0;
  auto [Place, New] = Known.try_emplace(V, 0);
  if (!New)
    return Place->second;
  std::optional<int64_t> Step = compute(*I);
  Known[V] = Step;
  return Step;
}

/// Whether neighbours in x access neighbours in memory, or all the same, and
/// each only a few places.
bool runsAlongMemory(Function &Body) {
  constexpr int64_t Farthest = 16;
  Strides Known(Body);
  DominatorTree Tree(Body);
  LoopInfo Loops(Tree);
  return all_of(instructions(Body), [&](Instruction &I) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer)
      return true;
    std::optional<int64_t> Step = Known.of(Pointer);
    return Step && *Step <= Farthest && *Step >= -Farthest &&
           !Loops.getLoopFor(I.getParent());
  });
}

} // namespace

uint32_t stripThreads(Function &Body, BlockShape Shape) {
  constexpr uint32_t MostInARow = 1 << 16, MostInManyRows = 1024;
  if (!Shape.known() || !readsOnlyPlaces(*Body.getArg(0), Body))
    return 0;
  bool ManyRows = Shape.Extent[1] > 1 || Shape.Extent[2] > 1;
  if (ManyRows && !runsAlongMemory(Body))
    return 0;
  OpenValues Places(Body, Shape.Extent[0]);
  if (!Places.settle())
    return 0;
  Places.forgetRanges();
  return ManyRows ? MostInManyRows : MostInARow;
}

} // namespace blockmaestro
