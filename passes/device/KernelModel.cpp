// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModel.h"

#include "Canonicalize.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

struct Register {
  Intrinsic::ID Intrinsic;
  SymbolKind Kind;
  uint8_t Dimension;
};

constexpr Register Registers[] = {
    {Intrinsic::nvvm_read_ptx_sreg_tid_x, SymbolKind::ThreadIdx, 0},
    {Intrinsic::nvvm_read_ptx_sreg_tid_y, SymbolKind::ThreadIdx, 1},
    {Intrinsic::nvvm_read_ptx_sreg_tid_z, SymbolKind::ThreadIdx, 2},
    {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, SymbolKind::BlockIdx, 0},
    {Intrinsic::nvvm_read_ptx_sreg_ctaid_y, SymbolKind::BlockIdx, 1},
    {Intrinsic::nvvm_read_ptx_sreg_ctaid_z, SymbolKind::BlockIdx, 2},
    {Intrinsic::nvvm_read_ptx_sreg_ntid_x, SymbolKind::BlockDim, 0},
    {Intrinsic::nvvm_read_ptx_sreg_ntid_y, SymbolKind::BlockDim, 1},
    {Intrinsic::nvvm_read_ptx_sreg_ntid_z, SymbolKind::BlockDim, 2},
    {Intrinsic::nvvm_read_ptx_sreg_nctaid_x, SymbolKind::GridDim, 0},
    {Intrinsic::nvvm_read_ptx_sreg_nctaid_y, SymbolKind::GridDim, 1},
    {Intrinsic::nvvm_read_ptx_sreg_nctaid_z, SymbolKind::GridDim, 2},
};

/// The aggregate argument and the byte offset in it that Load reads, or null.
const Argument *aggregateOf(const LoadInst &Load, int64_t &Offset) {
  const DataLayout &DL = Load.getDataLayout();
  const auto *A = dyn_cast<Argument>(GetPointerBaseWithConstantOffset(
      Load.getPointerOperand(), Offset, DL, /*AllowNonInbounds=*/true));
  if (!A || !Load.isSimple() || !isConstantAggregate(*A) || Offset < 0)
    return nullptr;
  uint64_t End = Offset + DL.getTypeStoreSize(Load.getType());
  return End <= DL.getTypeAllocSize(A->getParamByValType()) ? A : nullptr;
}

std::optional<Symbol> argumentSymbol(const Argument &A, Type *T,
                                     int64_t Offset) {
  unsigned Bits = T->isIntegerTy() ? T->getIntegerBitWidth() : 0;
  if (!isKernel(*A.getParent()) ||
      (Bits != 8 && Bits != 16 && Bits != 32 && Bits != 64))
    return std::nullopt;
  Symbol S;
  S.Kind = SymbolKind::Argument;
  S.Index = static_cast<uint16_t>(A.getArgNo());
  S.Offset = static_cast<uint32_t>(Offset);
  S.Bytes = static_cast<uint8_t>(Bits / 8);
  return S;
}

Object known(const Argument &A, int64_t Offset) {
  Object Result;
  Result.What = Object::Kind::Known;
  Result.Base.Kind = RootKind::Argument;
  Result.Base.Argument = static_cast<uint16_t>(A.getArgNo());
  Result.Base.Offset = static_cast<uint32_t>(Offset);
  return Result;
}

Object unknown(ReasonKind Why) {
  Object Result;
  Result.Why.Kind = Why;
  return Result;
}

Object ignored() {
  Object Result;
  Result.What = Object::Kind::Ignored;
  return Result;
}

bool isPrivateSpace(unsigned Space) {
  return Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
         Space == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER ||
         Space == NVPTXAS::ADDRESS_SPACE_LOCAL;
}

/// A constant nobody can write, such as a string.
bool isFixed(const GlobalVariable &G) {
  return G.isConstant() && G.hasDefinitiveInitializer();
}

Object classifyGlobal(const GlobalVariable &G) {
  if (isPrivateSpace(G.getAddressSpace()) || isFixed(G))
    return ignored();
  Object Result;
  Result.What = Object::Kind::Known;
  Result.Base.Kind = RootKind::Global;
  Result.Base.Global = G.getName().str();
  return Result;
}

Object classifyLoad(const LoadInst &Load) {
  int64_t Offset = 0;
  const Argument *A = aggregateOf(Load, Offset);
  return A && isKernel(*A->getParent()) ? known(*A, Offset)
                                        : unknown(ReasonKind::PointerLoaded);
}

Parameter describeParameter(const Argument &A, uint32_t &End) {
  const DataLayout &DL = A.getParent()->getDataLayout();
  Parameter P;
  P.ByValue = A.hasByValAttr();
  P.Pointer = !P.ByValue && A.getType()->isPointerTy();
  Type *T = P.ByValue ? A.getParamByValType() : A.getType();
  MaybeAlign Given = P.ByValue ? A.getParamAlign() : MaybeAlign();
  Align Alignment = Given.value_or(DL.getABITypeAlign(T));
  P.Bytes = static_cast<uint32_t>(DL.getTypeAllocSize(T));
  P.Alignment = static_cast<uint32_t>(Alignment.value());
  P.Offset = static_cast<uint32_t>(alignTo(End, Alignment));
  End = P.Offset + P.Bytes;
  return P;
}

