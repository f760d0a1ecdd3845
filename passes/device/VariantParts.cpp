// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VariantParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace blockmaestro {

std::string linkDeviceCode(Module &M, DeviceCode Code, const Function &Like) {
  StringRef Bytes(reinterpret_cast<const char *>(Code.Data), Code.Size);
  auto Source =
      parseBitcodeFile(MemoryBufferRef(Bytes, Code.Name), M.getContext());
  if (!Source)
    return toString(Source.takeError());
  SmallVector<NamedMDNode *> Named;
  for (NamedMDNode &Node : (*Source)->named_metadata())
    Named.push_back(&Node);
  for (NamedMDNode *Node : Named)
    Node->eraseFromParent();
  SmallVector<std::string> Defined;
  for (Function &F : **Source)
    if (!F.isDeclaration()) {
      for (StringRef Kind : {"target-cpu", "target-features"})
        F.addFnAttr(Like.getFnAttribute(Kind));
      Defined.push_back(F.getName().str());
    }
  (*Source)->setDataLayout(M.getDataLayout());
  (*Source)->setTargetTriple(M.getTargetTriple());
  if (Linker::linkModules(M, std::move(*Source)))
    return "the device code of the variants could not be linked";
  for (const std::string &Name : Defined)
    if (Function *F = M.getFunction(Name))
      F->setLinkage(GlobalValue::InternalLinkage);
  return "";
}

Function *copyWithMore(Function &F, const Twine &Name, ArrayRef<Type *> Extra) {
  SmallVector<Type *> Types(F.getFunctionType()->params());
  Types.append(Extra.begin(), Extra.end());
  auto *Type = FunctionType::get(F.getReturnType(), Types, false);
  Function *Copy = Function::Create(Type, F.getLinkage(), Name, F.getParent());
  ValueToValueMapTy Map;
  for (auto [From, To] : zip_first(F.args(), Copy->args())) {
    To.setName(From.getName());
    Map[&From] = &To;
  }
  SmallVector<ReturnInst *> Returns;
  CloneFunctionInto(Copy, &F, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);
  Copy->setComdat(nullptr);
  return Copy;
}

CallInst *callDeviceCode(IRBuilder<> &Build, StringRef Callee,
                         ArrayRef<Value *> Arguments) {
  Function *Code = Build.GetInsertBlock()->getModule()->getFunction(Callee);
  return Build.CreateCall(Code, Arguments);
}

void enterThrough(Function &F, StringRef Callee, Value *Argument) {
  BasicBlock &Entry = F.getEntryBlock();
  IRBuilder<> Build(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  callDeviceCode(Build, Callee, {Argument});
}

static SmallVector<ReturnInst *> returnsOf(Function &F) {
  SmallVector<ReturnInst *> Returns;
  for (BasicBlock &Block : F)
    if (auto *Return = dyn_cast<ReturnInst>(Block.getTerminator()))
      Returns.push_back(Return);
  return Returns;
}

void leaveThroughOneExit(Function &F, StringRef Callee, Value *Argument) {
  auto *Exit = BasicBlock::Create(F.getContext(), "bm.leave", &F);
  for (ReturnInst *Return : returnsOf(F)) {
    IRBuilder<>(Return).CreateBr(Exit);
    Return->eraseFromParent();
  }
  IRBuilder<> Build(Exit);
  callDeviceCode(Build, Callee, {Argument});
  Build.CreateRetVoid();
}

void leaveOneByOne(Function &F, StringRef Callee, Value *Argument) {
  for (ReturnInst *Return : returnsOf(F)) {
    IRBuilder<> Build(Return);
    callDeviceCode(Build, Callee, {Argument});
  }
}

void inlineEverywhere(Function &F) {
  SmallVector<CallInst *> Calls;
  for (User *U : F.users())
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && Call->getCalledFunction() == &F)
      Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    InlineFunctionInfo Info;
    InlineFunction(*Call, Info);
  }
}

} // namespace blockmaestro
