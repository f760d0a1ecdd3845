// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Embed.h"

#include "blockmaestro/LinkedParts.h"
#include "blockmaestro/Metadata.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Frontend/Offloading/Utility.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace blockmaestro {
namespace {

/// In front of the constructor that registers what the linker made of the
/// objects, which has 101.
constexpr int ConstructorPriority = 100;

/// The runtime's function, null where the runtime is not linked.
Function *registerFunction(Module &M, IRBuilder<> &Builder, StringRef Name) {
  auto *Type = FunctionType::get(Builder.getVoidTy(),
                                 {Builder.getPtrTy(), Builder.getInt64Ty()},
                                 /*isVarArg=*/false);
  return Function::Create(Type, GlobalValue::ExternalWeakLinkage, Name, M);
}

/// A constructor of its own that does nothing yet; where its end is.
Instruction *addConstructor(Module &M) {
  LLVMContext &Context = M.getContext();
  auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
  auto *Constructor = Function::createWithDefaultAttr(
      Type, GlobalValue::InternalLinkage, 0, "__blockmaestro_module_ctor", &M);
  Constructor->addFnAttr(Attribute::NoUnwind);
  appendToGlobalCtors(M, Constructor, ConstructorPriority);
  return ReturnInst::Create(Context,
                            BasicBlock::Create(Context, "", Constructor));
}

/// The call by which clang's constructor registers this file's fat binary; null
/// where the linker makes it, for relocatable device code.
Instruction *findRegistration(Module &M) {
  if (Function *Register = M.getFunction("__cudaRegisterFatBinary"))
    for (User *U : Register->users())
      if (auto *Call = dyn_cast<CallInst>(U))
        return Call;
  return nullptr;
}

/// Registers the records right before the fat binary, so that the runtime knows
/// whose it is, or else before main.
void addRegistration(Module &M, GlobalVariable &Records, uint64_t Bytes) {
  Instruction *Own = findRegistration(M);
  Instruction *Before = Own ? Own : addConstructor(M);
  IRBuilder<> Builder(Before);
  Function *Register = registerFunction(M, Builder,
                                        Own ? "__blockmaestro_register_module"
                                            : "__blockmaestro_register");
  Builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      Builder.CreateIsNotNull(Register), Before, /*Unreachable=*/false));
  Builder.CreateCall(Register, {&Records, Builder.getInt64(Bytes)});
}

/// The same in the device's and the host's compilation of a file. Where files
/// have one name, the linker keeps one variable of that name for all.
std::string partName(const Module &M) {
  return PartPrefix + utohexstr(xxh3_64bits(M.getSourceFileName()),
                                /*LowerCase=*/true);
}

/// Has the linker's constructor register Records along with the fat binary.
void addPartEntry(Module &M, GlobalVariable &Records) {
  offloading::emitOffloadingEntry(M, object::OffloadKind::OFK_Cuda, &Records,
                                  partName(M), /*Size=*/1, /*Flags=*/0,
                                  /*Data=*/0);
}

} // namespace

void addPartVariable(Module &DeviceCode) {
  Type *Byte = Type::getInt8Ty(DeviceCode.getContext());
  new GlobalVariable(DeviceCode, Byte, /*isConstant=*/false,
                     GlobalValue::WeakAnyLinkage, ConstantInt::get(Byte, 0),
                     partName(DeviceCode), nullptr, GlobalValue::NotThreadLocal,
                     NVPTXAS::ADDRESS_SPACE_GLOBAL,
                     /*isExternallyInitialized=*/true);
}

void embedLinkNames(Module &M, const LinkNames &Names) {
  Type *Byte = Type::getInt8Ty(M.getContext());
  SmallVector<GlobalValue *> Marks;
  auto Add = [&](StringRef Name, GlobalValue::LinkageTypes Linkage) {
    auto *Mark = new GlobalVariable(
        M, Byte, /*isConstant=*/Linkage != GlobalValue::CommonLinkage, Linkage,
        ConstantInt::get(Byte, 0), "__blockmaestro_link." + Name);
    Mark->setVisibility(GlobalValue::HiddenVisibility);
    Marks.push_back(Mark);
    return Mark;
  };
  for (const std::string &Name : Names.Offered)
    Add(Name, GlobalValue::ExternalLinkage)
        ->setComdat(M.getOrInsertComdat(Marks.back()->getName()));
  for (const std::string &Name : Names.Wanted)
    if (!Names.Offered.count(Name))
      Add(Name, GlobalValue::CommonLinkage);
  appendToCompilerUsed(M, Marks);
}

bool registersOwnCode(Module &M) { return findRegistration(M) != nullptr; }

void embedRecords(Module &M, ArrayRef<uint8_t> Records) {
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Records);
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, Bytes,
                                    "__blockmaestro_records");
  Global->setSection(MetadataSection);
  Global->setAlignment(Align(MetadataAlignment));
  appendToCompilerUsed(M, {Global});
  addRegistration(M, *Global, Records.size());
  if (!registersOwnCode(M))
    addPartEntry(M, *Global);
}

} // namespace blockmaestro