/// F and every function it can call directly.
SetVector<const Function *> reachable(const Function &F) {
  SetVector<const Function *> Found;
  Found.insert(&F);
  for (unsigned I = 0; I < Found.size(); ++I)
    for (const Instruction &At : instructions(Found[I]))
      if (const auto *Call = dyn_cast<CallBase>(&At))
        if (const Function *Callee = Call->getCalledFunction())
          Found.insert(Callee);
  return Found;
}

bool isBarrier(const CallBase &Call) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    StringRef Text = Asm->getAsmString();
    return Text.contains("bar.") || Text.contains("barrier.");
  }
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  return Name.starts_with("llvm.nvvm.barrier.cta.") ||
         Name.starts_with("llvm.nvvm.barrier0") ||
         Name.starts_with("llvm.nvvm.bar.sync");
}

/// The shared variables used by I, looking through constant expressions.
void collectShared(const Value *V, SetVector<const GlobalVariable *> &To) {
  if (const auto *G = dyn_cast<GlobalVariable>(V)) {
    if (G->getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED)
      To.insert(G);
    return;
  }
  if (isa<ConstantExpr>(V))
    for (const Value *Operand : cast<ConstantExpr>(V)->operands())
      collectShared(Operand, To);
}

} // namespace

void describeKernel(const Function &F, KernelRecord &Record) {
  Record.Symbol = F.getName().str();
  Record.Name = demangle(F.getName());
  for (const Argument &A : F.args())
    Record.Parameters.push_back(describeParameter(A, Record.ArgumentBytes));
  SetVector<const GlobalVariable *> Shared;
  for (const Function *Body : reachable(F))
    for (const Instruction &I : instructions(Body)) {
      for (const Value *Operand : I.operands())
        collectShared(Operand, Shared);
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (isBarrier(*Call))
          Record.add(Feature::Barrier);
    }
  const DataLayout &DL = F.getDataLayout();
  for (const GlobalVariable &G : F.getParent()->globals()) {
    if (!Shared.contains(&G))
      continue;
    if (G.isDeclaration()) {
      Record.add(Feature::DynamicShared);
      continue;
    }
    Align Alignment = G.getAlign().value_or(DL.getPreferredAlign(&G));
    Record.StaticSharedBytes =
        alignTo(Record.StaticSharedBytes, Alignment) +
        DL.getTypeAllocSize(G.getValueType()).getFixedValue();
  }
}

std::vector<GlobalRecord> describeGlobals(const Module &M) {
  std::vector<GlobalRecord> Records;
  for (const GlobalVariable &G : M.globals())
    if (!(G.isDeclaration() && G.use_empty()) &&
        !G.getName().starts_with("llvm.") &&
        classifyGlobal(G).What == Object::Kind::Known)
      Records.push_back({G.getName().str(),
                         M.getDataLayout().getTypeAllocSize(G.getValueType())});
  return Records;
}

std::optional<Symbol> launchValue(const Value *V) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(V)) {
    const auto *Row = find_if(Registers, [&](const Register &R) {
      return R.Intrinsic == Call->getIntrinsicID();
    });
    if (Row == std::end(Registers))
      return std::nullopt;
    Symbol S;
    S.Kind = Row->Kind;
    S.Dimension = Row->Dimension;
    return S;
  }
  if (const auto *A = dyn_cast<Argument>(V))
    return argumentSymbol(*A, A->getType(), 0);
  int64_t Offset = 0;
  if (const auto *Load = dyn_cast<LoadInst>(V))
    if (const Argument *A = aggregateOf(*Load, Offset))
      return argumentSymbol(*A, Load->getType(), Offset);
  return std::nullopt;
}

Object classifyObject(const Value *V) {
  if (isPrivateSpace(V->getType()->getPointerAddressSpace()) ||
      isa<AllocaInst>(V) || isa<ConstantPointerNull>(V) || isa<UndefValue>(V))
    return ignored();
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return classifyGlobal(*G);
  if (const auto *A = dyn_cast<Argument>(V)) {
    if (A->hasByValAttr())
      return ignored();
    return isKernel(*A->getParent()) ? known(*A, 0)
                                     : unknown(ReasonKind::PointerUnknown);
  }
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return classifyLoad(*Load);
  bool Integer = Operator::getOpcode(V) == Instruction::IntToPtr;
  return unknown(Integer ? ReasonKind::PointerFromInteger
                         : ReasonKind::PointerUnknown);
}

std::vector<Object> objectsOf(const Value *Pointer) {
  if (isPrivateSpace(Pointer->getType()->getPointerAddressSpace()))
    return {};
  SmallVector<const Value *, 4> Values;
  getUnderlyingObjects(Pointer, Values, nullptr, 0);
  std::vector<Object> Found;
  for (const Value *V : Values) {
    Object O = classifyObject(V);
    if (O.What == Object::Kind::Unknown)
      return {O};
    bool Repeated = any_of(Found, [&](const Object &Other) {
      return Other.Base.Kind == O.Base.Kind &&
             Other.Base.Argument == O.Base.Argument &&
             Other.Base.Offset == O.Base.Offset &&
             Other.Base.Global == O.Base.Global;
    });
    if (O.What == Object::Kind::Known && !Repeated)
      Found.push_back(std::move(O));
  }
  return Found;
}

} // namespace blockmaestro
