// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelModel.h"

#include "ClusterMarks.h"

#include "Calls.h"
#include "Canonicalize.h"
#include "Features.h"
#include "PtxAssembly.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <numeric>

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
  unsigned Bits = T->isIntegerTy()   ? T->getIntegerBitWidth()
                  : T->isPointerTy() ? 64
                                     : 0;
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

/// Marks the bytes of a value of type T at Offset that are no padding.
void markBytes(Type *T, uint64_t Offset, const DataLayout &DL, BitVector &To) {
  if (auto *Structure = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(Structure);
    for (unsigned I = 0; I < Structure->getNumElements(); ++I)
      markBytes(Structure->getElementType(I),
                Offset + Layout->getElementOffset(I).getFixedValue(), DL, To);
  } else if (auto *Array = dyn_cast<ArrayType>(T)) {
    Type *Element = Array->getElementType();
    const uint64_t Size = DL.getTypeAllocSize(Element).getFixedValue();
    for (uint64_t I = 0; Size && I < Array->getNumElements(); ++I)
      markBytes(Element, Offset + I * Size, DL, To);
  } else {
    To.set(Offset, Offset + DL.getTypeStoreSize(T).getFixedValue());
  }
}

/// The start of V and, modulo the second number, its place behind that: an
/// address with indices that are not constant.
struct IndexedPlace {
  const Value *Base = nullptr;
  int64_t Offset = 0;
  uint64_t Step = 0;
};

/// The largest step for which an index is asked how even it is.
constexpr unsigned MostStepBits = 30;

/// What the places of Index scaled by Scale have in common: where the product
/// may wrap around, the power of two in it. An index that is itself known to be
/// a multiple of a power of two, as after "ashr exact", counts as that
/// multiple.
uint64_t stepOf(const GEPOperator &At, const Value &Index, const APInt &Scale,
                const DataLayout &DL) {
  const uint64_t Step = Scale.abs().getZExtValue();
  const uint64_t Kept = At.hasNoUnsignedSignedWrap() ? Step : Step & -Step;
  const unsigned Even = computeKnownBits(&Index, DL).countMinTrailingZeros();
  const auto Used = static_cast<unsigned>(llvm::bit_width(Kept));
  return Used > MostStepBits ? Kept
                             : Kept << std::min(Even, MostStepBits - Used);
}

IndexedPlace placeOf(const Value *V, const DataLayout &DL) {
  IndexedPlace Result;
  unsigned Bits = DL.getIndexTypeSizeInBits(V->getType());
  for (;;) {
    if (Operator::getOpcode(V) == Instruction::AddrSpaceCast) {
      V = cast<Operator>(V)->getOperand(0);
      continue;
    }
    const auto *GEP = dyn_cast<GEPOperator>(V);
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(Bits, 0);
    if (!GEP || !GEP->collectOffset(DL, Bits, Variable, Constant))
      break;
    Result.Offset += Constant.getSExtValue();
    for (const auto &[Index, Scale] : Variable)
      Result.Step = std::gcd(Result.Step, stepOf(*GEP, *Index, Scale, DL));
    V = GEP->getPointerOperand();
  }
  Result.Base = V;
  return Result;
}

/// What Load may read from an aggregate argument at an index that is not
/// constant; nothing where that is too much.
std::vector<Object> chosenFromAggregate(const LoadInst &Load) {
  const PointerChoice Choice = pointerChoice(Load);
  std::vector<Object> Found;
  if (Choice.Offsets.size() <= MostPointers)
    for (uint64_t At : Choice.Offsets)
      Found.push_back(argumentObject(*Choice.From, At));
  return Found;
}

Object classifyLoad(const LoadInst &Load) {
  int64_t Offset = 0;
  const Argument *A = aggregateOf(Load, Offset);
  if (A && isKernel(*A->getParent()))
    return argumentObject(*A, Offset);
  return unknown(pointerChoice(Load).From ? ReasonKind::SeveralPointers
                                          : ReasonKind::PointerLoaded);
}

/// Whether something but the thread that has Allocation, from malloc, may come
/// to know it.
bool isPublished(const Value &Allocation) {
  SmallSetVector<const Value *, 16> Pointers;
  Pointers.insert(&Allocation);
  for (unsigned I = 0; I < Pointers.size(); ++I)
    for (const User *U : Pointers[I]->users()) {
      const auto *Call = dyn_cast<CallBase>(U);
      const auto *Store = dyn_cast<StoreInst>(U);
      if (isa<GetElementPtrInst>(U) || isa<AddrSpaceCastInst>(U) ||
          isa<PHINode>(U) || isa<SelectInst>(U))
        Pointers.insert(U);
      else if (Store ? Store->getValueOperand() == Pointers[I]
                     : !(isa<LoadInst>(U) || isa<CmpInst>(U) ||
                         isa<MemIntrinsic>(U) || (Call && isRelease(*Call))))
        return true;
    }
  return false;
}

/// Whether Call gives what an environment register holds, made of nothing else.
bool readsEnvironment(const CallBase &Call) {
  if (Call.isInlineAsm()) {
    const AssemblyEffects Effects = describeAssembly(Call);
    return Effects.Grid && Effects.Understood && Effects.Accesses.empty() &&
           Call.arg_empty();
  }
  const Function *Callee = Call.getCalledFunction();
  return Callee &&
         Callee->getName().starts_with("llvm.nvvm.read.ptx.sreg.envreg");
}

