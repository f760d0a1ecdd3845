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

/// A function that says, once in a process, that the program has no runtime of
/// ours; all objects share what remembers that.
Function *missingRuntimeFunction(Module &M) {
  LLVMContext &Context = M.getContext();
  constexpr StringLiteral Text =
      "BlockMaestro: this program was compiled with it and is linked with "
      "another CUDA runtime: it runs without BlockMaestro. bmnvcc and "
      "bmclang++ -fblockmaestro link the runtime, other linkers by -L with the "
      "folder nvcc/lib64 of BlockMaestro in front.\n";
  Type *Byte = Type::getInt8Ty(Context);
  auto *Said = new GlobalVariable(
      M, Byte, /*isConstant=*/false, GlobalValue::WeakAnyLinkage,
      ConstantInt::get(Byte, 0), "__blockmaestro_missing_runtime_said");
  auto *F = Function::createWithDefaultAttr(
      FunctionType::get(Type::getVoidTy(Context), false),
      GlobalValue::InternalLinkage, 0, "__blockmaestro_missing_runtime", &M);
  F->addFnAttr(Attribute::NoUnwind);
  auto *Entry = BasicBlock::Create(Context, "", F);
  auto *Say = BasicBlock::Create(Context, "say", F);
  auto *End = BasicBlock::Create(Context, "end", F);
  IRBuilder<> Builder(Entry);
  Builder.CreateCondBr(Builder.CreateIsNull(Builder.CreateLoad(Byte, Said)),
                       Say, End);
  Builder.SetInsertPoint(Say);
  Builder.CreateStore(Builder.getInt8(1), Said);
  constexpr int StandardError = 2;
  Builder.CreateCall(
      M.getOrInsertFunction("write", Builder.getInt64Ty(), Builder.getInt32Ty(),
                            Builder.getPtrTy(), Builder.getInt64Ty()),
      {Builder.getInt32(StandardError), Builder.CreateGlobalString(Text),
       Builder.getInt64(Text.size())});
  Builder.CreateBr(End);
  Builder.SetInsertPoint(End);
  Builder.CreateRetVoid();
  return F;
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
  Instruction *Linked = nullptr, *Missing = nullptr;
  SplitBlockAndInsertIfThenElse(Builder.CreateIsNotNull(Register), Before,
                                &Linked, &Missing);
  Builder.SetInsertPoint(Linked);
  Builder.CreateCall(Register, {&Records, Builder.getInt64(Bytes)});
  Builder.SetInsertPoint(Missing);
  Builder.CreateCall(missingRuntimeFunction(M));
}

/// The same in the device's and the host's compilation of a file. Where files
/// have one name, the linker keeps one variable of that name for all.
std::string partName(const Module &M) {
  return PartPrefix + utohexstr(xxh3_64bits(M.getSourceFileName()),
                                /*LowerCase=*/true);
}

/// Has the linker's constructor register Records along with the fat binary.
void addPartEntry(Module &M, GlobalVariable &Records,
                  object::OffloadKind Kind) {
  offloading::emitOffloadingEntry(M, Kind, &Records, partName(M), /*Size=*/1,
                                  /*Flags=*/0, /*Data=*/0);
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

void embedRecords(Module &M, ArrayRef<uint8_t> Records,
                  object::OffloadKind Kind) {
  Constant *Bytes = ConstantDataArray::get(M.getContext(), Records);
  auto *Global = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                    GlobalValue::InternalLinkage, Bytes,
                                    "__blockmaestro_records");
  Global->setSection(MetadataSection);
  Global->setAlignment(Align(MetadataAlignment));
  appendToCompilerUsed(M, {Global});
  addRegistration(M, *Global, Records.size());
  if (!registersOwnCode(M))
    addPartEntry(M, *Global, Kind);
}

} // namespace blockmaestro
