// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeepExpressions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace llvm;

// Note [Cutting]
// LLVM's scalar evolution and everything that asks it walk from a number to
// what it is computed from, by recursion. A program may compute a number in
// thousands of steps, each from the one before: the stack ends first. So a
// number that is too deep is given to a function of which nothing is known, and
// its answer used instead: for the analysis it is a new number. Sums and
// conversions, which scalar evolution makes flat, weigh less than other steps.
// What comes around a loop does not count: that is asked from the loop's head.

namespace blockmaestro {

namespace {

constexpr StringLiteral CutName = "blockmaestro.cut.";
constexpr unsigned MaxDepth = 1024;
constexpr unsigned FlatStep = 1;
constexpr unsigned DeepStep = 8;

/// Whether what I gives is not asked for what it is computed from.
bool isLeaf(const Instruction &I) {
  return I.mayReadOrWriteMemory() || isa<AllocaInst>(I) ||
         (isa<CallBase>(I) && !isa<IntrinsicInst>(I));
}

bool isFlat(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::GetElementPtr:
    return true;
  case Instruction::Mul:
  case Instruction::Shl:
    return isa<ConstantInt>(I.getOperand(1));
  default:
    return isa<CastInst>(I) || isa<FreezeInst>(I);
  }
}

class Depths {
public:
  unsigned of(const Instruction &I) const {
    if (isLeaf(I))
      return 0;
    unsigned Most = 0;
    for (const Value *Operand : I.operands())
      Most = std::max(Most, Known.lookup(Operand));
    return Most + (isFlat(I) ? FlatStep : DeepStep);
  }
  void set(const Instruction &I, unsigned Depth) { Known[&I] = Depth; }

private:
  DenseMap<const Value *, unsigned> Known;
};

/// "blockmaestro.cut.i32".
FunctionCallee cutOf(Module &M, Type *T) {
  LLVMContext &C = M.getContext();
  const AttributeList Marks =
      AttributeList()
          .addFnAttribute(
              C, Attribute::getWithMemoryEffects(C, MemoryEffects::none()))
          .addFnAttribute(C, Attribute::NoUnwind)
          .addFnAttribute(C, Attribute::WillReturn);
  return M.getOrInsertFunction(
      (CutName + "i" + Twine(T->getIntegerBitWidth())).str(), Marks, T, T);
}

/// Leaves I as it is where nothing can stand behind it.
void cut(Instruction &I) {
  const std::optional<BasicBlock::iterator> Behind =
      I.getInsertionPointAfterDef();
  if (!Behind)
    return;
  IRBuilder<> Build((*Behind)->getParent(), *Behind);
  CallInst *Answer = Build.CreateCall(cutOf(*I.getModule(), I.getType()), {&I});
  I.replaceUsesWithIf(Answer, [&](Use &U) { return U.getUser() != Answer; });
}

} // namespace

void cutDeepExpressions(Function &F) {
  Depths Known;
  std::vector<Instruction *> Deep;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *Block) {
      const unsigned Depth = Known.of(I);
      const bool Cut = Depth >= MaxDepth && I.getType()->isIntegerTy();
      if (Cut)
        Deep.push_back(&I);
      Known.set(I, Cut ? 0 : Depth);
    }
  for (Instruction *I : Deep)
    cut(*I);
}

bool isCut(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() &&
         Callee->getName().starts_with(CutName);
}

} // namespace blockmaestro
