// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleMutator.h"

#include "llvm/FuzzMutate/IRMutator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <random>
#include <vector>

using namespace llvm;

namespace blockmaestro::test {

namespace {

constexpr size_t MaxSize = 20'000;
constexpr unsigned MostChanges = 24;
constexpr unsigned LongestChain = 300;

class Mutator {
public:
  Mutator(Module &M, uint64_t Seed) : M(M), Random(Seed) {}

  void change();

private:
  size_t below(size_t Limit) { return Random() % Limit; }
  template <typename T> T &oneOf(std::vector<T> &All) {
    return All[below(All.size())];
  }
  Instruction *anyInstruction();
  Value *valueFor(Type *T, Instruction &At);
  void swapOperands();
  void replaceOperand();
  void changeKind();
  void changeFlags();
  void changeConstant();
  void deleteStore();
  void redirect();
  void split();
  void grow();
  void retype();

  Module &M;
  std::mt19937_64 Random;
};

Instruction *Mutator::anyInstruction() {
  std::vector<Instruction *> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      All.push_back(&I);
  return All.empty() ? nullptr : oneOf(All);
}

/// Something of type T that may stand before At.
Value *Mutator::valueFor(Type *T, Instruction &At) {
  std::vector<Value *> Found;
  DominatorTree DT(*At.getFunction());
  for (Argument &A : At.getFunction()->args())
    if (A.getType() == T)
      Found.push_back(&A);
  for (Instruction &I : instructions(At.getFunction()))
    if (I.getType() == T && &I != &At && DT.dominates(&I, &At))
      Found.push_back(&I);
  if (!Found.empty() && below(4))
    return oneOf(Found);
  if (below(6) == 0)
    return PoisonValue::get(T);
  if (below(6) == 0)
    return UndefValue::get(T);
  if (auto *Integer = dyn_cast<IntegerType>(T)) {
    const unsigned Bits = Integer->getBitWidth();
    const APInt Numbers[] = {APInt::getZero(Bits),
                             APInt::getAllOnes(Bits),
                             APInt::getSignedMinValue(Bits),
                             APInt::getSignedMaxValue(Bits),
                             APInt(Bits, 1 + below(64), false, true),
                             APInt(Bits, Random(), false, true)};
    return ConstantInt::get(T, Numbers[below(std::size(Numbers))]);
  }
  return Constant::getNullValue(T);
}

void Mutator::swapOperands() {
  Instruction *I = anyInstruction();
  if (I && I->getNumOperands() > 1 && !I->isTerminator() && !isa<PHINode>(I) &&
      I->getOperand(0)->getType() == I->getOperand(1)->getType()) {
    Value *First = I->getOperand(0);
    I->setOperand(0, I->getOperand(1));
    I->setOperand(1, First);
  }
}

void Mutator::replaceOperand() {
  Instruction *I = anyInstruction();
  if (!I || I->getNumOperands() == 0)
    return;
  Use &U = I->getOperandUse(below(I->getNumOperands()));
  Type *T = U->getType();
  if (!T->isFirstClassType() || T->isLabelTy() || T->isMetadataTy() ||
      T->isTokenTy() || (isa<CallBase>(I) && isa<Function>(U)))
    return;
  auto *Phi = dyn_cast<PHINode>(I);
  U.set(valueFor(T, Phi ? *Phi->getIncomingBlock(U)->getTerminator() : *I));
}

/// Of a comparison or an arithmetic operation.
void Mutator::changeKind() {
  Instruction *I = anyInstruction();
  if (auto *Compare = dyn_cast_or_null<ICmpInst>(I)) {
    Compare->setPredicate(static_cast<CmpInst::Predicate>(
        CmpInst::FIRST_ICMP_PREDICATE +
        below(CmpInst::LAST_ICMP_PREDICATE - CmpInst::FIRST_ICMP_PREDICATE +
              1)));
  } else if (I && isa<BinaryOperator>(I) &&
             I->getType()->isIntOrIntVectorTy()) {
    constexpr Instruction::BinaryOps Kinds[] = {
        Instruction::Add,  Instruction::Sub,  Instruction::Mul,
        Instruction::UDiv, Instruction::SDiv, Instruction::URem,
        Instruction::SRem, Instruction::Shl,  Instruction::LShr,
        Instruction::AShr, Instruction::And,  Instruction::Or,
        Instruction::Xor};
    auto *New =
        BinaryOperator::Create(Kinds[below(std::size(Kinds))], I->getOperand(0),
                               I->getOperand(1), "", I->getIterator());
    I->replaceAllUsesWith(New);
    I->eraseFromParent();
  }
}

void Mutator::changeFlags() {
  Instruction *I = anyInstruction();
  if (!I)
    return;
  if (isa<OverflowingBinaryOperator>(I)) {
    I->setHasNoSignedWrap(below(2));
    I->setHasNoUnsignedWrap(below(2));
  } else if (isa<PossiblyExactOperator>(I)) {
    I->setIsExact(below(2));
  } else if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
    GEP->setNoWrapFlags(below(2) ? GEPNoWrapFlags::inBounds()
                                 : GEPNoWrapFlags::none());
  } else if (auto *Load = dyn_cast<LoadInst>(I)) {
    Load->setVolatile(below(2));
  } else if (auto *Store = dyn_cast<StoreInst>(I)) {
    Store->setVolatile(below(2));
  }
}

void Mutator::changeConstant() {
  std::vector<Use *> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      for (Use &U : I.operands())
        if (isa<ConstantInt>(U) && !isa<CallBase>(I))
          Found.push_back(&U);
  if (!Found.empty()) {
    Use &U = *oneOf(Found);
    U.set(valueFor(U->getType(), *cast<Instruction>(U.getUser())));
  }
}

void Mutator::deleteStore() {
  std::vector<Instruction *> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isa<StoreInst>(I))
        Found.push_back(&I);
  if (!Found.empty())
    oneOf(Found)->eraseFromParent();
}

