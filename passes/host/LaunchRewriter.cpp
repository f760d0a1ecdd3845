// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchRewriter.h"

#include "KernelStubs.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// The two words per kernel that LaunchRewriter.h describes.
Constant *slotFor(Module &M, const KernelStub &Kernel,
                  GlobalVariable &Records) {
  std::string Name = "__blockmaestro_slot." + Kernel.Symbol;
  if (GlobalVariable *Slot = M.getNamedGlobal(Name))
    return Slot;
  auto *Pointer = PointerType::getUnqual(M.getContext());
  auto *Words = ArrayType::get(Pointer, 2);
  Constant *Start =
      ConstantArray::get(Words, {ConstantPointerNull::get(Pointer), &Records});
  auto *Slot = new GlobalVariable(M, Words, /*isConstant=*/false,
                                  GlobalValue::InternalLinkage, Start, Name);
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

/// The call's attributes, moved behind the new leading arguments.
AttributeList shiftAttributes(const CallBase &Call, unsigned By) {
  AttributeList Old = Call.getAttributes();
  SmallVector<AttributeSet, 12> Arguments(By);
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    Arguments.push_back(Old.getParamAttrs(I));
  return AttributeList::get(Call.getContext(), Old.getFnAttrs(),
                            Old.getRetAttrs(), Arguments);
}

FunctionCallee launchFunction(Module &M, const CallBase &Call,
                              ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 12> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  return M.getOrInsertFunction(
      "__blockmaestro_launch",
      FunctionType::get(Call.getType(), Types, /*isVarArg=*/false));
}

void rewrite(Module &M, CallBase &Call, ArrayRef<Value *> Leading) {
  SmallVector<Value *, 12> Arguments(Leading);
  Arguments.append(Call.arg_begin(), Call.arg_end());
  FunctionCallee Launch = launchFunction(M, Call, Arguments);
  IRBuilder<> Builder(&Call);
  CallBase *New = nullptr;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
    New = Builder.CreateInvoke(Launch, Invoke->getNormalDest(),
                               Invoke->getUnwindDest(), Arguments);
  else
    New = Builder.CreateCall(Launch, Arguments);
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

unsigned rewriteLaunches(Module &M, GlobalVariable &Records) {
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
    rewrite(M, *Call,
            {slotFor(M, Known->second, Records), nameFor(M, Known->second)});
    ++Rewritten;
  }
  return Rewritten;
}

} // namespace blockmaestro
