// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chains.h"

#include "AccessMarks.h"
#include "IssuedSequences.h"
#include "Predication.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

using namespace llvm;

namespace blockmaestro {

namespace {

struct Link {
  CostClass Number;
  uint32_t Cycles; ///< Of a GPU of today, to compare chains by.
};

/// Which chain is the longest hardly depends on the generation.
constexpr Link Links[] = {
    {&BlockCost::ChainArithmetic, 5},   {&BlockCost::ChainSingle, 4},
    {&BlockCost::ChainDouble, 8},       {&BlockCost::ChainSpecial, 40},
    {&BlockCost::ChainConversions, 12}, {&BlockCost::ChainApproximations, 20},
    {&BlockCost::ChainExchanges, 24},   {&BlockCost::ChainBarriers, 30},
    {&BlockCost::ChainShared, 30},      {&BlockCost::ChainReads, 300},
    {&BlockCost::ChainAtomics, 300},    {&BlockCost::ChainPrivate, 30},
    {&BlockCost::ChainBranches, 13},    {&BlockCost::ChainOther, 4},
};
constexpr size_t Count = std::size(Links);

/// How often each link is on a chain.
struct Chain {
  uint64_t Cycles = 0;
  std::array<uint32_t, Count> Times = {};

  void add(CostClass Number) {
    const Link *Of =
        std::find_if(std::begin(Links), std::end(Links),
                     [&](const Link &L) { return L.Number == Number; });
    ++Times[size_t(Of - Links)];
    Cycles += Of->Cycles;
  }
};

CostClass linkOfAccess(const Value *Pointer, CostClass Global) {
  if (isPrivate(Pointer))
    return &BlockCost::ChainPrivate;
  const Value *Object = getUnderlyingObject(Pointer, /*MaxLookup=*/0);
  return Object->getType()->getPointerAddressSpace() ==
                 NVPTXAS::ADDRESS_SPACE_SHARED
             ? &BlockCost::ChainShared
             : Global;
}

/// Whether the code generator makes one instruction of the product and the
/// only sum that it is part of.
bool isFused(const Instruction &I) {
  if (!I.hasOneUse())
    return false;
  const unsigned Sum = cast<Instruction>(*I.user_begin())->getOpcode();
  if (I.getOpcode() == Instruction::Mul)
    return Sum == Instruction::Add;
  return I.getOpcode() == Instruction::FMul && I.hasAllowContract() &&
         (Sum == Instruction::FAdd || Sum == Instruction::FSub);
}

CostClass linkOfIssued(WarpClass Class) {
  switch (Class) {
  case WarpClass::Integer:
  case WarpClass::Comparison:
    return &BlockCost::ChainArithmetic;
  case WarpClass::Single:
  case WarpClass::Product:
    return &BlockCost::ChainSingle;
  case WarpClass::Double:
    return &BlockCost::ChainDouble;
  case WarpClass::Special:
    return &BlockCost::ChainSpecial;
  case WarpClass::Approximation:
    return &BlockCost::ChainApproximations;
  case WarpClass::Conversion:
    return &BlockCost::ChainConversions;
  case WarpClass::Exchange:
    return &BlockCost::ChainExchanges;
  case WarpClass::Branch:
    return &BlockCost::ChainBranches;
  default:
    return &BlockCost::ChainOther;
  }
}

/// The link that an access is, or null where nothing waits for it.
CostClass linkOfMemory(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return linkOfAccess(Load->getPointerOperand(), &BlockCost::ChainReads);
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return Atomic->use_empty() ? nullptr
                               : linkOfAccess(Atomic->getPointerOperand(),
                                              &BlockCost::ChainAtomics);
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return linkOfAccess(Swap->getPointerOperand(), &BlockCost::ChainAtomics);
  return nullptr;
}

/// Adds what an instruction that needs \p I waits for.
void addLinks(Chain &To, const Instruction &I, ClassOf Class) {
  if (const CostClass Access = linkOfMemory(I))
    return To.add(Access);
  if (isa<LoadInst, StoreInst, MemIntrinsic, AtomicRMWInst>(I) ||
      isReplacedByPredicate(I))
    return;
  const CostClass Counted = Class(I);
  if (!Counted || !issuesOf(I))
    return;
  const StringRef Sequence = issuedSequenceOf(I);
  if (Sequence.empty())
    return To.add(linkOfIssued(issuedClassOf(I, Counted)));
  for (const char Letter : Sequence)
    if (isOfChain(Letter))
      To.add(linkOfIssued(classOfLetter(Letter)));
}

bool isBarrier(const Instruction &I, ClassOf Class) {
  if (Class(I) == &BlockCost::Barriers)
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName().starts_with("llvm.nvvm.bar.warp.");
}

/// Chains from one barrier to the next.
class Chaining {
public:
  /// What of \p Path, which is run one after the other, goes to \p Sum.
  Chaining(ClassOf Class, BlockCost &Sum) : Class(Class), Sum(Sum) {}