/// Leads a way out of a block to any other block, also backwards.
void Mutator::redirect() {
  Instruction *I = anyInstruction();
  if (!I)
    return;
  BasicBlock *From = I->getParent(); // I may be a phi that goes with a way.
  Instruction *End = From->getTerminator();
  std::vector<BasicBlock *> Blocks;
  for (BasicBlock &Block : *From->getParent())
    if (&Block != &From->getParent()->getEntryBlock())
      Blocks.push_back(&Block);
  if (Blocks.empty())
    return;
  BasicBlock *To = oneOf(Blocks);
  if (End->getNumSuccessors() == 1 && below(2)) {
    IRBuilder<> Build(End);
    Value *Truth = valueFor(Build.getInt1Ty(), *End);
    BasicBlock *Old = End->getSuccessor(0);
    if (Old == To)
      return;
    Build.CreateCondBr(Truth, Old, To);
    End->eraseFromParent();
  } else if (End->getNumSuccessors() > 0) {
    const unsigned Which = below(End->getNumSuccessors());
    End->getSuccessor(Which)->removePredecessor(From, true);
    End->setSuccessor(Which, To);
  } else {
    return;
  }
  for (PHINode &Phi : To->phis())
    Phi.addIncoming(valueFor(Phi.getType(), *From->getTerminator()), From);
}

void Mutator::split() {
  Instruction *I = anyInstruction();
  if (I && !isa<PHINode>(I) && !isa<AllocaInst>(I))
    SplitBlock(I->getParent(), I);
}

