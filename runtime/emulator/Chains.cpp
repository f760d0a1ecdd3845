// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Chains.h"

#include "AccessMarks.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
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
    {&BlockCost::ChainArithmetic, 4}, {&BlockCost::ChainDouble, 8},
    {&BlockCost::ChainSpecial, 40},   {&BlockCost::ChainConversions, 12},
    {&BlockCost::ChainExchanges, 24}, {&BlockCost::ChainBarriers, 30},
    {&BlockCost::ChainShared, 30},    {&BlockCost::ChainReads, 300},
    {&BlockCost::ChainAtomics, 300},  {&BlockCost::ChainPrivate, 30},
    {&BlockCost::ChainOther, 4},
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

CostClass linkOfClass(const Instruction &I, CostClass Class) {
  if (Class == &BlockCost::Special)
    return isConversion(I) ? &BlockCost::ChainConversions
                           : &BlockCost::ChainSpecial;
  if (Class == &BlockCost::Double)
    return &BlockCost::ChainDouble;
  if (Class == &BlockCost::Exchanges)
    return &BlockCost::ChainExchanges;
  return Class == &BlockCost::Integer || Class == &BlockCost::Single
             ? &BlockCost::ChainArithmetic
             : &BlockCost::ChainOther;
}

/// The link that an instruction is, or null where nothing waits for it.
CostClass linkOf(const Instruction &I, ClassOf Class) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return linkOfAccess(Load->getPointerOperand(), &BlockCost::ChainReads);
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return Atomic->use_empty() ? nullptr
                               : linkOfAccess(Atomic->getPointerOperand(),
                                              &BlockCost::ChainAtomics);
  if (const auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
    return linkOfAccess(Swap->getPointerOperand(), &BlockCost::ChainAtomics);
  if (isa<StoreInst, MemIntrinsic>(I) || isFolded(I))
    return nullptr;
  const CostClass Of = Class(I);
  return Of ? linkOfClass(I, Of) : nullptr;
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
  Chaining(ArrayRef<const BasicBlock *> Path, ClassOf Class, BlockCost &Sum)
      : Path(Path), Class(Class), Sum(Sum) {}

  /// Iterations of a loop; what is carried over goes on.
  void run(unsigned Iterations) {
    for (unsigned I = 0; I < Iterations; ++I) {
      const BasicBlock *From = I ? Path.back() : nullptr;
      for (const BasicBlock *B : Path) {
        begin(*B, From);
        for (const Instruction &Each : *B)
          if (!isa<PHINode>(Each))
            take(Each);
        From = B;
      }
    }
    end(ChainScale / Iterations);
  }

private:
  using Known = DenseMap<const Instruction *, Chain>;

  void begin(const BasicBlock &B, const BasicBlock *From) {
    const Known Carried = Ends;
    for (const PHINode &Phi : B.phis())
      Ends[&Phi] =
          endOf(Carried, From ? Phi.getIncomingValueForBlock(From) : nullptr);
  }

  static Chain endOf(const Known &Ends, const Value *Of) {
    const auto *By = dyn_cast_or_null<Instruction>(Of);
    return By ? Ends.lookup(By) : Chain();
  }

  void take(const Instruction &I) {
    if (isBarrier(I, Class)) {
      end(ChainScale);
      Longest.add(&BlockCost::ChainBarriers);
      end(ChainScale);
      return;
    }
    Chain Own = before(I);
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      Writes.push_back({Store->getPointerOperand(), Own});
    if (const CostClass Link = linkOf(I, Class))
      Own.add(Link);
    if (Own.Cycles > Longest.Cycles)
      Longest = Own;
    Ends[&I] = Own;
  }

  void end(uint64_t Times) {
    for (size_t L = 0; L < Count; ++L)
      Sum.*Links[L].Number += Longest.Times[L] * Times;
    Longest = Chain();
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
      Wait(endOf(Ends, Needed));
    const auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || Load->hasMetadata(LLVMContext::MD_invariant_load))
      return Out;
    for (const auto &[Written, End] : Writes)
      if (mayBeSame(Written, Load->getPointerOperand()))
        Wait(End);
    return Out;
  }

  ArrayRef<const BasicBlock *> Path;
  ClassOf Class;
  BlockCost &Sum;
  Chain Longest;
  Known Ends;
  std::vector<std::pair<const Value *, Chain>> Writes;
};

bool hasBarrier(const BasicBlock &B, ClassOf Class) {
  return any_of(B, [&](const Instruction &I) { return isBarrier(I, Class); });
}

/// The only successor that is in the loop, or null.
const BasicBlock *nextInLoop(const BasicBlock &B, const Loop &L) {
  const BasicBlock *Out = nullptr;
  for (const BasicBlock *Next : successors(&B)) {
    if (!L.contains(Next) || Next == Out)
      continue;
    if (Out)
      return nullptr;
    Out = Next;
  }
  return Out;
}

/// The blocks of an innermost loop without barriers from its header on, where
/// there is one path only; else none.
std::vector<const BasicBlock *> pathOf(const Loop &L, ClassOf Class) {
  std::vector<const BasicBlock *> Path;
  if (!L.isInnermost())
    return {};
  for (const BasicBlock *B = L.getHeader(); B; B = nextInLoop(*B, L)) {
    if (hasBarrier(*B, Class))
      return {};
    Path.push_back(B);
    if (nextInLoop(*B, L) == L.getHeader())
      return Path.size() == L.getNumBlocks()
                 ? Path
                 : std::vector<const BasicBlock *>();
    if (Path.size() > L.getNumBlocks())
      return {};
  }
  return {};
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
  const DominatorTree Tree(F);
  const LoopInfo Loops(Tree);
  SmallPtrSet<const BasicBlock *, 16> Unrolled;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (const auto Path = pathOf(*L, Class); !Path.empty()) {
      const bool IsUnrolled =
          findOptionMDForLoop(L, "llvm.loop.unroll.disable") != nullptr;
      Chaining(Path, Class, Sums(*Path.back()))
          .run(IsUnrolled ? 1 : ChainScale);
      Unrolled.insert(Path.begin(), Path.end());
    }
  for (const BasicBlock &B : F)
    if (!Unrolled.contains(&B))
      Chaining({&B}, Class, Sums(B)).run(1);
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
