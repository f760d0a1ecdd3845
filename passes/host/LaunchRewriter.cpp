// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchRewriter.h"

#include "KernelStubs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// The word per kernel that LaunchRewriter.h describes.
Constant *slotFor(Module &M, const KernelStub &Kernel) {
  std::string Name = "__blockmaestro_slot." + Kernel.Symbol;
  if (GlobalVariable *Slot = M.getNamedGlobal(Name))
    return Slot;
  auto *Pointer = PointerType::getUnqual(M.getContext());
  auto *Slot = new GlobalVariable(M, Pointer, /*isConstant=*/false,
                                  GlobalValue::InternalLinkage,
                                  ConstantPointerNull::get(Pointer), Name);
  Slot->setAlignment(Align(8));
  return Slot;
}

/// The symbol as a C string.
Constant *nameFor(Module &M, const KernelStub &Kernel) {
  std::string Name = "__blockmaestro_symbol." + Kernel.Symbol;
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  Constant *Text = ConstantDataArray::getString(M.getContext(), Kernel.Symbol);
  auto *Global = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, Text, Name);
  Global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Global;
}

/// What a rewritten launch has in front of the arguments of the plain one.
constexpr unsigned LeadingWords = 2;

/// The call's attributes, moved behind the new leading arguments.
AttributeList shiftAttributes(const CallBase &Call, unsigned By) {
  AttributeList Old = Call.getAttributes();
  SmallVector<AttributeSet, 12> Arguments(By);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    Arguments.push_back(Old.getParamAttrs(I));
  return AttributeList::get(Call.getContext(), Old.getFnAttrs(),
                            Old.getRetAttrs(), Arguments);
}

void returnCall(Function &From, StringRef Block, Function &To,
                ArrayRef<Value *> Arguments) {
  IRBuilder<> Builder(BasicBlock::Create(From.getContext(), Block, &From));
  Builder.CreateRet(Builder.CreateCall(&To, Arguments));
}

/// The body of Either: a call of Launch if there is one, else of Plain.
void fillLaunch(Function &Either, Function &Launch, Function &Plain) {
  SmallVector<Value *, 12> Arguments;
  for (Argument &Each : Either.args())
    Arguments.push_back(&Each);
  auto *Entry = BasicBlock::Create(Either.getContext(), "", &Either);
  returnCall(Either, "linked", Launch, Arguments);
  returnCall(Either, "plain", Plain,
             ArrayRef(Arguments).drop_front(LeadingWords));
  IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNotNull(&Launch), Entry->getNextNode(),
                       &Either.back());
}

/// What calls of Plain become: the runtime's function with LeadingWords more in
/// front, or Plain in a program without the runtime, where that one is null.
Function *launchFunction(Function &Plain) {
  constexpr StringLiteral Name = "__blockmaestro_launch_if_linked";
  Module &M = *Plain.getParent();
  if (Function *Known = M.getFunction(Name))
    return Known;
  FunctionType *PlainType = Plain.getFunctionType();
  SmallVector<Type *, 12> Types(LeadingWords,
                                PointerType::getUnqual(M.getContext()));
  append_range(Types, PlainType->params());
  auto *Type = FunctionType::get(PlainType->getReturnType(), Types, false);
  auto *Launch = Function::Create(Type, GlobalValue::ExternalWeakLinkage,
                                  "__blockmaestro_launch", M);
  auto *Either = Function::createWithDefaultAttr(
      Type, GlobalValue::InternalLinkage, 0, Name, &M);
  fillLaunch(*Either, *Launch, Plain);
  return Either;
}

void rewrite(CallBase &Call, Function &Launch, ArrayRef<Value *> Leading) {
  SmallVector<Value *, 12> Arguments(Leading);
  Arguments.append(Call.arg_begin(), Call.arg_end());
  IRBuilder<> Builder(&Call);
  CallBase *New = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = Builder.CreateInvoke(&Launch, Invoke->getNormalDest(),
                               Invoke->getUnwindDest(), Arguments);
  else
    New = Builder.CreateCall(&Launch, Arguments);
  New->setAttributes(shiftAttributes(Call, Leading.size()));
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// The calls of Callee, in the order of the module.
SmallVector<CallBase *> callsOf(Function &Callee) {
  SmallVector<CallBase *> Calls;
  for (Function &F : *Callee.getParent())
    for (BasicBlock &Block : F)
      for (Instruction &I : Block)
        if (auto *Call = dyn_cast<CallBase>(&I))
          if (Call->getCalledFunction() == &Callee)
            Calls.push_back(Call);
  return Calls;
}

} // namespace

unsigned rewriteLaunches(Module &M) {
  Function *Plain = M.getFunction("cudaLaunchKernel");
  if (!Plain)
    return 0;
  constexpr unsigned LaunchWords = 8;
  KernelStubs Stubs = findKernelStubs(M);
  unsigned Rewritten = 0;
  for (CallBase *Call : callsOf(*Plain)) {
    if (Call->arg_size() != LaunchWords)
      continue;
    auto Known = Stubs.find(
        dyn_cast<Function>(Call->getArgOperand(0)->stripPointerCasts()));
    if (Known == Stubs.end())
      continue;
    rewrite(*Call, *launchFunction(*Plain),
            {slotFor(M, Known->second), nameFor(M, Known->second)});
    ++Rewritten;
  }
  return Rewritten;
}

} // namespace blockmaestro