/// Repeats an operation on what it gave, many times.
void Mutator::grow() {
  Instruction *I = anyInstruction();
  if (!I || !I->getType()->isIntegerTy() || isa<PHINode>(I) ||
      I->isTerminator())
    return;
  Instruction *Next = I->getNextNode();
  IRBuilder<> Build(Next);
  Value *Last = I;
  constexpr Instruction::BinaryOps Kinds[] = {
      Instruction::Add, Instruction::Mul,  Instruction::UDiv, Instruction::And,
      Instruction::Xor, Instruction::LShr, Instruction::Or};
  Value *Other = valueFor(I->getType(), *Next);
  for (size_t Count = below(LongestChain); Count-- > 0;)
    Last = Build.CreateBinOp(Kinds[below(std::size(Kinds))], Last,
                             below(3) ? Other : Last);
  if (Last != I)
    for (Use &U : make_early_inc_range(I->uses()))
      if (auto *User = cast<Instruction>(U.getUser());
          User->getParent() != I->getParent() && below(2) == 0)
        U.set(Last);
  std::vector<StoreInst *> Stores;
  for (Instruction &At : *I->getParent())
    if (auto *Store = dyn_cast<StoreInst>(&At))
      Stores.push_back(Store);
  if (!Stores.empty() && isa<Instruction>(Last)) {
    StoreInst *Store = oneOf(Stores);
    IRBuilder<> There(Store);
    Store->setOperand(1, There.CreateGEP(There.getInt32Ty(),
                                         Store->getPointerOperand(), Last));
  }
}

/// An address in steps of another type.
void Mutator::retype() {
  Instruction *I = anyInstruction();
  auto *GEP = dyn_cast_or_null<GetElementPtrInst>(I);
  if (!GEP || GEP->getNumIndices() != 1)
    return;
  LLVMContext &C = M.getContext();
  Type *Types[] = {Type::getInt8Ty(C),
                   Type::getInt16Ty(C),
                   Type::getInt64Ty(C),
                   Type::getIntNTy(C, 17),
                   Type::getDoubleTy(C),
                   ArrayType::get(Type::getInt32Ty(C), 0),
                   ArrayType::get(Type::getInt32Ty(C), UINT32_MAX)};
  GEP->setSourceElementType(Types[below(std::size(Types))]);
}

void Mutator::change() {
  void (Mutator::*const Ways[])() = {
      &Mutator::swapOperands,   &Mutator::replaceOperand,
      &Mutator::replaceOperand, &Mutator::changeKind,
      &Mutator::changeFlags,    &Mutator::changeConstant,
      &Mutator::deleteStore,    &Mutator::redirect,
      &Mutator::redirect,       &Mutator::split,
      &Mutator::grow,           &Mutator::retype};
  (this->*Ways[below(std::size(Ways))])();
}

/// LLVM's own ways to change IR.
IRMutator makeLibraryMutator() {
  std::vector<TypeGetter> Types = {Type::getInt1Ty, Type::getInt8Ty,
                                   Type::getInt32Ty, Type::getInt64Ty,
                                   Type::getFloatTy};
  std::vector<std::unique_ptr<IRMutationStrategy>> Ways;
  Ways.push_back(std::make_unique<InjectorIRStrategy>());
  Ways.push_back(std::make_unique<InstDeleterIRStrategy>());
  Ways.push_back(std::make_unique<InstModificationIRStrategy>());
  Ways.push_back(std::make_unique<InsertCFGStrategy>());
  Ways.push_back(std::make_unique<InsertPHIStrategy>());
  Ways.push_back(std::make_unique<SinkInstructionStrategy>());
  Ways.push_back(std::make_unique<ShuffleBlockStrategy>());
  return {std::move(Types), std::move(Ways)};
}

} // namespace

void mutate(std::unique_ptr<Module> &M, uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  IRMutator Library = makeLibraryMutator();
  for (size_t Count = 1 + Random() % MostChanges; Count-- > 0;) {
    std::unique_ptr<Module> Before = CloneModule(*M);
    const uint64_t Number = Random();
    if (Number % 4 == 0)
      Library.mutateModule(*M, static_cast<int>(Number >> 33), MaxSize);
    else
      Mutator(*M, Number).change();
    if (verifyModule(*M))
      M = std::move(Before);
  }
}

} // namespace blockmaestro::test
