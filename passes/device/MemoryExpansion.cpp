// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryExpansion.h"

#include "PtxAssembly.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace blockmaestro {

namespace {

constexpr const char *ExpandedMark = "blockmaestro.expanded";

/// Whether V is made of constants and the hardware's registers, so that it
/// cannot be the distance between two allocations.
bool isPlainNumber(const Value *V, unsigned Depth = 6) {
  if (isa<ConstantInt>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == 0)
    return false;
  if (const auto *Call = dyn_cast<CallInst>(I)) {
    const Function *Callee = Call->getCalledFunction();
    return Callee && Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
  }
  if (!isa<BinaryOperator>(I) && !isa<CastInst>(I))
    return false;
  return all_of(I->operands(), [&](const Value *Operand) {
    return isPlainNumber(Operand, Depth - 1);
  });
}

/// The pointer that address V is, found again behind the conversions and
/// additions that programs do before they hand it to assembly.
Value *pointerFrom(Value *V, IRBuilder<> &Build) {
  if (V->getType()->isPointerTy())
    return V;
  if (Operator::getOpcode(V) == Instruction::PtrToInt)
    return cast<Operator>(V)->getOperand(0);
  if (auto *Sum = dyn_cast<BinaryOperator>(V);
      Sum && Sum->getOpcode() == Instruction::Add)
    for (unsigned I : {0, 1})
      if (isPlainNumber(Sum->getOperand(1 - I)))
        return Build.CreatePtrAdd(pointerFrom(Sum->getOperand(I), Build),
                                  Sum->getOperand(1 - I));
  return Build.CreateIntToPtr(V, Build.getPtrTy());
}

/// A condition of which nothing is known.
Value *sometimes(IRBuilder<> &Build) {
  Module &M = *Build.GetInsertBlock()->getModule();
  LLVMContext &C = M.getContext();
  AttributeList Marks =
      AttributeList()
          .addFnAttribute(C, Attribute::getWithMemoryEffects(
                                 C, MemoryEffects::inaccessibleMemOnly()))
          .addFnAttribute(C, Attribute::NoUnwind)
          .addFnAttribute(C, Attribute::WillReturn);
  return Build.CreateCall(M.getOrInsertFunction("blockmaestro.sometimes", Marks,
                                                Build.getInt1Ty()));
}

/// Accesses of Bytes bytes at Pointer, a power of two of them for an atomic.
void emitFixed(IRBuilder<> &Build, AccessKind Kind, Value *Pointer,
               uint64_t Bytes) {
  Type *T = Build.getIntNTy(Bytes * 8);
  if (Kind == AccessKind::Read)
    Build.CreateAlignedLoad(T, Pointer, Align(1), /*isVolatile=*/true);
  else if (Kind == AccessKind::Write)
    Build.CreateAlignedStore(Constant::getNullValue(T), Pointer, Align(1),
                             /*isVolatile=*/true);
  else
    Build
        .CreateAtomicRMW(AtomicRMWInst::Xchg, Pointer,
                         Constant::getNullValue(T), Align(Bytes),
                         AtomicOrdering::Monotonic)
        ->setVolatile(true);
}

/// Accesses of as many bytes as Length says. What updates memory so reads and
/// writes it.
void emitCounted(IRBuilder<> &Build, AccessKind Kind, Value *Pointer,
                 Value *Length) {
  Length = Build.CreateZExtOrTrunc(Length, Build.getInt64Ty());
  Value *Nowhere =
      ConstantPointerNull::get(Build.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED));
  if (Kind != AccessKind::Write)
    Build.CreateMemCpy(Nowhere, Align(1), Pointer, Align(1), Length,
                       /*isVolatile=*/true);
  if (Kind != AccessKind::Read)
    Build.CreateMemSet(Pointer, Build.getInt8(0), Length, Align(1),
                       /*isVolatile=*/true);
}

bool expandable(const AssemblyEffects &Effects) {
  return Effects.Understood &&
         all_of(Effects.Accesses, [](const AssemblyAccess &A) {
           return A.Kind != AccessKind::Atomic || A.Bytes == 0 ||
                  (isPowerOf2_64(A.Bytes) && A.Bytes <= 16);
         });
}

/// The place before Next for something that may not happen.
Instruction *placeFor(Instruction &Next, bool Sometimes) {
  if (!Sometimes)
    return &Next;
  IRBuilder<> Build(&Next);
  return SplitBlockAndInsertIfThen(sometimes(Build), &Next,
                                   /*Unreachable=*/false);
}

