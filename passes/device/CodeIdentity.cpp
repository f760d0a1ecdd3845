// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CodeIdentity.h"

#include "Calls.h"
#include "Canonicalize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/xxhash.h"

#include <map>
#include <string>

using namespace llvm;

// Note [Code as bytes]
// The number of a piece of code is a hash of a text that says everything the
// code does: instructions in order, with operands as the places where they were
// defined, types by structure, and functions and constants of the file written
// out where they are first met and numbered from then on. So names that clang
// makes up and the order of definitions leave no trace. Metadata is left out:
// it states facts about the code and does not change what the code computes.

namespace blockmaestro {
namespace {

class CodeText {
public:
  explicit CodeText(bool Relocatable) : Relocatable(Relocatable) {}

  uint64_t ofFunction(const Function &F);
  uint64_t ofConstant(const GlobalVariable &G);

private:
  void add(uint64_t Number);
  void add(StringRef Text);
  void add(const APInt &Number);
  void type(const Type *T);
  void attributes(AttributeSet Set);
  void function(const Function &F);
  void variable(const GlobalVariable &G);
  void global(const GlobalValue &G);
  void constant(const Constant &C);
  void assembly(const InlineAsm &Asm);
  void operand(const Value *V);
  void call(const CallBase &Call);
  void memory(const Instruction &I);
  void details(const Instruction &I);
  void body(const Function &F);
  void finishBodies();
  uint64_t number() const;