  void run(ArrayRef<BasicBlock *> Path) {
    for (BasicBlock *B : Path)
      for (const Instruction &Each : *B)
        take(Each);
    end();
  }

private:
  void take(const Instruction &I) {
    if (isBarrier(I, Class)) {
      end();
      Longest.add(&BlockCost::ChainBarriers);
      end();
      return;
    }
    Chain Own = before(I);
    if (Own.Cycles > Issued.Cycles)
      Issued = Own;
    if (I.isTerminator() && !isReplacedByPredicate(I))
      Own = Issued;
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      Writes.push_back({Store->getPointerOperand(), Own});
    addLinks(Own, I, Class);
    if (Own.Cycles > Longest.Cycles)
      Longest = Own;
    Ends[&I] = Own;
  }

  void end() {
    for (size_t L = 0; L < Count; ++L)
      Sum.*Links[L].Number += Longest.Times[L];
    Longest = Issued = Chain();
    Ends.clear();
    Writes.clear();
  }

  /// The longest of those that end in what \p I waits for.
  Chain before(const Instruction &I) const {
    Chain Out;
    const auto Wait = [&](const Chain &For) {
      if (For.Cycles > Out.Cycles)
        Out = For;
    };
    for (const Value *Needed : I.operands())
      if (const auto *By = dyn_cast<Instruction>(Needed))
        Wait(Ends.lookup(By));
    if (const BranchInst *By = predicateOf(*I.getParent()))
      if (const auto *Condition = dyn_cast<Instruction>(By->getCondition()))
        Wait(Ends.lookup(Condition));
    const auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || Load->hasMetadata(LLVMContext::MD_invariant_load))
      return Out;
    for (const auto &[Written, End] : Writes)
      if (mayBeSame(Written, Load->getPointerOperand()))
        Wait(End);
    return Out;
  }

  ClassOf Class;
  BlockCost &Sum;
  Chain Longest;
  Chain Issued; ///< Until the last so far could be issued.
  DenseMap<const Instruction *, Chain> Ends;
  std::vector<std::pair<const Value *, Chain>> Writes;
};

/// The block that only \p B and \p Predicated, which is executed by a predicate
/// of its, lead to; or null.
BasicBlock *behindBoth(const BasicBlock &B, BasicBlock &Predicated) {
  BasicBlock *Behind = Predicated.getSingleSuccessor();
  return Behind && Behind->hasNPredecessors(2) && Behind != &B ? Behind
                                                               : nullptr;
}

/// From \p B on what goes on with its chains.
std::vector<BasicBlock *> pathFrom(BasicBlock &B) {
  std::vector<BasicBlock *> Path = {&B};
  while (BasicBlock *Predicated = predicatedBehind(*Path.back())) {
    BasicBlock *Behind = behindBoth(*Path.back(), *Predicated);
    Path.push_back(Predicated);
    if (!Behind || is_contained(Path, Behind))
      break;
    Path.push_back(Behind);
  }
  return Path;
}

/// Whether \p B goes on with the chains of another.
bool goesOn(BasicBlock &B) {
  if (predicateOf(B))
    return true;
  return any_of(predecessors(&B), [&](BasicBlock *Before) {
    BasicBlock *Predicated = predicatedBehind(*Before);
    return Predicated && behindBoth(*Before, *Predicated) == &B;
  });
}

} // namespace

bool isConversion(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call)
    return isa<CastInst>(I);
  switch (Call->getIntrinsicID()) {
  case Intrinsic::ceil:
  case Intrinsic::floor:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::trunc:
    return true;
  default:
    return false;
  }
}

bool isFolded(const Instruction &I) {
  if (const auto *Address = dyn_cast<GetElementPtrInst>(&I))
    return Address->hasAllConstantIndices();
  return isa<SExtInst, ZExtInst, TruncInst>(I) || isFused(I);
}

bool mayBeSame(const Value *Written, const Value *Read) {
  const Value *One = getUnderlyingObject(Written, /*MaxLookup=*/0);
  const Value *Other = getUnderlyingObject(Read, /*MaxLookup=*/0);
  const auto SpaceOf = [](const Value *V) {
    return V->getType()->getPointerAddressSpace();
  };
  const bool Apart = isIdentifiedObject(One) && isIdentifiedObject(Other);
  return One == Other ||
         !(Apart || isPrivate(One) || isPrivate(Other) ||
           (SpaceOf(One) == NVPTXAS::ADDRESS_SPACE_SHARED) !=
               (SpaceOf(Other) == NVPTXAS::ADDRESS_SPACE_SHARED));
}

void addChains(Function &F, ClassOf Class,
               function_ref<BlockCost &(const BasicBlock &)> Sums) {
  for (BasicBlock &B : F)
    if (!goesOn(B))
      Chaining(Class, Sums(B)).run(pathFrom(B));
}

uint64_t chainCycles(const BlockCost &Of) {
  uint64_t Sum = 0;
  for (const Link &L : Links)
    Sum += Of.*L.Number * L.Cycles;
  return std::max(Sum, Of.ChainInstructions);
}

bool isOfSlowestWarp(CostClass Number) {
  return Number == &BlockCost::ChainInstructions ||
         std::any_of(std::begin(Links), std::end(Links),
                     [&](const Link &L) { return L.Number == Number; });
}

} // namespace blockmaestro