/// The same, for something that happens where Test, of Call, holds.
Instruction *placeFor(Instruction &Next, const CallBase &Call,
                      const AssemblyTest &Test) {
  IRBuilder<> Build(&Next);
  Build.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Left = Call.getArgOperand(Test.Left);
  Value *Right = Test.RightArgument
                     ? Call.getArgOperand(*Test.RightArgument)
                     : ConstantInt::getSigned(Left->getType(), Test.RightNumber,
                                              /*ImplicitTrunc=*/true);
  return SplitBlockAndInsertIfThen(Build.CreateICmp(Test.Compare, Left, Right),
                                   &Next,
                                   /*Unreachable=*/false);
}

void expandAssembly(CallBase &Call) {
  AssemblyEffects Effects = describeAssembly(Call);
  if (Effects.Exits)
    endSometimes(Call);
  if (!expandable(Effects))
    return;
  for (const AssemblyAccess &A : Effects.Accesses) {
    Instruction *Place = A.When ? placeFor(Call, Call, *A.When) : &Call;
    IRBuilder<> Build(placeFor(*Place, A.Sometimes));
    Build.SetCurrentDebugLocation(Call.getDebugLoc());
    Value *Pointer = pointerFrom(Call.getArgOperand(A.Address), Build);
    if (A.Displacement)
      Pointer = Build.CreatePtrAdd(Pointer, Build.getInt64(A.Displacement));
    if (A.Bytes)
      emitFixed(Build, A.Kind, Pointer, A.Bytes);
    else
      emitCounted(Build, A.Kind, Pointer, Call.getArgOperand(A.Length));
  }
  Call.addFnAttr(Attribute::get(Call.getContext(), ExpandedMark));
}

/// Intrinsics that copy at most Bytes bytes, as many as operand Length says.
struct ShortCopy {
  Intrinsic::ID Intrinsic;
  uint64_t Bytes;
};

constexpr ShortCopy ShortCopies[] = {
    {Intrinsic::nvvm_cp_async_ca_shared_global_4_s, 4},
    {Intrinsic::nvvm_cp_async_ca_shared_global_8_s, 8},
    {Intrinsic::nvvm_cp_async_ca_shared_global_16_s, 16},
    {Intrinsic::nvvm_cp_async_cg_shared_global_16_s, 16},
};

void expandShortCopy(CallBase &Call, uint64_t Bytes) {
  const auto *Given = dyn_cast<ConstantInt>(Call.getArgOperand(2));
  bool Known = Given && Given->getValue().ule(Bytes);
  IRBuilder<> Build(placeFor(Call, !Known));
  Build.SetCurrentDebugLocation(Call.getDebugLoc());
  if (Known)
    Bytes = Given->getZExtValue();
  if (Bytes)
    emitFixed(Build, AccessKind::Read, Call.getArgOperand(1), Bytes);
  Call.addFnAttr(Attribute::get(Call.getContext(), ExpandedMark));
}

/// Intrinsics that copy Length bytes from or to global memory.
struct BulkCopy {
  Intrinsic::ID Intrinsic;
  AccessKind Kind;
  unsigned Pointer;
  unsigned Length;
};

constexpr BulkCopy BulkCopies[] = {
    {Intrinsic::nvvm_cp_async_bulk_global_to_shared_cluster, AccessKind::Read,
     2, 3},
    {Intrinsic::nvvm_cp_async_bulk_global_to_shared_cta, AccessKind::Read, 2,
     3},
    {Intrinsic::nvvm_cp_async_bulk_shared_cta_to_global, AccessKind::Write, 0,
     2},
};

void expandBulkCopy(CallBase &Call, const BulkCopy &Row) {
  IRBuilder<> Build(&Call);
  emitCounted(Build, Row.Kind, Call.getArgOperand(Row.Pointer),
              Call.getArgOperand(Row.Length));
  Call.addFnAttr(Attribute::get(Call.getContext(), ExpandedMark));
}

/// The part of a matrix that one wmma load or store moves: Lines pieces of
/// LineBits bits, a stride apart.
struct Fragment {
  AccessKind Kind = AccessKind::Read;
  unsigned Lines = 0;
  unsigned LineBits = 0;
  unsigned ElementBits = 0;
  bool Strided = false;
};

/// "f16" is 16, "tf32" is 32, "b1" is 1.
unsigned elementBits(StringRef Type) {
  unsigned Bits = 0;
  Type = Type.drop_while(isAlpha);
  return Type.getAsInteger(10, Bits) ? 0 : Bits;
}

