// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Convergence.h"

#include "Calls.h"
#include "Canonicalize.h"
#include "KernelModel.h"
#include "PtxAssembly.h"

#include "llvm/ADT/GenericUniformityImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CycleInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

// Note [Meeting]
// Since sm_70 a barrier waits for the threads that have not exited, and a warp
// operation for the lanes of its mask that have not. A block variant in which
// threads that have returned wait for the others to return would keep those
// waiting forever, unless all threads meet at the same operations. They do
// where no divergent branch decides whether, or how often, an operation is
// reached: none lies between such a branch and the block where all its ways
// come together again.
//
// A branch is divergent when its condition may differ among the threads of the
// block, for barriers, or of the warp, for warp operations. What is uniform is
// listed; everything else is divergent:
//  - the kernel's arguments, the sizes of block and grid, the block's index;
//  - a plain load of uniform address, from memory that the kernel never writes;
//  - the answer of a barrier that votes, and of a warp's vote for the warp;
//  - for warps of a block whose rows are whole warps: the row, the warp's
//    number, and what is compared with a whole number of warps.
// Joins and loops that divergent branches control are LLVM's to find.

namespace blockmaestro {

namespace {

constexpr unsigned WarpSize = 32;

/// Of one axis of a block.
constexpr unsigned MostThreads = 1024;

/// How deep sums and products are looked into.
constexpr unsigned MostDepth = 6;

/// Blocks times divergent branches beyond which threads may part.
constexpr size_t MostSteps = 20'000'000;

/// Prefixes of intrinsics that wait for lanes of a warp.
constexpr StringRef WarpPrefixes[] = {
    "llvm.nvvm.shfl.",      "llvm.nvvm.vote.",     "llvm.nvvm.match.",
    "llvm.nvvm.bar.warp.",  "llvm.nvvm.redux.",    "llvm.nvvm.elect",
    "llvm.nvvm.mma.",       "llvm.nvvm.wmma.",     "llvm.nvvm.wgmma.",
    "llvm.nvvm.ldmatrix.",  "llvm.nvvm.stmatrix.", "llvm.nvvm.setmaxnreg.",
    "llvm.nvvm.warpgroup.", "llvm.nvvm.tcgen05.",
};

StringRef intrinsicName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isIntrinsic() ? Callee->getName() : StringRef();
}

/// Whose threads stay together.
enum class Group {
  Block,
  Warp,
  RowWarp, ///< A warp of a block whose rows are whole warps.
};

bool isOperation(const CallBase &Call, Group Of) {
  return Of == Group::Block ? isBlockBarrier(Call) : isWarpOperation(Call);
}

/// Whether V is the same in all lanes of a warp of whole rows by how it is
/// written.
bool isWarpNumber(const Value *V, unsigned Depth) {
  if (isa<Constant>(V) || isa<Argument>(V))
    return true;
  if (std::optional<Symbol> S = launchValue(V))
    return S->Kind != SymbolKind::ThreadIdx || S->Dimension > 0;
  const auto *I = dyn_cast<Instruction>(V);
  return I && Depth > 0 && (isa<BinaryOperator>(I) || isa<CastInst>(I)) &&
         all_of(I->operands(), [&](const Value *Operand) {
           return isWarpNumber(Operand, Depth - 1);
         });
}

/// Whether V is a warp number that is a multiple of the warp size.
bool isWholeWarps(const Value *V, unsigned Depth) {
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().urem(WarpSize) == 0;
  if (std::optional<Symbol> S = launchValue(V))
    return S->Kind == SymbolKind::BlockDim && S->Dimension == 0;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0 || !isWarpNumber(I, Depth))
    return false;
  auto Whole = [&](const Value *Operand) {
    return isWholeWarps(Operand, Depth - 1);
  };
  switch (I->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Or:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return all_of(I->operands(), Whole);
  case Instruction::Mul:
    return any_of(I->operands(), Whole);
  case Instruction::Shl: {
    const auto *By = dyn_cast<ConstantInt>(I->getOperand(1));
    return Whole(I->getOperand(0)) ||
           (By && By->getValue().uge(Log2_32(WarpSize)));
  }
  default:
    return false;
  }
}

