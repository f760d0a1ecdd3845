// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

#include <algorithm>

using namespace llvm;

namespace blockmaestro {

namespace {

struct RoundingRow {
  const char *Name;
  PtxRounding Rounding;
};
const RoundingRow RoundingRows[] = {
    {"rn", PtxRounding::Nearest},      {"rz", PtxRounding::Zero},
    {"rm", PtxRounding::Down},         {"rp", PtxRounding::Up},
    {"rna", PtxRounding::NearestAway},
};

} // namespace

PtxInstruction::PtxInstruction(const PtxStatement &S) : Operands(S.Operands) {
  Base = S.Words.front();
  for (StringRef Part : drop_begin(S.Words)) {
    if (std::optional<PtxType> Type = parsePtxType(Part))
      Types.push_back(*Type);
    else
      Words.push_back(Part);
  }
}

bool PtxInstruction::take(StringRef Word) {
  auto At = llvm::find(Words, Word);
  if (At == Words.end())
    return false;
  Words.erase(At);
  return true;
}

StringRef PtxInstruction::takeAny(ArrayRef<StringRef> Among) {
  for (StringRef Word : Among)
    if (take(Word))
      return Word;
  return "";
}

bool PtxInstruction::takePrefixed(StringRef Prefix) {
  size_t Before = Words.size();
  llvm::erase_if(Words, [&](StringRef W) { return W.starts_with(Prefix); });
  return Words.size() != Before;
}

FloatForm PtxInstruction::takeForm() {
  FloatForm Form;
  for (const RoundingRow &Row : RoundingRows)
    if (take(Row.Name))
      Form.Rounding = Row.Rounding;
  Form.Flush = take("ftz");
  take("noftz");
  Form.Saturate = take("sat");
  Form.Relu = take("relu");
  Form.SatFinite = take("satfinite");
  return Form;
}

PtxCode::PtxCode(CallBase &Asm, IRBuilder<> &B) : B(B), Floats(B), Asm(Asm) {
  Volatile = cast<InlineAsm>(Asm.getCalledOperand())->hasSideEffects();
  Made.push_back(BasicBlock::Create(B.getContext(), "ptx", Asm.getFunction(),
                                    Asm.getParent()));
  B.SetInsertPoint(Made.back());
  collectArguments();
}

AllocaInst *PtxCode::makeSlot(unsigned Bits, const Twine &Name) {
  BasicBlock &Entry = Asm.getFunction()->getEntryBlock();
  IRBuilder<> Top(&Entry, Entry.begin());
  return Top.CreateAlloca(Top.getIntNTy(Bits), nullptr, Name);
}

/// Numbers outputs and inputs as the statement's text does and gives tied
/// inputs to their outputs.
void PtxCode::collectArguments() {
  const DataLayout &Layout = Asm.getModule()->getDataLayout();
  auto *Called = cast<InlineAsm>(Asm.getCalledOperand());
  Type *Result = Asm.getType();
  unsigned NextInput = 0;
  for (const InlineAsm::ConstraintInfo &C : Called->ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    Argument A;
    if (C.Type == InlineAsm::isOutput && !C.isIndirect) {
      auto *Struct = dyn_cast<StructType>(Result);
      Type *T = Struct ? Struct->getElementType(Outputs.size()) : Result;
      A.Slot = makeSlot(Layout.getTypeSizeInBits(T), "ptx.out");
      Outputs.push_back(A.Slot);
    } else if (C.Type == InlineAsm::isInput && !C.isIndirect) {
      A.Value = toBits(Asm.getArgOperand(NextInput++));
      unsigned Tied = 0;
      if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied) &&
          Tied < Outputs.size())
        B.CreateStore(fromBits(A.Value, Outputs[Tied]->getAllocatedType()),
                      Outputs[Tied]);
    } else {
      return refuse("a memory operand");
    }
    Arguments.push_back(A);
  }
}

Value *PtxCode::toBits(Value *V) {
  Type *T = V->getType();
  if (T->isIntegerTy())
    return V;
  if (T->isPointerTy())
    return B.CreatePtrToInt(V, B.getInt64Ty());
  const DataLayout &Layout = Asm.getModule()->getDataLayout();
  return B.CreateBitCast(V, B.getIntNTy(Layout.getTypeSizeInBits(T)));
}

Value *PtxCode::fromBits(Value *Bits, Type *T) {
  if (T->isIntegerTy())
    return B.CreateZExtOrTrunc(Bits, T);
  if (T->isPointerTy())
    return B.CreateIntToPtr(Bits, T);
  return B.CreateBitCast(Bits, T);
}

void PtxCode::refuse(std::string Reason) {
  if (!Refused)
    Why = std::move(Reason);
  Refused = true;
}

void PtxCode::declare(StringRef Name, PtxType Type) {
  if (Scopes.back().contains(Name))
    return refuse(("the second declaration of " + Name).str());
  Scopes.back()[Name] = makeSlot(Type.total(), "ptx." + Name);
}

void PtxCode::declareLabel(StringRef Name) {
  if (Labels.contains(Name))
    return refuse("a second label of its name");
  Labels[Name] = makeBlock("ptx." + Name);
}

