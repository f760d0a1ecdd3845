// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedLoops.h"

#include "NestedPasses.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {
namespace {

constexpr StringLiteral Mark = "blockmaestro.loop.shared";
/// Instructions of a loop that gets a copy of its body.
constexpr size_t MostPeeled = 400;

/// Arguments of __kmpc_for_static_init_*.
enum { Schedule = 2, Last, Lower, Upper, Stride, Increment, Chunk, Count };

bool isOne(const Value *V) { return match(V, m_One()); }

/// Whether the threads get every n-th iteration each.
bool sharesOneByOne(const CallInst &Call) {
  constexpr uint64_t Kind = 0xff, StaticChunked = 33;
  if (Call.arg_size() != Count)
    return false;
  const auto *How = dyn_cast<ConstantInt>(Call.getArgOperand(Schedule));
  return How && (How->getZExtValue() & Kind) == StaticChunked &&
         isOne(Call.getArgOperand(Increment)) &&
         isOne(Call.getArgOperand(Chunk)) &&
         isa<AllocaInst>(Call.getArgOperand(Lower)) &&
         isa<AllocaInst>(Call.getArgOperand(Upper));
}

/// The variable of a condition to go on: that it is at most Bound, a variable
/// too. Null where it is another condition.
const Value *variableUpTo(const Value *Condition, const Value *Bound) {
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  Value *Variable = nullptr;
  if (!Compare || !match(Compare->getOperand(0), m_Load(m_Value(Variable))))
    return nullptr;
  const Value *Limit = Compare->getOperand(1);
  switch (Compare->getPredicate()) {
  case ICmpInst::ICMP_SLE:
  case ICmpInst::ICMP_ULE:
    return match(Limit, m_Load(m_Specific(Bound))) ? Variable : nullptr;
  case ICmpInst::ICMP_ULT: // As clang has it of unsigned ones.
    return match(Limit, m_Add(m_Load(m_Specific(Bound)), m_One())) ? Variable
                                                                   : nullptr;
  default:
    return nullptr;
  }
}

/// Whether the loop goes on while a variable is at most Bound, and adds one to
/// it at its end.
bool countsTo(const Loop &L, const Value *Bound) {
  const BasicBlock *Latch = L.getLoopLatch();
  const auto *Check = dyn_cast<BranchInst>(L.getHeader()->getTerminator());
  if (!Latch || !Check || !Check->isConditional() ||
      !L.contains(Check->getSuccessor(0)) || L.contains(Check->getSuccessor(1)))
    return false;
  const auto *Back = dyn_cast<BranchInst>(Latch->getTerminator());
  const Value *Variable = variableUpTo(Check->getCondition(), Bound);
  return Variable && Back && Back->isUnconditional() &&
         any_of(*Latch, [Variable](const Instruction &Each) {
           return match(&Each,
                        m_Store(m_Add(m_Load(m_Specific(Variable)), m_One()),
                                m_Specific(Variable)));
         });
}

/// The loop over the iterations of a chunk.
Loop *innerLoop(const LoopInfo &Loops, const CallInst &Call) {
  const Value *Bound = Call.getArgOperand(Upper);
  for (const User *Each : Bound->users())
    if (const auto *Load = dyn_cast<LoadInst>(Each))
      if (Loop *L = Loops.getLoopFor(Load->getParent());
          L && L->getHeader() == Load->getParent() && L->getParentLoop() &&
          !L->getParentLoop()->contains(Call.getParent()) &&
          countsTo(*L, Bound))
        return L;
  return nullptr;
}

/// The loop over chunks begins with the last iteration of its chunk as the
/// first; a bound by the loop's own end comes behind that.
void join(const CallInst &Call, const Loop &Inner) {
  BasicBlock *Header = Inner.getHeader();
  BasicBlock *End = Header->getTerminator()->getSuccessor(1);
  Inner.getLoopLatch()->getTerminator()->setSuccessor(0, End);
  BasicBlock *Outer = Inner.getParentLoop()->getHeader();
  IRBuilder<> Builder(&*Outer->getFirstInsertionPt());
  auto *First = cast<AllocaInst>(Call.getArgOperand(Lower));
  Builder.CreateStore(Builder.CreateLoad(First->getAllocatedType(), First),
                      Call.getArgOperand(Upper));
  addStringMetadataToLoop(Inner.getParentLoop(), Mark.data());
}

bool hasPhis(const BasicBlock &B) { return !B.phis().empty(); }

size_t instructionsOf(const Loop &L) {
  size_t Count = 0;
  for (const BasicBlock *Each : L.blocks())
    Count += Each->size();
  return Count;
}

struct PeelShared : PassInfoMixin<PeelShared> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Known) {
    auto &Loops = Known.getResult<LoopAnalysis>(F);
    auto &Evolution = Known.getResult<ScalarEvolutionAnalysis>(F);
    auto &Tree = Known.getResult<DominatorTreeAnalysis>(F);
    auto &Assumptions = Known.getResult<AssumptionAnalysis>(F);
    bool Changed = false;
    for (Loop *L : Loops.getLoopsInPreorder()) {
      ValueToValueMapTy Copies;
      if (L->getParentLoop() && findOptionMDForLoop(L, Mark) && canPeel(L) &&
          instructionsOf(*L) <= MostPeeled)
        Changed |= peelLoop(L, 1, /*PeelLast=*/false, &Loops, &Evolution, Tree,
                            &Assumptions, /*PreserveLCSSA=*/true, Copies);
    }
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void joinSharedLoops(Module &M) {
  SmallVector<CallInst *> Calls;
  for (const char *Name :
       {"__kmpc_for_static_init_4", "__kmpc_for_static_init_4u",
        "__kmpc_for_static_init_8", "__kmpc_for_static_init_8u"})
    if (Function *Init = M.getFunction(Name))
      for (User *Each : Init->users())
        if (auto *Call = dyn_cast<CallInst>(Each);
            Call && Call->getCalledFunction() == Init && sharesOneByOne(*Call))
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    const DominatorTree Tree(*Call->getFunction());
    const LoopInfo Loops(Tree);
    const Loop *Inner = innerLoop(Loops, *Call);
    if (Inner && !hasPhis(*Inner->getHeader()) &&
        !hasPhis(*Inner->getHeader()->getTerminator()->getSuccessor(1)))
      join(*Call, *Inner);
  }
}

void peelSharedLoops(Module &M) {
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.addPass(PeelShared());
  ModulePassManager Whole;
  Whole.addPass(createModuleToFunctionPassAdaptor(std::move(Passes)));
  runNested(M, std::move(Whole));
}

} // namespace blockmaestro