/// Whether V is threadIdx.x plus a whole number of warps.
bool isWarpAligned(const Value *V, unsigned Depth) {
  if (std::optional<Symbol> S = launchValue(V))
    return S->Kind == SymbolKind::ThreadIdx && S->Dimension == 0;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0)
    return false;
  if (isa<ZExtInst>(I) || isa<SExtInst>(I) || isa<TruncInst>(I))
    return isWarpAligned(I->getOperand(0), Depth - 1);
  const auto *Or = dyn_cast<PossiblyDisjointInst>(I);
  if (I->getOpcode() != Instruction::Add && !(Or && Or->isDisjoint()))
    return false;
  return any_of(I->operands(), [&](const Use &Part) {
    const Value *Rest = I->getOperand(1 - Part.getOperandNo());
    return isWarpAligned(Part, Depth - 1) && isWholeWarps(Rest, Depth);
  });
}

/// Whether V is a number of a block times the size of blocks, of one axis.
bool isBlockStart(const Value *V) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getOpcode() != Instruction::Mul)
    return false;
  auto Is = [](const Value *Factor, SymbolKind Kind) {
    std::optional<Symbol> S = launchValue(Factor);
    return S && S->Kind == Kind;
  };
  auto IsSize = [&](const Value *Factor) {
    const auto *C = dyn_cast<ConstantInt>(Factor);
    return C ? C->getValue().ule(MostThreads)
             : Is(Factor, SymbolKind::BlockDim);
  };
  const Value *Left = I->getOperand(0), *Right = I->getOperand(1);
  return (Is(Left, SymbolKind::BlockIdx) && IsSize(Right)) ||
         (Is(Right, SymbolKind::BlockIdx) && IsSize(Left));
}

/// Whether V is threadIdx.x, or its sum with where the block starts: workers
/// run no launch with so many blocks that such a number is negative.
bool isThreadNumber(const Value *V) {
  if (std::optional<Symbol> S = launchValue(V))
    return S->Kind == SymbolKind::ThreadIdx;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  if (isa<ZExtInst>(I) || isa<SExtInst>(I))
    return isThreadNumber(I->getOperand(0));
  if (I->getOpcode() != Instruction::Add)
    return false;
  return any_of(I->operands(), [&](const Use &Part) {
    std::optional<Symbol> S = launchValue(Part);
    return S && S->Kind == SymbolKind::ThreadIdx &&
           isBlockStart(I->getOperand(1 - Part.getOperandNo()));
  });
}

/// Whether comparing what is aligned to warps with Bound tells lanes of one
/// warp apart: not where the bound is between two warps.
bool isBetweenWarps(CmpInst::Predicate How, const Value *Bound) {
  const auto *C = dyn_cast<ConstantInt>(Bound);
  if (!C)
    return false;
  bool Behind = How == CmpInst::ICMP_UGT || How == CmpInst::ICMP_ULE ||
                How == CmpInst::ICMP_SGT || How == CmpInst::ICMP_SLE;
  return !ICmpInst::isEquality(How) &&
         (C->getValue() + (Behind ? 1 : 0)).urem(WarpSize) == 0;
}

/// Whether I makes of its lanes' own numbers one of the whole warp.
bool isOfWholeWarp(const Instruction &I) {
  if (!isa<BinaryOperator>(I) && !isa<ICmpInst>(I))
    return false;
  const auto *Number = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!Number || !isWarpAligned(I.getOperand(0), MostDepth))
    return false;
  switch (I.getOpcode()) {
  case Instruction::LShr:
  case Instruction::AShr:
    return Number->getValue().uge(Log2_32(WarpSize));
  case Instruction::And:
  case Instruction::UDiv:
    return !Number->isZero() && Number->getValue().urem(WarpSize) == 0;
  case Instruction::SDiv: // Rounds to zero: lanes differ below it.
    return !Number->isZero() && Number->getValue().urem(WarpSize) == 0 &&
           isThreadNumber(I.getOperand(0));
  case Instruction::ICmp:
    return isBetweenWarps(cast<ICmpInst>(I).getPredicate(), Number);
  default:
    return false;
  }
}