  const bool Relocatable;
  bool UsesOwnMemory = false;
  SmallVector<uint8_t, 0> Bytes;
  std::map<const GlobalValue *, uint64_t> Globals; ///< In the order met.
  SmallVector<const Function *> Bodies;            ///< To be written out.
  DenseMap<const Value *, uint64_t> Locals;        ///< Of the function at hand.
};

void CodeText::add(uint64_t Number) {
  for (unsigned I = 0; I < sizeof(Number); ++I)
    Bytes.push_back(static_cast<uint8_t>(Number >> (8 * I)));
}

void CodeText::add(StringRef Text) {
  add(uint64_t(Text.size()));
  Bytes.append(Text.bytes_begin(), Text.bytes_end());
}

void CodeText::add(const APInt &Number) {
  add(uint64_t(Number.getBitWidth()));
  for (unsigned I = 0; I < Number.getNumWords(); ++I)
    add(Number.getRawData()[I]);
}

void CodeText::type(const Type *T) {
  add(uint64_t(T->getTypeID()));
  if (const auto *Integer = dyn_cast<IntegerType>(T))
    add(uint64_t(Integer->getBitWidth()));
  else if (const auto *Pointer = dyn_cast<PointerType>(T))
    add(uint64_t(Pointer->getAddressSpace()));
  else if (const auto *Array = dyn_cast<ArrayType>(T))
    add(Array->getNumElements());
  else if (const auto *Vector = dyn_cast<FixedVectorType>(T))
    add(uint64_t(Vector->getNumElements()));
  else if (const auto *Structure = dyn_cast<StructType>(T))
    add(uint64_t(Structure->isPacked()));
  else if (const auto *Target = dyn_cast<TargetExtType>(T))
    add(Target->getName());
  add(uint64_t(T->getNumContainedTypes()));
  for (const Type *Part : T->subtypes())
    type(Part);
}

/// Those that say how a launch or call passes its arguments.
void CodeText::attributes(AttributeSet Set) {
  for (Attribute A : Set) {
    if (A.isTypeAttribute()) {
      add(uint64_t(A.getKindAsEnum()));
      if (const Type *T = A.getValueAsType())
        type(T);
    } else if (A.isStringAttribute() &&
               A.getKindAsString().starts_with("nvvm.")) {
      add(A.getKindAsString());
      add(A.getValueAsString());
    }
  }
}

void CodeText::function(const Function &F) {
  if (F.isDeclaration() || (Relocatable && !F.hasLocalLinkage()))
    return add(F.getName());
  auto [Known, New] = Globals.try_emplace(&F, Globals.size());
  add(Known->second);
  if (New)
    Bodies.push_back(&F);
}

void CodeText::variable(const GlobalVariable &G) {
  bool Shared = G.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  bool Fixed = G.isConstant() && G.hasDefinitiveInitializer();
  if (!Shared && !Fixed) {
    UsesOwnMemory |= !Relocatable || G.hasLocalLinkage();
    return add(G.getName());
  }
  auto [Known, New] = Globals.try_emplace(&G, Globals.size());
  add(Known->second);
  if (!New)
    return;
  type(G.getValueType());
  add(uint64_t(G.isDeclaration()));
  if (Fixed)
    constant(*G.getInitializer());
}

void CodeText::global(const GlobalValue &G) {
  add(uint64_t(G.getValueID()));
  if (const auto *F = dyn_cast<Function>(&G))
    function(*F);
  else if (const auto *Variable = dyn_cast<GlobalVariable>(&G))
    variable(*Variable);
  else if (const auto *Alias = dyn_cast<GlobalAlias>(&G))
    constant(*Alias->getAliasee());
  else
    UsesOwnMemory = true;
}

void CodeText::constant(const Constant &C) {
  if (const auto *G = dyn_cast<GlobalValue>(&C))
    return global(*G);
  add(uint64_t(C.getValueID()));
  type(C.getType());
  if (const auto *Integer = dyn_cast<ConstantInt>(&C))
    return add(Integer->getValue());
  if (const auto *Real = dyn_cast<ConstantFP>(&C))
    return add(Real->getValueAPF().bitcastToAPInt());
  if (const auto *Data = dyn_cast<ConstantDataSequential>(&C))
    return add(Data->getRawDataValues());
  if (const auto *Expression = dyn_cast<ConstantExpr>(&C)) {
    add(uint64_t(Expression->getOpcode()));
    add(uint64_t(Expression->getRawSubclassOptionalData()));
    if (const auto *GEP = dyn_cast<GEPOperator>(Expression))
      type(GEP->getSourceElementType());
  }
  add(uint64_t(C.getNumOperands()));
  for (const Value *Part : C.operands())
    operand(Part);
}

void CodeText::assembly(const InlineAsm &Asm) {
  add(StringRef(Asm.getAsmString()));
  add(StringRef(Asm.getConstraintString()));
  add(uint64_t(Asm.hasSideEffects()) << 2 | uint64_t(Asm.isAlignStack()) << 1 |
      uint64_t(Asm.canThrow()));
}

void CodeText::operand(const Value *V) {
  if (auto Known = Locals.find(V); Known != Locals.end())
    return add(Known->second);
  if (const auto *C = dyn_cast<Constant>(V))
    return constant(*C);
  add(uint64_t(V->getValueID()));
  if (const auto *Asm = dyn_cast<InlineAsm>(V))
    assembly(*Asm);
}

void CodeText::call(const CallBase &Call) {
  type(Call.getFunctionType());
  add(uint64_t(Call.getCallingConv()));
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    attributes(Call.getAttributes().getParamAttrs(I));
  for (unsigned I = 0; I < Call.getNumOperandBundles(); ++I)
    add(Call.getOperandBundleAt(I).getTagName());
}

/// How I, which touches memory, does so.
void CodeText::memory(const Instruction &I) {
  add(uint64_t(I.isVolatile()));
  add(uint64_t(I.isAtomic()));
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I)) {
    add(uint64_t(RMW->getOperation()));
    add(uint64_t(RMW->getOrdering()));
  } else if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    add(uint64_t(Exchange->getSuccessOrdering()) << 8 |
        uint64_t(Exchange->getFailureOrdering()));
  } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    add(uint64_t(Load->getOrdering()));
  } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    add(uint64_t(Store->getOrdering()));
  } else if (const auto *Fence = dyn_cast<FenceInst>(&I)) {
    add(uint64_t(Fence->getOrdering()));
  }
  if (std::optional<SyncScope::ID> Scope = getAtomicSyncScopeID(&I)) {
    SmallVector<StringRef> Names;
    I.getContext().getSyncScopeNames(Names);
    add(*Scope < Names.size() ? Names[*Scope] : StringRef());
  }
}