BasicBlock *PtxCode::makeBlock(const Twine &Name) {
  Made.push_back(BasicBlock::Create(B.getContext(), Name, Asm.getFunction(),
                                    B.GetInsertBlock()->getNextNode()));
  return Made.back();
}

BasicBlock *PtxCode::label(StringRef Name) { return Labels.lookup(Name); }

Value *PtxCode::intrinsic(Intrinsic::ID Id, ArrayRef<Value *> Operands,
                          ArrayRef<Type *> Types) {
  Function *F = Intrinsic::getOrInsertDeclaration(Asm.getModule(), Id, Types);
  return B.CreateCall(F, Operands);
}

/// One slot per function, found again by its name's metadata.
Value *PtxCode::carry() {
  constexpr StringRef Mark = "bm.ptx.carry";
  for (Instruction &I : Asm.getFunction()->getEntryBlock())
    if (isa<AllocaInst>(I) && I.hasMetadata(Mark))
      return &I;
  AllocaInst *Slot = makeSlot(1, "ptx.cc");
  Slot->setMetadata(Mark, MDNode::get(B.getContext(), {}));
  return Slot;
}

bool PtxCode::isCarrySet() {
  return any_of(carry()->users(), [](User *U) { return isa<StoreInst>(U); });
}

/// The slot that a register or an output is, or null.
AllocaInst *PtxCode::slot(const PtxOperand &Operand) {
  if (Operand.Kind == PtxOperandKind::Register) {
    for (const StringMap<AllocaInst *> &Scope : reverse(Scopes))
      if (AllocaInst *Slot = Scope.lookup(Operand.Name))
        return Slot;
    return nullptr;
  }
  if (Operand.Kind == PtxOperandKind::Argument &&
      Operand.Number < Arguments.size())
    return Arguments[Operand.Number].Slot;
  return nullptr;
}

/// A number written in the text; PTX gives it the type of its place.
Value *PtxCode::immediate(const PtxOperand &Operand, PtxType Type) {
  unsigned Width = Type.total();
  if (Operand.FloatBits == 64 && Type.Kind == PtxKind::Float &&
      Type.Bits == 32) {
    float Single = float(bit_cast<double>(Operand.Bits));
    return B.getInt32(bit_cast<uint32_t>(Single));
  }
  return ConstantInt::get(
      B.getContext(),
      APInt(64, Operand.Bits, /*isSigned=*/true).sextOrTrunc(Width));
}

/// The address of the shared memory that CUDA keeps for cooperative groups.
Value *PtxCode::reservedShared() {
  constexpr unsigned Bytes = 1024;
  Module &M = *Asm.getModule();
  auto *T = ArrayType::get(B.getInt8Ty(), Bytes);
  GlobalVariable *G = M.getNamedGlobal("bm.reserved.shared");
  if (!G)
    G = new GlobalVariable(M, T, /*isConstant=*/false,
                           GlobalValue::InternalLinkage,
                           ConstantAggregateZero::get(T), "bm.reserved.shared",
                           nullptr, GlobalValue::NotThreadLocal, 3);
  G->setAlignment(Align(16));
  return B.CreatePtrToInt(G, B.getInt64Ty());
}

/// %tid.x becomes llvm.nvvm.read.ptx.sreg.tid.x.
Value *PtxCode::specialRegister(StringRef Name) {
  if (Name == "WARP_SZ")
    return B.getInt32(32);
  if (!Name.consume_front("%"))
    return nullptr;
  if (Name == "clock_hi")
    return B.CreateTrunc(
        B.CreateLShr(intrinsic(Intrinsic::nvvm_read_ptx_sreg_clock64, {}), 32),
        B.getInt32Ty());
  if (Name == "globaltimer_hi")
    return B.CreateTrunc(
        B.CreateLShr(intrinsic(Intrinsic::nvvm_read_ptx_sreg_globaltimer, {}),
                     32),
        B.getInt32Ty());
  if (Name == "reserved_smem_offset_1")
    return reservedShared();
  for (bool Dotted : {false, true}) {
    std::string Full = ("llvm.nvvm.read.ptx.sreg." + Name).str();
    if (Dotted)
      std::replace(Full.begin(), Full.end(), '_', '.');
    Intrinsic::ID Id = Intrinsic::lookupIntrinsicID(Full);
    if (Id != Intrinsic::not_intrinsic && !Intrinsic::isOverloaded(Id))
      return intrinsic(Id, {});
  }
  return nullptr;
}

/// What \p Operand, which has no value, is called.
static std::string describeOperand(const PtxOperand &Operand) {
  switch (Operand.Kind) {
  case PtxOperandKind::Register:
    return "the register " + Operand.Name;
  case PtxOperandKind::Expression:
    return "an expression";
  case PtxOperandKind::Parenthesized:
    return "a list in parentheses";
  default:
    return "an operand";
  }
}

