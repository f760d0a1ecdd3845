// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvvmLowering.h"

#include "NvvmCall.h"
#include "VectorMath.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

FloatForm NvvmCall::takeForm() {
  FloatForm Form;
  if (take("rz"))
    Form.Rounding = PtxRounding::Zero;
  else if (take("rm"))
    Form.Rounding = PtxRounding::Down;
  else if (take("rp"))
    Form.Rounding = PtxRounding::Up;
  else if (take("rna"))
    Form.Rounding = PtxRounding::NearestAway;
  else
    take("rn");
  Form.Flush = take("ftz");
  Form.Saturate = take("sat");
  Form.Relu = take("relu");
  Form.Nan = take("nan");
  Form.XorSign = take("xorsign");
  if (Form.XorSign)
    take("abs");
  Form.SatFinite = take("satfinite");
  return Form;
}

Value *NvvmCall::bits(unsigned N) {
  Value *V = operand(N);
  const DataLayout &Layout = Call.getModule()->getDataLayout();
  return B.CreateBitCast(V,
                         B.getIntNTy(Layout.getTypeSizeInBits(V->getType())));
}

namespace {

/// The PTX type of a number held as \p T.
PtxType typeOf(Type *T) {
  unsigned Lanes = 1;
  if (auto *Vector = dyn_cast<FixedVectorType>(T)) {
    Lanes = Vector->getNumElements();
    T = Vector->getElementType();
  }
  PtxKind Kind = T->isBFloatTy()          ? PtxKind::BFloat
                 : T->isFloatingPointTy() ? PtxKind::Float
                                          : PtxKind::Bits;
  return {Kind, T->getScalarSizeInBits(), Lanes};
}

/// A floating-point operation on operands of the result's type.
template <FloatOp Op> Value *floating(NvvmCall &C) {
  C.take("approx");
  C.take("full");
  FloatForm Form = C.takeForm();
  SmallVector<Value *> Operands;
  for (unsigned N = 0; N < C.Call.arg_size(); ++N)
    Operands.push_back(C.bits(N));
  return C.asResult(
      C.Floats.apply(Op, typeOf(C.Call.getType()), Form, Operands));
}

Value *saturate(NvvmCall &C) {
  FloatForm Form = C.takeForm();
  Form.Saturate = true;
  PtxType Type = typeOf(C.Call.getType());
  return C.asResult(C.Floats.convert(C.bits(0), Type, Type, Form));
}

/// The number types of the names of conversions: d2i, ull2f.
std::optional<PtxType> numberType(StringRef Letters) {
  return StringSwitch<std::optional<PtxType>>(Letters)
      .Case("d", PtxType{PtxKind::Float, 64, 1})
      .Case("f", PtxType{PtxKind::Float, 32, 1})
      .Case("h", PtxType{PtxKind::Float, 16, 1})
      .Case("f16", PtxType{PtxKind::Float, 16, 1})
      .Case("bf", PtxType{PtxKind::BFloat, 16, 1})
      .Case("bf16", PtxType{PtxKind::BFloat, 16, 1})
      .Case("tf32", PtxType{PtxKind::Tf32, 32, 1})
      .Case("i", PtxType{PtxKind::Signed, 32, 1})
      .Case("ui", PtxType{PtxKind::Unsigned, 32, 1})
      .Case("ll", PtxType{PtxKind::Signed, 64, 1})
      .Case("ull", PtxType{PtxKind::Unsigned, 64, 1})
      .Default(std::nullopt);
}

/// d2f.rn and its like, by the two types in the base's name.
Value *convertNamed(NvvmCall &C) {
  auto [FromName, ToName] = C.Base.split('2');
  std::optional<PtxType> From = numberType(FromName);
  std::optional<PtxType> To = numberType(ToName);
  if (!From || !To)
    return nullptr;
  if (C.Base == "d2i" && C.take("lo"))
    return C.B.CreateTrunc(C.bits(0), C.B.getInt32Ty());
  if (C.Base == "d2i" && C.take("hi"))
    return C.B.CreateTrunc(C.B.CreateLShr(C.bits(0), 32), C.B.getInt32Ty());
  FloatForm Form = C.takeForm();
  Value *X = C.bits(0);
  if (To->isInteger())
    return C.Floats.toInteger(X, *From, *To, Form);
  if (From->isInteger())
    return C.asResult(C.Floats.fromInteger(X, *From, *To, Form));
  return C.asResult(C.Floats.convert(X, *From, *To, Form));
}

/// ff2f16x2 d, a, b: a is the upper half.
template <PtxKind Kind> Value *convertPair(NvvmCall &C) {
  constexpr PtxType Single{PtxKind::Float, 32, 1};
  PtxType To{Kind, 16, 1};
  FloatForm Form = C.takeForm();
  Type *Wide = C.B.getInt32Ty();
  Value *High =
      C.B.CreateZExt(C.Floats.convert(C.bits(0), Single, To, Form), Wide);
  Value *Low =
      C.B.CreateZExt(C.Floats.convert(C.bits(1), Single, To, Form), Wide);
  return C.asResult(C.B.CreateOr(C.B.CreateShl(High, 16), Low));
}

std::optional<PtxType> miniType(StringRef Name) {
  return StringSwitch<std::optional<PtxType>>(Name)
      .Case("e4m3x2", PtxType{PtxKind::E4M3, 8, 2})
      .Case("e5m2x2", PtxType{PtxKind::E5M2, 8, 2})
      .Default(std::nullopt);
}

/// ff.to.e4m3x2.rn: two singles to two bytes, the first the upper one.
Value *singlesToMini(NvvmCall &C) {
  constexpr PtxType Single{PtxKind::Float, 32, 1};
  std::optional<PtxType> To =
      C.Words.size() > 1 ? miniType(C.Words[1]) : std::nullopt;
  if (!To || !C.take("to"))
    return nullptr;
  C.Words.erase(C.Words.begin());
  FloatForm Form = C.takeForm();
  Type *Wide = C.B.getInt16Ty();
  auto One = [&](unsigned N) {
    return C.B.CreateZExt(C.Floats.convert(C.bits(N), Single, To->lane(), Form),
                          Wide);
  };
  return C.B.CreateOr(C.B.CreateShl(One(0), 8), One(1));
}

/// f16x2.to.e4m3x2.rn and e4m3x2.to.f16x2.rn.
Value *betweenHalvesAndMini(NvvmCall &C) {
  constexpr PtxType Halves{PtxKind::Float, 16, 2};
  bool FromHalves = C.Base == "f16x2";
  std::optional<PtxType> Mini = FromHalves && C.Words.size() > 1
                                    ? miniType(C.Words[1])
                                    : miniType(C.Base);
  if (!Mini || !C.take("to"))
    return nullptr;
  C.Words.erase(C.Words.begin());
  FloatForm Form = C.takeForm();
  PtxType From = FromHalves ? Halves : *Mini;
  PtxType To = FromHalves ? *Mini : Halves;
  return C.asResult(
      C.Floats.perLane(From, {C.bits(0)}, [&](ArrayRef<Value *> Lane) {
        return C.Floats.convert(Lane[0], From.lane(), To.lane(), Form);
      }));
}

/// lohi.i2d: a double from its two words.
Value *doubleFromWords(NvvmCall &C) {
  if (!C.take("i2d"))
    return nullptr;
  Type *Wide = C.B.getInt64Ty();
  Value *Low = C.B.CreateZExt(C.operand(0), Wide);
  Value *High = C.B.CreateShl(C.B.CreateZExt(C.operand(1), Wide), 32);
  return C.asResult(C.B.CreateOr(Low, High));
}

/// Every fence holds for the whole system and all memory.
Value *fence(NvvmCall &C) {
  C.Words.clear();
  return C.B.CreateFence(AtomicOrdering::SequentiallyConsistent);
}

/// What only makes a GPU faster.
Value *nothing(NvvmCall &C) {
  C.Words.clear();
  return UndefValue::get(C.B.getInt32Ty());
}

/// ldu: a load of memory that does not change.
Value *loadUniform(NvvmCall &C) {
  C.Words.clear();
  MaybeAlign Alignment;
  if (auto *Known = dyn_cast<ConstantInt>(C.operand(1)))
    Alignment = Known->getMaybeAlignValue();
  return C.B.CreateAlignedLoad(C.Call.getType(), C.operand(0), Alignment);
}

/// cp.async.ca.shared.global.16(.s): copied at once, a shorter source filled up
/// with zeros; then there is nothing to wait for.
Value *copyAsync(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (!C.take("async") || C.take("bulk") || C.take("mbarrier"))
    return nullptr;
  if (C.take("commit") || C.take("wait"))
    return nothing(C);
  bool Shorter = C.take("s");
  uint64_t Size = 0;
  if (C.Words.back().getAsInteger(10, Size))
    return nullptr;
  C.Words.clear();
  Align Alignment(Size);
  Value *To = C.operand(0);
  Value *From = C.operand(1);
  if (!Shorter)
    return B.CreateMemCpy(To, Alignment, From, Alignment, Size);
  B.CreateMemSet(To, B.getInt8(0), Size, Alignment);
  Value *Given =
      B.CreateBinaryIntrinsic(Intrinsic::umin, C.operand(2), B.getInt32(Size));
  return B.CreateMemCpy(To, Alignment, From, MaybeAlign(1),
                        B.CreateZExt(Given, B.getInt64Ty()));
}

/// atomic.add.gen.i.cta and its like; a scope is never too wide.
Value *atomicOperation(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (C.Words.size() < 4)
    return nullptr;
  StringRef Name = C.Words[0];
  bool Float = C.Words[2] == "f";
  C.Words.clear();
  AtomicOrdering Order = AtomicOrdering::Monotonic;
  if (Name == "cas")
    return B.CreateExtractValue(
        B.CreateAtomicCmpXchg(C.operand(0), C.operand(1), C.operand(2),
                              MaybeAlign(), Order, Order),
        0);
  auto Op = StringSwitch<AtomicRMWInst::BinOp>(Name)
                .Case("add", Float ? AtomicRMWInst::FAdd : AtomicRMWInst::Add)
                .Case("exch", AtomicRMWInst::Xchg)
                .Case("and", AtomicRMWInst::And)
                .Case("or", AtomicRMWInst::Or)
                .Case("xor", AtomicRMWInst::Xor)
                .Case("max", AtomicRMWInst::Max)
                .Case("min", AtomicRMWInst::Min)
                .Case("inc", AtomicRMWInst::UIncWrap)
                .Case("dec", AtomicRMWInst::UDecWrap)
                .Default(AtomicRMWInst::BAD_BINOP);
  if (Op == AtomicRMWInst::BAD_BINOP)
    return nullptr;
  return B.CreateAtomicRMW(Op, C.operand(0), C.operand(1), MaybeAlign(), Order);
}

const NvvmRow IntrinsicRows[] = {
    {"add", floating<FloatOp::Add>},
    {"mul", floating<FloatOp::Mul>},
    {"fma", floating<FloatOp::Fma>},
    {"div", floating<FloatOp::Div>},
    {"rcp", floating<FloatOp::Rcp>},
    {"sqrt", floating<FloatOp::Sqrt>},
    {"rsqrt", floating<FloatOp::Rsqrt>},
    {"sin", floating<FloatOp::Sin>},
    {"cos", floating<FloatOp::Cos>},
    {"ex2", floating<FloatOp::Ex2>},
    {"lg2", floating<FloatOp::Lg2>},
    {"tanh", floating<FloatOp::Tanh>},
    {"fmin", floating<FloatOp::Min>},
    {"fmax", floating<FloatOp::Max>},
    {"fabs", floating<FloatOp::Abs>},
    {"neg", floating<FloatOp::Neg>},
    {"ceil", floating<FloatOp::Ceil>},
    {"floor", floating<FloatOp::Floor>},
    {"trunc", floating<FloatOp::Trunc>},
    {"round", floating<FloatOp::Round>},
    {"saturate", saturate},
    {"ff2f16x2", convertPair<PtxKind::Float>},
    {"ff2bf16x2", convertPair<PtxKind::BFloat>},
    {"ff", singlesToMini},
    {"f16x2", betweenHalvesAndMini},
    {"e4m3x2", betweenHalvesAndMini},
    {"e5m2x2", betweenHalvesAndMini},
    {"lohi", doubleFromWords},
    {"membar", fence},
    {"fence", fence},
    {"prefetch", nothing},
    {"prefetchu", nothing},
    {"discard", nothing},
    {"applypriority", nothing},
    {"griddepcontrol", nothing},
    {"pm", nothing},
    {"ldu", loadUniform},
    {"cp", copyAsync},
    {"atomic", atomicOperation},
};

NvvmHandler handlerOf(StringRef Base) {
  static const StringMap<NvvmHandler> Handlers = [] {
    StringMap<NvvmHandler> Map;
    for (ArrayRef<NvvmRow> Some : {ArrayRef(IntrinsicRows), nvvmIntegerRows()})
      for (const NvvmRow &Row : Some)
        Map[Row.Base] = Row.Handler;
    return Map;
  }();
  if (NvvmHandler Found = Handlers.lookup(Base))
    return Found;
  return Base.contains('2') ? convertNamed : nullptr;
}

/// Words that only repeat the type of the operands.
bool repeatsType(StringRef Word) {
  for (StringRef Known : {"f", "d", "f16", "f16x2", "bf16", "bf16x2", "i"})
    if (Word == Known)
      return true;
  return false;
}

/// The elementary functions of singles that vectorisable code exists for.
Value *elementary(Intrinsic::ID Id, IRBuilder<> &B, Value *X) {
  switch (Id) {
  case Intrinsic::exp:
    return emitExp(B, X);
  case Intrinsic::exp2:
    return emitExp2(B, X);
  case Intrinsic::log:
    return emitLog(B, X);
  case Intrinsic::log2:
    return emitLog2(B, X);
  case Intrinsic::log10:
    return emitLog10(B, X);
  default:
    return nullptr;
  }
}

bool lowerElementary(CallInst &Call) {
  if (!Call.getType()->isFloatTy() || Call.arg_size() != 1)
    return false;
  IRBuilder<> B(&Call);
  Value *New = elementary(Call.getIntrinsicID(), B, Call.getArgOperand(0));
  if (!New)
    return false;
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return true;
}

} // namespace

bool lowerNvvmArithmetic(CallInst &Call) {
  if (lowerElementary(Call))
    return true;
  if (Call.getIntrinsicID() == Intrinsic::not_intrinsic)
    return false;
  StringRef Name = Intrinsic::getBaseName(Call.getIntrinsicID());
  if (!Name.consume_front("llvm.nvvm."))
    return false;
  NvvmCall C(Call, Name);
  NvvmHandler Handler = handlerOf(C.Base);
  Value *Result = Handler ? Handler(C) : nullptr;
  if (!Result || !all_of(C.Words, repeatsType))
    return false;
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  return true;
}

} // namespace blockmaestro