/// What tells I from another instruction with its opcode and operands.
void CodeText::details(const Instruction &I) {
  if (const auto *Compare = dyn_cast<CmpInst>(&I))
    add(uint64_t(Compare->getPredicate()));
  else if (const auto *Alloca = dyn_cast<AllocaInst>(&I))
    type(Alloca->getAllocatedType());
  else if (const auto *GEP = dyn_cast<GetElementPtrInst>(&I))
    type(GEP->getSourceElementType());
  else if (const auto *Call = dyn_cast<CallBase>(&I))
    call(*Call);
  else if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    for (int Lane : Shuffle->getShuffleMask())
      add(uint64_t(Lane));
  else if (const auto *Extract = dyn_cast<ExtractValueInst>(&I))
    for (unsigned Index : Extract->indices())
      add(uint64_t(Index));
  else if (const auto *Insert = dyn_cast<InsertValueInst>(&I))
    for (unsigned Index : Insert->indices())
      add(uint64_t(Index));
  else if (const auto *Phi = dyn_cast<PHINode>(&I))
    for (const BasicBlock *From : Phi->blocks())
      operand(From);
  if (I.mayReadOrWriteMemory() && !isa<CallBase>(I))
    memory(I);
}

/// Those that mark what the optimiser may assume, and do nothing.
bool isRemark(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call &&
         (Call->isLifetimeStartOrEnd() || Call->isAssumeLikeIntrinsic());
}

void CodeText::body(const Function &F) {
  Locals.clear();
  for (const Argument &A : F.args())
    Locals.try_emplace(&A, Locals.size());
  for (const BasicBlock &Block : F)
    Locals.try_emplace(&Block, Locals.size());
  for (const Instruction &I : instructions(F))
    if (!isRemark(I))
      Locals.try_emplace(&I, Locals.size());
  type(F.getFunctionType());
  attributes(F.getAttributes().getFnAttrs());
  for (unsigned I = 0; I < F.arg_size(); ++I)
    attributes(F.getAttributes().getParamAttrs(I));
  for (const Instruction &I : instructions(F)) {
    if (isRemark(I))
      continue;
    add(uint64_t(I.getOpcode()));
    type(I.getType());
    add(uint64_t(I.getRawSubclassOptionalData()));
    details(I);
    add(uint64_t(I.getNumOperands()));
    for (const Value *V : I.operands())
      operand(V);
  }
}

void CodeText::finishBodies() {
  while (!Bodies.empty())
    body(*Bodies.pop_back_val());
}

/// See CodeIdentity.h.
uint64_t CodeText::number() const {
  uint64_t Hash = xxh3_64bits(ArrayRef<uint8_t>(Bytes));
  return UsesOwnMemory ? 0 : Hash ? Hash : 1;
}

uint64_t CodeText::ofFunction(const Function &F) {
  Globals.try_emplace(&F, Globals.size());
  body(F);
  finishBodies();
  return number();
}

uint64_t CodeText::ofConstant(const GlobalVariable &G) {
  variable(G);
  finishBodies();
  return number();
}

/// Whether the linker keeps one of several definitions of G that C++ promises
/// to be the same.
bool isShared(const GlobalValue &G) {
  const auto *Variable = dyn_cast<GlobalVariable>(&G);
  return (G.hasLinkOnceODRLinkage() || G.hasWeakODRLinkage()) &&
         (!Variable ||
          (Variable->isConstant() && Variable->hasDefinitiveInitializer()));
}

/// Adds the globals among the operands of U, through constants.
void collectGlobals(const User &U, SetVector<const GlobalValue *> &To) {
  for (const Value *V : U.operands())
    if (const auto *G = dyn_cast<GlobalValue>(V))
      To.insert(G);
    else if (isa<Constant>(V))
      collectGlobals(*cast<User>(V), To);
}

} // namespace

uint64_t codeOf(const Function &Kernel, bool Relocatable) {
  return CodeText(Relocatable).ofFunction(Kernel);
}

std::vector<SharedCode> sharedCode(const Module &M) {
  SetVector<const GlobalValue *> Used;
  for (const Function &F : M)
    if (isKernel(F))
      for (const Function *Body : reachableFrom(F)) {
        if (!isKernel(*Body))
          Used.insert(Body);
        for (const Instruction &I : instructions(*Body))
          collectGlobals(I, Used);
      }
  std::vector<SharedCode> Found;
  for (const GlobalValue &G : M.global_values()) {
    if (!Used.contains(&G) || !isShared(G))
      continue;
    const auto *F = dyn_cast<Function>(&G);
    if (!F && !isa<GlobalVariable>(G))
      continue;
    CodeText Text(/*Relocatable=*/true);
    Found.push_back(
        {G.getName().str(),
         F ? Text.ofFunction(*F) : Text.ofConstant(*cast<GlobalVariable>(&G))});
  }
  return Found;
}

} // namespace blockmaestro
