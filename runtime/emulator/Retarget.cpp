// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Retarget.h"

#include "BlockContext.h"
#include "ContextCode.h"
#include "Costs.h"
#include "KernelSource.h"
#include "MathTable.h"
#include "Refusal.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr unsigned SharedAddressSpace = 3;
constexpr uint64_t SharedAlignment = 16;

/// Rewrites one kernel; a walk over its instructions, one step after another.
class Retargeting {
public:
  Retargeting(Function &Kernel, const KernelRecord &Record, unsigned Ordinal,
              unsigned Weights)
      : M(*Kernel.getParent()), Kernel(Kernel), Record(Record),
        Ordinal(Ordinal), Weights(Weights), Entry(M.getContext()) {}

  ThreadCode run();

private:
  void moveBody();
  void replaceParameters();
  void replaceSharedMemory();
  void externalizeGlobals();
  void replaceTraps();
  void replaceCalls();
  Value *specialRegister(StringRef Name);
  Value *dimension(size_t FieldOffset, unsigned D);
  Value *linearThread();
  void replaceVisit(CallInst &Marker);
  Value *replaceArithmetic(CallInst &Call, const NvvmRow &Row);
  Value *highHalf(IRBuilder<> &B, CallInst &Call, bool Signed);

  Module &M;
  Function &Kernel;
  const KernelRecord &Record;
  unsigned Ordinal;
  unsigned Weights;
  IRBuilder<> Entry; ///< At the point where the body's own code begins.
  ThreadCode Out;
};

/// Moves the kernel's blocks into the new function, behind an entry block where
/// everything the body takes from its context is read.
void Retargeting::moveBody() {
  Type *Int = Entry.getInt32Ty();
  auto *FT = FunctionType::get(Entry.getVoidTy(),
                               {Entry.getPtrTy(), Int, Int, Int}, false);
  Out.Body = Function::Create(FT, GlobalValue::InternalLinkage, "bm.body", M);
  Out.Body->addFnAttr(Attribute::NoUnwind);
  Out.Body->addParamAttr(0, Attribute::NonNull);
  Out.Body->addDereferenceableParamAttr(0, sizeof(BlockContext));
  Out.Body->splice(Out.Body->begin(), &Kernel);
  BasicBlock *Code = &Out.Body->getEntryBlock();
  BasicBlock *First =
      BasicBlock::Create(M.getContext(), "bm.entry", Out.Body, Code);
  Entry.SetInsertPoint(BranchInst::Create(Code, First));
  for (Instruction &I : make_early_inc_range(*Code))
    if (isa<AllocaInst>(I))
      I.moveBefore(First->begin());
}

/// Parameters come from the packed argument block; an aggregate gets a private
/// copy, since the kernel may write to it.
void Retargeting::replaceParameters() {
  Value *Packed = loadConstant(Entry, Entry.getPtrTy(), Out.Body->getArg(0),
                               offsetof(BlockContext, Arguments));
  for (Argument &A : Kernel.args()) {
    const Parameter &P = Record.Parameters[A.getArgNo()];
    Value *New;
    if (A.hasByValAttr()) {
      auto *Copy = Entry.CreateAlloca(A.getParamByValType());
      Copy->setAlignment(
          std::max(Copy->getAlign(), A.getParamAlign().valueOrOne()));
      Entry.CreateMemCpy(Copy, Copy->getAlign(),
                         byteOffset(Entry, Packed, P.Offset), MaybeAlign(1),
                         P.Bytes);
      New = Copy;
    } else {
      New = loadConstant(Entry, A.getType(), Packed, P.Offset);
    }
    A.replaceAllUsesWith(New);
  }
}

