// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Embed.h"

#include "blockmaestro/Metadata.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr int ConstructorPriority = 101;

/// The runtime's function, null where the runtime is not linked.
Function *registerFunction(Module &M, IRBuilder<> &Builder) {
  auto *Type = FunctionType::get(Builder.getVoidTy(),
                                 {Builder.getPtrTy(), Builder.getInt64Ty()},
                                 /*isVarArg=*/false);
  return Function::Create(Type, GlobalValue::ExternalWeakLinkage,
                          "__blockmaestro_register", M);
}

void addConstructor(Module &M, GlobalVariable &Records, uint64_t Bytes) {
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
  auto *Constructor = Function::createWithDefaultAttr(
      Type, GlobalValue::InternalLinkage, 0, "__blockmaestro_module_ctor", &M);
  Constructor->addFnAttr(Attribute::NoUnwind);
  auto *Linked = BasicBlock::Create(Context, "linked", Constructor);
  auto *Done = BasicBlock::Create(Context, "done", Constructor);
  IRBuilder<> Builder(BasicBlock::Create(Context, "", Constructor, Linked));
  Function *Register = registerFunction(M, Builder);
  Builder.CreateCondBr(Builder.CreateIsNotNull(Register), Linked, Done);
  Builder.SetInsertPoint(Linked);
  Builder.CreateCall(Register, {&Records, Builder.getInt64(Bytes)});
  Builder.CreateBr(Done);
  Builder.SetInsertPoint(Done);
  Builder.CreateRetVoid();
  appendToGlobalCtors(M, Constructor, ConstructorPriority);
}

} // namespace

GlobalVariable *embedRecords(Module &M, ArrayRef<uint8_t> Records) {
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Records);
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, Bytes,
                                    "__blockmaestro_records");
  Global->setSection(MetadataSection);
  Global->setAlignment(Align(MetadataAlignment));
  appendToCompilerUsed(M, {Global});
  addConstructor(M, *Global, Records.size());
  return Global;
}

} // namespace blockmaestro