/// The bits of \p Operand, as wide as it is itself.
Value *PtxCode::raw(const PtxOperand &Operand, PtxType Type) {
  if (Operand.Kind == PtxOperandKind::Immediate)
    return immediate(Operand, Type);
  if (AllocaInst *Slot = slot(Operand))
    return B.CreateLoad(Slot->getAllocatedType(), Slot);
  if (Operand.Kind == PtxOperandKind::Argument &&
      Operand.Number < Arguments.size())
    return Arguments[Operand.Number].Value;
  if (Operand.Kind == PtxOperandKind::Register)
    if (Value *Special = specialRegister(Operand.Name))
      return Special;
  refuse(describeOperand(Operand));
  return B.getIntN(Type.total(), 0);
}

Value *PtxCode::read(const PtxOperand &Operand, PtxType Type) {
  if (Operand.Kind == PtxOperandKind::Vector) {
    unsigned Count = Operand.Elements.size();
    PtxType Part{PtxKind::Bits, Type.total() / Count, 1};
    Type.Lanes = Count;
    Value *Whole = B.getIntN(Part.Bits * Count, 0);
    for (unsigned N = 0; N < Count; ++N)
      Whole = B.CreateOr(
          Whole, B.CreateShl(B.CreateZExt(read(Operand.Elements[N], Part),
                                          Whole->getType()),
                             N * Part.Bits));
    return Whole;
  }
  if (Type.Kind == PtxKind::Predicate)
    return readPredicate(Operand);
  Value *Bits = raw(Operand, Type);
  return B.CreateIntCast(Bits, B.getIntNTy(Type.total()), Type.isSigned());
}

SmallVector<Value *, 4> PtxCode::readAll(const PtxOperand &Operand,
                                         PtxType Type) {
  SmallVector<Value *, 4> All;
  if (Operand.Kind != PtxOperandKind::Vector)
    return {read(Operand, Type)};
  for (const PtxOperand &Element : Operand.Elements)
    All.push_back(read(Element, Type));
  return All;
}

Value *PtxCode::readPredicate(const PtxOperand &Operand) {
  Value *Bits = raw(Operand, {PtxKind::Bits, 1, 1});
  Value *Set = Bits->getType()->isIntegerTy(1)
                   ? Bits
                   : B.CreateICmpNE(Bits, ConstantInt::get(Bits->getType(), 0));
  return Operand.Negated ? B.CreateNot(Set) : Set;
}

Value *PtxCode::operand(const PtxInstruction &I, unsigned N, PtxType Type) {
  if (N < I.Operands.size())
    return read(I.Operands[N], Type);
  refuse("too few operands");
  return B.getIntN(Type.total(), 0);
}

void PtxCode::write(const PtxOperand &Operand, Value *Bits, bool Signed) {
  if (Operand.Kind == PtxOperandKind::Sink || refused())
    return;
  if (Operand.Kind == PtxOperandKind::Vector) {
    unsigned Count = Operand.Elements.size();
    unsigned Part = Bits->getType()->getIntegerBitWidth() / Count;
    for (unsigned N = 0; N < Count; ++N)
      write(Operand.Elements[N],
            B.CreateTrunc(B.CreateLShr(Bits, N * Part), B.getIntNTy(Part)));
    return;
  }
  AllocaInst *Slot = slot(Operand);
  if (!Slot)
    return refuse("what it writes to");
  B.CreateStore(B.CreateIntCast(Bits, Slot->getAllocatedType(), Signed), Slot);
}

Value *PtxCode::address(const PtxOperand &Operand, unsigned Space) {
  if (Operand.Kind != PtxOperandKind::Address) {
    refuse("an operand that is no address");
    return ConstantPointerNull::get(B.getPtrTy());
  }
  if (Operand.Elements.empty()) {
    refuse("the form of its address");
    return ConstantPointerNull::get(B.getPtrTy());
  }
  PtxType Long{PtxKind::Unsigned, 64, 1};
  Value *Sum = read(Operand.Elements[0], Long);
  if (Operand.Elements.size() > 1)
    Sum = B.CreateAdd(Sum, read(Operand.Elements[1], Long));
  Value *Base = B.CreateIntToPtr(Sum, B.getPtrTy(Space));
  if (Operand.Offset == 0)
    return Base;
  return B.CreatePtrAdd(Base, B.getInt64(uint64_t(Operand.Offset)));
}

std::optional<uint64_t> PtxCode::constant(const PtxOperand &Operand) {
  auto *Known =
      dyn_cast<ConstantInt>(read(Operand, {PtxKind::Unsigned, 64, 1}));
  return Known ? std::optional(Known->getZExtValue()) : std::nullopt;
}

Value *PtxCode::result() {
  Type *T = Asm.getType();
  if (T->isVoidTy())
    return nullptr;
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct)
    return fromBits(B.CreateLoad(Outputs[0]->getAllocatedType(), Outputs[0]),
                    T);
  Value *All = PoisonValue::get(T);
  for (unsigned N = 0; N < Outputs.size(); ++N) {
    Value *Bits = B.CreateLoad(Outputs[N]->getAllocatedType(), Outputs[N]);
    All =
        B.CreateInsertValue(All, fromBits(Bits, Struct->getElementType(N)), N);
  }
  return All;
}

} // namespace blockmaestro