/// Every static shared variable gets its place in the block's buffer, every
/// extern one begins after the last of them.
void Retargeting::replaceSharedMemory() {
  SmallVector<GlobalVariable *> Variables;
  for (GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == SharedAddressSpace && !G.use_empty())
      Variables.push_back(&G);
  SmallVector<Constant *> Roots(Variables.begin(), Variables.end());
  convertUsersOfConstantsToInstructions(Roots, Out.Body,
                                        /*RemoveDeadConstants=*/true);
  const DataLayout &Layout = M.getDataLayout();
  Value *Base = loadConstant(Entry, Entry.getPtrTy(), Out.Body->getArg(0),
                             offsetof(BlockContext, Shared));
  DenseMap<GlobalVariable *, uint64_t> Offsets;
  for (GlobalVariable *G : Variables) {
    if (G->isDeclaration())
      continue;
    Align Needed = std::max(G->getAlign().valueOrOne(),
                            Layout.getABITypeAlign(G->getValueType()));
    Offsets[G] = alignTo(Out.StaticShared, Needed);
    Out.StaticShared = Offsets[G] + Layout.getTypeAllocSize(G->getValueType());
  }
  Out.StaticShared = alignTo(Out.StaticShared, SharedAlignment);
  for (GlobalVariable *G : Variables) {
    uint64_t At = G->isDeclaration() ? Out.StaticShared : Offsets[G];
    Value *Address =
        Entry.CreateAddrSpaceCast(byteOffset(Entry, Base, At), G->getType());
    G->replaceAllUsesWith(Address);
    G->eraseFromParent();
  }
}

/// The variables themselves live in a module of their own (DeviceGlobals).
void Retargeting::externalizeGlobals() {
  for (GlobalVariable &G : M.globals()) {
    if (!isDeviceGlobal(G))
      continue;
    std::string Name = globalName(G, Ordinal);
    G.setInitializer(nullptr);
    G.setComdat(nullptr);
    G.setConstant(false);
    G.setExternallyInitialized(false);
    G.setLinkage(GlobalValue::ExternalLinkage);
    G.setDSOLocal(false);
    G.setName(Name);
  }
}

/// A trap tells the emulator and ends its thread.
void Retargeting::replaceTraps() {
  for (BasicBlock &Block : *Out.Body) {
    auto Trap = find_if(Block, [](const Instruction &I) {
      auto *Call = dyn_cast<CallInst>(&I);
      return Call && isTrap(*Call);
    });
    if (Trap == Block.end())
      continue;
    IRBuilder<> B(&*Trap);
    B.CreateStore(B.getInt32(1), byteOffset(B, Out.Body->getArg(0),
                                            offsetof(BlockContext, Trapped)));
    changeToUnreachable(&*Trap);
    ReplaceInstWithInst(Block.getTerminator(),
                        ReturnInst::Create(M.getContext()));
  }
}

Value *Retargeting::dimension(size_t FieldOffset, unsigned D) {
  return loadConstant(Entry, Entry.getInt32Ty(), Out.Body->getArg(0),
                      FieldOffset + sizeof(uint32_t) * D);
}

/// x fastest, as the GPU numbers the threads of a block.
Value *Retargeting::linearThread() {
  Function &F = *Out.Body;
  Value *Rows = Entry.CreateAdd(
      Entry.CreateMul(F.getArg(3), dimension(offsetof(BlockContext, Block), 1)),
      F.getArg(2));
  return Entry.CreateAdd(
      Entry.CreateMul(Rows, dimension(offsetof(BlockContext, Block), 0)),
      F.getArg(1));
}

/// The value of a special register, or null when \p Name is none.
Value *Retargeting::specialRegister(StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return nullptr;
  if (Name == "warpsize")
    return Entry.getInt32(WarpSize);
  if (Name == "laneid")
    return Entry.CreateURem(linearThread(), Entry.getInt32(WarpSize));
  unsigned D = Name.back() - 'x';
  if (Name.starts_with("tid."))
    return Out.Body->getArg(1 + D);
  if (Name.starts_with("ntid."))
    return dimension(offsetof(BlockContext, Block), D);
  if (Name.starts_with("ctaid."))
    return dimension(offsetof(BlockContext, Index), D);
  return dimension(offsetof(BlockContext, Grid), D);
}

