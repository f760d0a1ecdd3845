// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ManagedVariables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// As clang/removed/blockmaestro/managed.h has it.
constexpr StringLiteral Section = ".blockmaestro.managed";

SmallVector<GlobalVariable *> managedVariables(Module &M) {
  SmallVector<GlobalVariable *> Found;
  for (GlobalVariable &G : M.globals())
    if (G.getSection() == Section) {
      G.setSection("");
      Found.push_back(&G);
    }
  return Found;
}

/// The pointer where the address of Symbol is kept, null until it is asked for.
GlobalVariable *slotOf(GlobalVariable &Symbol) {
  auto *Pointer = PointerType::getUnqual(Symbol.getContext());
  auto *Slot = new GlobalVariable(
      *Symbol.getParent(), Pointer, /*isConstant=*/false,
      GlobalValue::InternalLinkage, ConstantPointerNull::get(Pointer),
      "__blockmaestro_managed." + Symbol.getName());
  Slot->setAlignment(Align(8));
  return Slot;
}

/// Ends the program as a failed assertion does, which says what is missing.
void addFailure(BasicBlock &Block) {
  Module &M = *Block.getModule();
  IRBuilder<> Builder(&Block);
  Type *Pointer = Builder.getPtrTy();
  Builder.CreateCall(
      M.getOrInsertFunction("__assert_fail", Builder.getVoidTy(), Pointer,
                            Pointer, Builder.getInt32Ty(), Pointer),
      {Builder.CreateGlobalString("the device has the memory of it"),
       Builder.CreateGlobalString(M.getSourceFileName()), Builder.getInt32(0),
       Builder.CreateGlobalString("use of a __managed__ variable")});
  Builder.CreateUnreachable();
}

/// ptr address(ptr Slot, ptr Symbol): what Slot holds; asks CUDA when it is
/// null, and ends the program where CUDA has no answer.
Function *addressFunction(Module &M) {
  LLVMContext &Context = M.getContext();
  auto *Pointer = PointerType::getUnqual(Context);
  auto *F = Function::createWithDefaultAttr(
      FunctionType::get(Pointer, {Pointer, Pointer}, false),
      GlobalValue::InternalLinkage, 0, "__blockmaestro_managed_address", &M);
  F->setDoesNotThrow();
  auto *Entry = BasicBlock::Create(Context, "", F);
  auto *Ask = BasicBlock::Create(Context, "ask", F);
  auto *Fail = BasicBlock::Create(Context, "fail", F);
  auto *Known = BasicBlock::Create(Context, "known", F);
  IRBuilder<> Builder(Entry);
  Value *Slot = F->getArg(0);
  Builder.CreateCondBr(Builder.CreateIsNull(Builder.CreateLoad(Pointer, Slot)),
                       Ask, Known);
  Builder.SetInsertPoint(Ask);
  Value *Status = Builder.CreateCall(
      M.getOrInsertFunction("cudaGetSymbolAddress", Builder.getInt32Ty(),
                            Pointer, Pointer),
      {Slot, F->getArg(1)});
  Builder.CreateCondBr(Builder.CreateIsNull(Status), Known, Fail);
  addFailure(*Fail);
  Builder.SetInsertPoint(Known);
  Builder.CreateRet(Builder.CreateLoad(Pointer, Slot));
  return F;
}

/// Whether User wants the symbol and not the memory: what registers variables,
/// and calls such as cudaMemcpyToSymbol, also as the toolkit's templates.
bool wantsSymbol(const Instruction &User) {
  const auto *Call = dyn_cast<CallBase>(&User);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  constexpr StringLiteral Names[] = {"__cudaRegisterVar",
                                     "cudaMemcpyToSymbol",
                                     "cudaMemcpyFromSymbol",
                                     "cudaGetSymbolSize",
                                     "cudaGetSymbolAddress",
                                     "cudaGraphAddMemcpyNodeToSymbol",
                                     "cudaGraphAddMemcpyNodeFromSymbol"};
  return Callee && any_of(Names, [&](StringRef Name) {
           return Callee->getName().contains(Name);
         });
}

/// Whether a variable that the program has written is initialized by C: lists
/// of the compiler's own, and entries that register variables, are none.
bool isInitializer(const Constant &C) {
  constexpr StringLiteral Lists[] = {"llvm.", ".offloading.",
                                     "__clang_gpu_used_external"};
  if (const auto *G = dyn_cast<GlobalVariable>(&C))
    return none_of(Lists, [&](StringRef Prefix) {
      return G->getName().starts_with(Prefix);
    });
  return any_of(C.users(), [](const User *U) {
    const auto *Outer = dyn_cast<Constant>(U);
    return Outer && isInitializer(*Outer);
  });
}

bool initializesVariable(const GlobalVariable &Symbol) {
  return any_of(Symbol.users(), [](const User *U) {
    const auto *C = dyn_cast<Constant>(U);
    return C && isInitializer(*C);
  });
}

/// Puts the memory's address, which Compute makes, in the place of one use. Of
/// the operands of a phi those of one block stay the same.
void replaceUse(Use &Operand, function_ref<Value *(IRBuilder<> &)> Compute) {
  auto *User = cast<Instruction>(Operand.getUser());
  auto *Phi = dyn_cast<PHINode>(User);
  if (!Phi) {
    IRBuilder<> Builder(User);
    Operand.set(Compute(Builder));
    return;
  }
  BasicBlock *From = Phi->getIncomingBlock(Operand);
  IRBuilder<> Builder(From->getTerminator());
  Phi->setIncomingValueForBlock(From, Compute(Builder));
}

void useMemory(GlobalVariable &Symbol, Function &Address) {
  convertUsersOfConstantsToInstructions(&Symbol);
  SmallVector<Use *> Uses;
  for (Use &Each : Symbol.uses())
    if (auto *User = dyn_cast<Instruction>(Each.getUser());
        User && !wantsSymbol(*User))
      Uses.push_back(&Each);
  if (Uses.empty())
    return;
  GlobalVariable *Slot = slotOf(Symbol);
  for (Use *Each : Uses)
    if (Each->get() == &Symbol)
      replaceUse(*Each, [&](IRBuilder<> &Builder) {
        return Builder.CreateCall(&Address, {Slot, &Symbol});
      });
}

} // namespace

void markManagedVariables(Module &M) {
  LLVMContext &Context = M.getContext();
  auto *One =
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), 1));
  for (GlobalVariable *G : managedVariables(M))
    M.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(
            MDNode::get(Context, {ConstantAsMetadata::get(G),
                                  MDString::get(Context, "managed"), One}));
}

Error useManagedMemory(Module &M) {
  SmallVector<GlobalVariable *> Found = managedVariables(M);
  if (Found.empty())
    return Error::success();
  for (GlobalVariable *G : Found)
    if (initializesVariable(*G))
      return createStringError("the address of the __managed__ variable '" +
                               G->getName() +
                               "' is not known before the program runs; a "
                               "variable that holds it has "
                               "to be set by code");
  Function *Address = addressFunction(M);
  for (GlobalVariable *G : Found)
    useMemory(*G, *Address);
  return Error::success();
}

} // namespace blockmaestro