/// Reads "llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0".
std::optional<Fragment> fragmentOf(StringRef Name) {
  unsigned M = 0, N = 0, K = 0;
  Fragment Result;
  if (!Name.consume_front("llvm.nvvm.wmma.m") || Name.consumeInteger(10, M) ||
      !Name.consume_front("n") || Name.consumeInteger(10, N) ||
      !Name.consume_front("k") || Name.consumeInteger(10, K))
    return std::nullopt;
  SmallVector<StringRef, 8> Parts;
  Name.drop_front().split(Parts, '.');
  if (Parts.size() < 5 || (Parts[0] != "load" && Parts[0] != "store"))
    return std::nullopt;
  Result.Kind = Parts[0] == "load" ? AccessKind::Read : AccessKind::Write;
  unsigned Rows = Parts[1] == "b" ? K : M;
  unsigned Columns = Parts[1] == "a" ? K : N;
  bool ByRow = Parts[2] == "row";
  Result.Strided = Parts[3] == "stride";
  Result.ElementBits = elementBits(Parts[Result.Strided ? 4 : 3]);
  Result.Lines = ByRow ? Rows : Columns;
  Result.LineBits = (ByRow ? Columns : Rows) * Result.ElementBits;
  if (!Result.ElementBits || Result.LineBits % 8)
    return std::nullopt;
  return Result;
}

/// A loop over the lines of the fragment. The whole warp moves it, so it is
/// the same for each of its threads.
void expandFragment(CallBase &Call, const Fragment &Part) {
  IRBuilder<> Build(&Call);
  Type *Wide = Build.getInt64Ty();
  Value *Distance = Build.getInt64(Part.LineBits / 8);
  if (Part.Strided) {
    bool Whole = Part.ElementBits % 8 == 0;
    Value *Stride =
        Build.CreateZExt(Call.getArgOperand(Call.arg_size() - 1), Wide);
    Distance =
        Build.CreateMul(Stride, Build.getInt64(Whole ? Part.ElementBits / 8
                                                     : Part.ElementBits));
    if (!Whole)
      Distance = Build.CreateUDiv(Distance, Build.getInt64(8));
  }
  auto [Body, Line] = SplitBlockAndInsertSimpleForLoop(
      Build.getInt64(Part.Lines), Call.getIterator());
  IRBuilder<> Inside(Body);
  Inside.SetCurrentDebugLocation(Call.getDebugLoc());
  Value *Pointer = Inside.CreatePtrAdd(Call.getArgOperand(0),
                                       Inside.CreateMul(Line, Distance));
  emitFixed(Inside, Part.Kind, Pointer, Part.LineBits / 8);
  Call.addFnAttr(Attribute::get(Call.getContext(), ExpandedMark));
}

void expandIntrinsic(CallBase &Call) {
  Intrinsic::ID Id = Call.getIntrinsicID();
  if (Id == Intrinsic::nvvm_exit)
    changeToUnreachable(Call.getNextNode());
  for (const ShortCopy &Row : ShortCopies)
    if (Row.Intrinsic == Id)
      expandShortCopy(Call, Row.Bytes);
  for (const BulkCopy &Row : BulkCopies)
    if (Row.Intrinsic == Id)
      expandBulkCopy(Call, Row);
  if (const Function *Callee = Call.getCalledFunction())
    if (std::optional<Fragment> Part = fragmentOf(Callee->getName()))
      expandFragment(Call, *Part);
}

} // namespace

void endSometimes(Instruction &Next) {
  Instruction *Place = placeFor(Next, true);
  IRBuilder<>(Place).CreateIntrinsic(Intrinsic::nvvm_exit, {});
  changeToUnreachable(Place);
}

bool isExpanded(const CallBase &Call) {
  return Call.getAttributes().hasFnAttr(ExpandedMark);
}

void expandMemory(Function &F) {
  SmallVector<WeakTrackingVH> Calls;
  for (Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I);
        Call && (Call->isInlineAsm() || isa<IntrinsicInst>(Call)))
      Calls.push_back(&I);
  for (const WeakTrackingVH &Handle : Calls) {
    auto *Call = dyn_cast_or_null<CallBase>(Handle);
    if (Call && Call->isInlineAsm())
      expandAssembly(*Call);
    else if (Call)
      expandIntrinsic(*Call);
  }
}

} // namespace blockmaestro