/// ++Visits[linear thread * Weights + k].
void Retargeting::replaceVisit(CallInst &Marker) {
  IRBuilder<> B(&Marker);
  Value *Visits = loadConstant(Entry, B.getPtrTy(), Out.Body->getArg(0),
                               offsetof(BlockContext, Visits));
  Value *Row = Entry.CreateMul(linearThread(), Entry.getInt32(Weights));
  Value *Slot = B.CreateAdd(Row, Marker.getArgOperand(0));
  Value *Address = B.CreateInBoundsGEP(B.getInt32Ty(), Visits,
                                       B.CreateZExt(Slot, B.getInt64Ty()));
  Value *Old = B.CreateLoad(B.getInt32Ty(), Address);
  B.CreateStore(B.CreateAdd(Old, B.getInt32(1)), Address);
}

Value *Retargeting::highHalf(IRBuilder<> &B, CallInst &Call, bool Signed) {
  Type *Narrow = Call.getType();
  unsigned Bits = Narrow->getIntegerBitWidth();
  Type *Wide = B.getIntNTy(2 * Bits);
  Value *L = B.CreateIntCast(Call.getArgOperand(0), Wide, Signed);
  Value *R = B.CreateIntCast(Call.getArgOperand(1), Wide, Signed);
  return B.CreateTrunc(B.CreateLShr(B.CreateMul(L, R), Bits), Narrow);
}

/// The host's form of an arithmetic NVVM intrinsic.
Value *Retargeting::replaceArithmetic(CallInst &Call, const NvvmRow &Row) {
  IRBuilder<> B(&Call);
  Type *T = Call.getType();
  SmallVector<Value *> Operands(Call.args());
  Value *X = Operands[0];
  switch (Row.Form) {
  case NvvmForm::None:
    return nullptr;
  case NvvmForm::Intrinsic:
    return B.CreateIntrinsic(T, Row.Id, Operands);
  case NvvmForm::Add:
    return B.CreateFAdd(X, Operands[1]);
  case NvvmForm::Multiply:
    return B.CreateFMul(X, Operands[1]);
  case NvvmForm::Divide:
    return B.CreateFDiv(X, Operands[1]);
  case NvvmForm::Reciprocal:
    return B.CreateFDiv(ConstantFP::get(T, 1), X);
  case NvvmForm::ReciprocalRoot:
    return B.CreateFDiv(ConstantFP::get(T, 1),
                        B.CreateUnaryIntrinsic(Intrinsic::sqrt, X));
  case NvvmForm::Saturate:
    return B.CreateMinNum(B.CreateMaxNum(X, ConstantFP::get(T, 0)),
                          ConstantFP::get(T, 1));
  case NvvmForm::HighHalfSigned:
    return highHalf(B, Call, true);
  case NvvmForm::HighHalfUnsigned:
    return highHalf(B, Call, false);
  }
  return nullptr;
}

/// Special registers, fences, arithmetic and visit markers.
void Retargeting::replaceCalls() {
  for (Instruction &I : make_early_inc_range(instructions(*Out.Body))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || isBlockBarrier(*Call))
      continue;
    StringRef Name = Call->getCalledFunction()->getName();
    Value *New = specialRegister(Name);
    const NvvmRow *Row = findNvvmRow(Name);
    if (Row)
      New = replaceArithmetic(*Call, *Row);
    if (New)
      Call->replaceAllUsesWith(New);
    else if (Name == VisitMarker)
      replaceVisit(*Call);
    else if (Name.starts_with("llvm.nvvm.membar."))
      IRBuilder<>(Call).CreateFence(AtomicOrdering::SequentiallyConsistent);
    else
      continue;
    Call->eraseFromParent();
  }
}

ThreadCode Retargeting::run() {
  moveBody();
  Out.Functions.push_back(Out.Body);
  replaceParameters();
  replaceSharedMemory();
  externalizeGlobals();
  replaceTraps();
  replaceCalls();
  Kernel.eraseFromParent();
  return Out;
}

} // namespace

ThreadCode retarget(Function &Kernel, const KernelRecord &Record,
                    unsigned Ordinal, unsigned Weights) {
  return Retargeting(Kernel, Record, Ordinal, Weights).run();
}

} // namespace blockmaestro