/// What is uniform among the threads of a group: see Note [Meeting].
class GroupUniformity final : public TargetTransformInfoImplBase {
public:
  GroupUniformity(const DataLayout &DL, Group Of, const Footprint &Bytes)
      : TargetTransformInfoImplBase(DL), Of(Of), Bytes(Bytes) {}

  bool hasBranchDivergence(const Function *) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value *V) const override;

private:
  InstructionUniformity ofLoad(const LoadInst &Load) const;
  InstructionUniformity ofCall(const CallBase &Call) const;
  bool isNeverWritten(const Root &Base) const;

  Group Of;
  const Footprint &Bytes;
};

bool GroupUniformity::isNeverWritten(const Root &Base) const {
  return none_of(Bytes.Accesses, [&](const Access &A) {
    return A.Kind != AccessKind::Read &&
           (A.How == Exactness::Unknown || sameRoot(A.Base, Base));
  });
}

InstructionUniformity GroupUniformity::ofLoad(const LoadInst &Load) const {
  auto IsFixed = [&](const Value *V) {
    const auto *A = dyn_cast<Argument>(V);
    if (A && A->hasByValAttr())
      return isConstantAggregate(*A);
    const Object Place = classifyObject(V);
    return Place.What == Object::Kind::Known && isNeverWritten(Place.Base);
  };
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Load.getPointerOperand(), Objects, nullptr, 0);
  return isPlainLoad(Load) && all_of(Objects, IsFixed)
             ? InstructionUniformity::Default
             : InstructionUniformity::NeverUniform;
}

InstructionUniformity GroupUniformity::ofCall(const CallBase &Call) const {
  if (std::optional<Symbol> S = launchValue(&Call)) {
    bool Differs = S->Kind == SymbolKind::ThreadIdx &&
                   (Of != Group::RowWarp || S->Dimension == 0);
    return Differs ? InstructionUniformity::NeverUniform
                   : InstructionUniformity::AlwaysUniform;
  }
  StringRef Name = intrinsicName(Call);
  if (Name.starts_with("llvm.nvvm.barrier.cta.red.") ||
      Name == "llvm.nvvm.read.ptx.sreg.warpsize" ||
      (Of != Group::Block && Name.starts_with("llvm.nvvm.vote.")))
    return InstructionUniformity::AlwaysUniform;
  bool Computes = Call.doesNotAccessMemory() && !Call.isConvergent() &&
                  !Call.isInlineAsm() &&
                  !Name.starts_with("llvm.nvvm.read.ptx.sreg.");
  return Computes ? InstructionUniformity::Default
                  : InstructionUniformity::NeverUniform;
}

InstructionUniformity
GroupUniformity::getInstructionUniformity(const Value *V) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return InstructionUniformity::Default;
  if (Of == Group::RowWarp && isOfWholeWarp(*I))
    return InstructionUniformity::AlwaysUniform;
  if (const auto *Load = dyn_cast<LoadInst>(I))
    return ofLoad(*Load);
  if (const auto *Call = dyn_cast<CallBase>(I))
    return ofCall(*Call);
  return I->mayReadOrWriteMemory() ? InstructionUniformity::NeverUniform
                                   : InstructionUniformity::Default;
}

/// Whether threads end in Block, other than by a trap.
bool endsThreads(const BasicBlock &Block) {
  return isa<ReturnInst>(Block.getTerminator()) ||
         any_of(Block, [](const Instruction &I) {
           const auto *Call = dyn_cast<IntrinsicInst>(&I);
           return Call && Call->getIntrinsicID() == Intrinsic::nvvm_exit;
         });
}

/// The blocks from which threads may come to their end.
SmallPtrSet<const BasicBlock *, 32> endingBlocks(const Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Found;
  SmallVector<const BasicBlock *, 32> Work;
  for (const BasicBlock &Block : F)
    if (endsThreads(Block))
      Work.push_back(&Block);
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (Found.insert(Block).second)
      append_range(Work, predecessors(Block));
  }
  return Found;
}