/// Whether address V is made of the environment registers alone: it leads to
/// what the runtime keeps for the barrier of a cooperative launch.
bool isLaunchWorkspace(const Value *V) {
  SmallSetVector<const Value *, 8> Parts;
  Parts.insert(V);
  for (unsigned I = 0; I < Parts.size(); ++I) {
    if (const auto *Call = dyn_cast<CallBase>(Parts[I])) {
      if (!readsEnvironment(*Call))
        return false;
      continue;
    }
    const auto *Step = dyn_cast<Instruction>(Parts[I]);
    if (!Step || !(isa<CastInst>(Step) || isa<BinaryOperator>(Step)))
      return false;
    auto IsNumber = [](const Value *Operand) {
      return isa<ConstantInt>(Operand);
    };
    if (all_of(Step->operands(), IsNumber))
      return false;
    for (const Value *Operand : Step->operands())
      if (!IsNumber(Operand))
        Parts.insert(Operand);
  }
  return true;
}

Object classifyHeap(const Value &Allocation) {
  return isPublished(Allocation) ? unknown(ReasonKind::DeviceHeap) : ignored();
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

/// Name without what clang appends to tell the static symbols of files apart.
StringRef withoutFileSuffix(StringRef Name) {
  for (StringRef Mark : {"__intern__", "__static__"}) {
    auto [Front, Hash] = Name.rsplit(Mark);
    if (Hash.size() == 16 && all_of(Hash, isHexDigit))
      return Front;
  }
  return Name;
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

Object argumentObject(const Argument &A, uint64_t Offset) {
  Object Result;
  Result.What = Object::Kind::Known;
  Result.Base.Kind = RootKind::Argument;
  Result.Base.Argument = static_cast<uint16_t>(A.getArgNo());
  Result.Base.Offset = static_cast<uint32_t>(Offset);
  return Result;
}

PointerChoice pointerChoice(const LoadInst &Load) {
  const DataLayout &DL = Load.getDataLayout();
  const IndexedPlace Place = placeOf(Load.getPointerOperand(), DL);
  const auto *A = dyn_cast<Argument>(Place.Base);
  if (!A || !Load.isSimple() || !Load.getType()->isPointerTy() ||
      Place.Step == 0 || Place.Step > INT32_MAX || !isConstantAggregate(*A) ||
      !isKernel(*A->getParent()))
    return {};
  const uint64_t Bytes = DL.getTypeStoreSize(Load.getType());
  const uint64_t Size = DL.getTypeAllocSize(A->getParamByValType());
  BitVector Used(Size);
  markBytes(A->getParamByValType(), 0, DL, Used);
  PointerChoice Result{A, {}};
  const int64_t Step = static_cast<int64_t>(Place.Step);
  const uint64_t First = ((Place.Offset % Step) + Step) % Step;
  for (uint64_t At = First; At + Bytes <= Size; At += Place.Step)
    if (Used.find_first_unset_in(At, At + Bytes) == -1)
      Result.Offsets.push_back(At);
  return Result;
}

bool sameRoot(const Root &A, const Root &B) {
  return A.Kind == B.Kind && A.Argument == B.Argument && A.Offset == B.Offset &&
         A.Global == B.Global;
}

bool runsTasks(const Function &F) {
  return F.getName().starts_with("__bm_omp_");
}

void describeKernel(const Function &F, KernelRecord &Record) {
  Record.Symbol = F.getName().str();
  Record.Name = demangle(withoutFileSuffix(F.getName()));
  for (const Argument &A : F.args())
    Record.Parameters.push_back(describeParameter(A, Record.ArgumentBytes));
  SetVector<const GlobalVariable *> Shared;
  for (const Function *Body : reachableFrom(F))
    for (const Instruction &I : instructions(Body))
      for (const Value *Operand : I.operands())
        collectShared(Operand, Shared);
  Record.Features |= featuresOf(F);
  Record.Cluster = clusterOf(F);
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
                         M.getDataLayout().getTypeAllocSize(G.getValueType()),
                         G.hasLocalLinkage()});
  return Records;
}

std::optional<Symbol> launchAddress(const Value *V) {
  while (Operator::getOpcode(V) == Instruction::AddrSpaceCast)
    V = cast<Operator>(V)->getOperand(0);
  const auto *A = dyn_cast<Argument>(V);
  if (!V->getType()->isPointerTy() || (A && A->hasByValAttr()))
    return std::nullopt;
  return isa<Argument>(V) || isa<LoadInst>(V) ? launchValue(V) : std::nullopt;
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
    return isKernel(*A->getParent()) ? argumentObject(*A, 0)
                                     : unknown(ReasonKind::PointerUnknown);
  }
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return classifyLoad(*Load);
  if (const auto *Call = dyn_cast<CallBase>(V); Call && isAllocation(*Call))
    return classifyHeap(*V);
  if (const auto *Call = dyn_cast<CallBase>(V);
      Call && Call->getIntrinsicID() == Intrinsic::nvvm_mapa)
    return ignored();
  bool Integer = Operator::getOpcode(V) == Instruction::IntToPtr;
  if (Integer && isLaunchWorkspace(cast<Operator>(V)->getOperand(0)))
    return ignored();
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
    const auto *Load = dyn_cast<LoadInst>(V);
    std::vector<Object> Choices = {classifyObject(V)};
    if (Load && Choices[0].What == Object::Kind::Unknown)
      if (std::vector<Object> Chosen = chosenFromAggregate(*Load);
          !Chosen.empty())
        Choices = std::move(Chosen);
    for (Object &O : Choices) {
      if (O.What == Object::Kind::Unknown)
        return {O};
      bool Repeated = any_of(Found, [&](const Object &Other) {
        return sameRoot(Other.Base, O.Base);
      });
      if (O.What == Object::Kind::Known && !Repeated)
        Found.push_back(std::move(O));
    }
  }
  return Found;
}

} // namespace blockmaestro