/// Leads ways into a trap to where a thread that does not trap goes.
void forgetTraps(Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Ending = endingBlocks(F);
  for (BasicBlock &Block : F) {
    Instruction *End = Block.getTerminator();
    auto Way = find_if(successors(&Block), [&](const BasicBlock *Next) {
      return Ending.contains(Next);
    });
    if (Way == succ_end(&Block))
      continue;
    BasicBlock *Next = *Way;
    for (unsigned I = 0; I < End->getNumSuccessors(); ++I) {
      BasicBlock *Trap = End->getSuccessor(I);
      if (Ending.contains(Trap))
        continue;
      Trap->removePredecessor(&Block);
      for (PHINode &Phi : Next->phis())
        Phi.addIncoming(Phi.getIncomingValueForBlock(&Block), &Block);
      End->setSuccessor(I, Next);
    }
  }
}

/// The blocks that some ways out of Fork lead through and others may not: those
/// before all come together again.
SmallPtrSet<const BasicBlock *, 32> partedBlocks(const BasicBlock &Fork,
                                                 const PostDominatorTree &PDT) {
  const auto *Node = PDT.getNode(&Fork);
  const auto *Behind = Node ? Node->getIDom() : nullptr;
  const BasicBlock *Join = Behind ? Behind->getBlock() : nullptr;
  SmallPtrSet<const BasicBlock *, 32> Found;
  SmallVector<const BasicBlock *, 32> Work(successors(&Fork));
  while (!Work.empty()) {
    const BasicBlock *Block = Work.pop_back_val();
    if (Block != Join && Found.insert(Block).second)
      append_range(Work, successors(Block));
  }
  return Found;
}

/// Whether Call, of a function with a body, leads to an operation of the group.
bool leadsToOperation(const CallBase &Call, Group Of) {
  return any_of(targetsOf(Call).Functions, [&](const Function *Target) {
    return any_of(reachableFrom(*Target), [&](const Function *F) {
      return any_of(instructions(*F), [&](const Instruction &I) {
        const auto *Inner = dyn_cast<CallBase>(&I);
        return Inner && isOperation(*Inner, Of);
      });
    });
  });
}

/// Whether some threads of a group may pass operations that others do not.
bool mayPart(Function &F, Group Of, const Footprint &Bytes) {
  SmallPtrSet<const BasicBlock *, 8> Sites;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      if (leadsToOperation(*Call, Of))
        return true;
      if (isOperation(*Call, Of))
        Sites.insert(Call->getParent());
    }
  if (Sites.empty())
    return false;
  DominatorTree DT(F);
  PostDominatorTree PDT(F);
  CycleInfo Cycles;
  Cycles.compute(F);
  TargetTransformInfo Target(
      std::make_unique<GroupUniformity>(F.getDataLayout(), Of, Bytes));
  UniformityInfo Uniformity(DT, Cycles, &Target);
  Uniformity.compute();
  SmallVector<const BasicBlock *, 16> Forks;
  for (const BasicBlock &Block : F)
    if (Uniformity.hasDivergentTerminator(Block))
      Forks.push_back(&Block);
  if (Forks.size() * F.size() > MostSteps)
    return true;
  return any_of(Forks, [&](const BasicBlock *Fork) {
    SmallPtrSet<const BasicBlock *, 32> Parted = partedBlocks(*Fork, PDT);
    return any_of(
        Sites, [&](const BasicBlock *Site) { return Parted.contains(Site); });
  });
}

} // namespace

bool isBlockBarrier(const CallBase &Call) {
  if (Call.isInlineAsm())
    return describeAssembly(Call).Barrier;
  StringRef Name = intrinsicName(Call);
  return Name.starts_with("llvm.nvvm.barrier.cta.") ||
         Name.starts_with("llvm.nvvm.barrier0") ||
         Name.starts_with("llvm.nvvm.bar.sync");
}

bool isWarpOperation(const CallBase &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return StringRef(Asm->getAsmString()).contains("sync");
  return any_of(WarpPrefixes, [&](StringRef Prefix) {
    return intrinsicName(Call).starts_with(Prefix);
  });
}

Convergence convergenceOf(Function &Kernel, const Footprint &Bytes) {
  forgetTraps(Kernel);
  if (mayPart(Kernel, Group::Block, Bytes))
    return Convergence::None;
  if (!mayPart(Kernel, Group::Warp, Bytes))
    return Convergence::Full;
  return mayPart(Kernel, Group::RowWarp, Bytes) ? Convergence::None
                                                : Convergence::InRows;
}

} // namespace blockmaestro
