// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvvmLowering.h"

#include "FloatCode.h"
#include "VectorMath.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// One call with its name taken apart: llvm.nvvm.fma.rn.ftz.f is the base "fma"
/// and the words "rn", "ftz" and "f".
struct NvvmCall {
  NvvmCall(CallInst &Call, StringRef Name) : Call(Call), B(&Call), Floats(B) {
    SmallVector<StringRef> Parts;
    Name.split(Parts, '.');
    Base = Parts[0];
    Words.append(Parts.begin() + 1, Parts.end());
  }

  bool take(StringRef Word) {
    auto At = llvm::find(Words, Word);
    if (At == Words.end())
      return false;
    Words.erase(At);
    return true;
  }
  FloatForm takeForm();
  Value *operand(unsigned N) { return Call.getArgOperand(N); }
  /// The operand's bits as an integer.
  Value *bits(unsigned N);
  /// \p Bits as what the call returns.
  Value *asResult(Value *Bits) { return B.CreateBitCast(Bits, Call.getType()); }

  CallInst &Call;
  IRBuilder<> B;
  FloatCode Floats;
  StringRef Base;
  SmallVector<StringRef, 6> Words;
};

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

using NvvmHandler = Value *(*)(NvvmCall &);

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

/// Takes the word that says how long an integer is; whether it is signed.
bool takeSigned(NvvmCall &C) {
  for (StringRef Word : {"i", "s", "ll"})
    if (C.take(Word))
      return true;
  for (StringRef Word : {"ui", "us", "ull", "u"})
    if (C.take(Word))
      return false;
  return false;
}

Value *highProduct(NvvmCall &C) {
  bool Signed = takeSigned(C);
  Type *Narrow = C.Call.getType();
  unsigned Bits = Narrow->getIntegerBitWidth();
  Type *Wide = C.B.getIntNTy(2 * Bits);
  Value *Product = C.B.CreateMul(C.B.CreateIntCast(C.operand(0), Wide, Signed),
                                 C.B.CreateIntCast(C.operand(1), Wide, Signed));
  return C.B.CreateTrunc(C.B.CreateLShr(Product, Bits), Narrow);
}

Value *product24(NvvmCall &C) {
  bool Signed = takeSigned(C);
  auto Low24 = [&](Value *V) {
    Value *Up = C.B.CreateShl(V, 8);
    return Signed ? C.B.CreateAShr(Up, 8) : C.B.CreateLShr(Up, 8);
  };
  return C.B.CreateMul(Low24(C.operand(0)), Low24(C.operand(1)));
}

/// |a - b| + c.
Value *sumOfDifferences(NvvmCall &C) {
  bool Signed = takeSigned(C);
  Value *X = C.operand(0);
  Value *Y = C.operand(1);
  Value *Less = Signed ? C.B.CreateICmpSLT(X, Y) : C.B.CreateICmpULT(X, Y);
  Value *Difference =
      C.B.CreateSelect(Less, C.B.CreateSub(Y, X), C.B.CreateSub(X, Y));
  return C.B.CreateAdd(Difference, C.operand(2));
}

/// flo: the highest bit that differs from the sign; ~0 when there is none. The
/// last operand asks for the distance from the top instead.
Value *findHighest(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Signed = takeSigned(C);
  Value *X = C.operand(0);
  Type *T = X->getType();
  unsigned Bits = T->getIntegerBitWidth();
  if (Signed)
    X = B.CreateXor(X, B.CreateAShr(X, Bits - 1));
  Value *Leading = B.CreateBinaryIntrinsic(Intrinsic::ctlz, X, B.getFalse());
  Value *At =
      B.CreateSelect(C.operand(1), Leading,
                     B.CreateSub(ConstantInt::get(T, Bits - 1), Leading));
  Value *None = B.CreateICmpEQ(X, ConstantInt::get(T, 0));
  return B.CreateSelect(None, B.getInt32(~0U),
                        B.CreateTrunc(At, B.getInt32Ty()));
}

/// Byte \p N of prmt: three bits of the selector choose it, the fourth takes
/// its sign instead.
Value *permutedByte(NvvmCall &C, Value *Bytes, Value *Selector, unsigned N) {
  IRBuilder<> &B = C.B;
  Value *Nibble = B.CreateAnd(B.CreateLShr(Selector, 4 * N), 15);
  Value *At =
      B.CreateZExt(B.CreateShl(B.CreateAnd(Nibble, 7), 3), B.getInt64Ty());
  Value *Byte = B.CreateTrunc(B.CreateLShr(Bytes, At), B.getInt8Ty());
  Value *Sign = B.CreateAShr(Byte, 7);
  Value *Replicate = B.CreateICmpNE(B.CreateAnd(Nibble, 8), B.getInt32(0));
  return B.CreateShl(
      B.CreateZExt(B.CreateSelect(Replicate, Sign, Byte), B.getInt32Ty()),
      8 * N);
}

Value *permuteBy(NvvmCall &C, Value *X, Value *Y, Value *Selector) {
  IRBuilder<> &B = C.B;
  Type *Wide = B.getInt64Ty();
  Value *Bytes =
      B.CreateOr(B.CreateZExt(X, Wide), B.CreateShl(B.CreateZExt(Y, Wide), 32));
  Value *Whole = permutedByte(C, Bytes, Selector, 0);
  for (unsigned N = 1; N < 4; ++N)
    Whole = B.CreateOr(Whole, permutedByte(C, Bytes, Selector, N));
  return Whole;
}

/// The selectors that a mode of prmt makes of 0, 1, 2 and 3.
struct PermuteRow {
  const char *Mode;
  uint16_t Selectors[4];
};
const PermuteRow PermuteRows[] = {
    {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}},
    {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
    {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}},
    {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
    {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}},
    {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}},
};

Value *permute(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (C.Words.empty())
    return permuteBy(C, C.operand(0), C.operand(1), C.operand(2));
  bool OneWord = C.Call.arg_size() == 2;
  for (const PermuteRow &Row : PermuteRows) {
    if (!C.take(Row.Mode))
      continue;
    Value *Index = B.CreateAnd(C.operand(OneWord ? 1 : 2), 3);
    Value *Selector = B.getInt32(Row.Selectors[0]);
    for (unsigned N = 1; N < 4; ++N)
      Selector = B.CreateSelect(B.CreateICmpEQ(Index, B.getInt32(N)),
                                B.getInt32(Row.Selectors[N]), Selector);
    return permuteBy(C, C.operand(0), OneWord ? B.getInt32(0) : C.operand(1),
                     Selector);
  }
  return nullptr;
}

/// idp4a.s.u(a, b, c) and idp2a.s.u(a, b, upper, c).
template <unsigned Count> Value *dotProduct(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  if (C.Words.size() != 2)
    return nullptr;
  bool SignedX = C.Words[0] == "s";
  bool SignedY = C.Words[1] == "s";
  C.Words.clear();
  auto Part = [&](Value *V, unsigned N, unsigned Bits, bool Signed) {
    Value *Up = B.CreateShl(V, 32 - Bits * (N + 1));
    return Signed ? B.CreateAShr(Up, 32 - Bits) : B.CreateLShr(Up, 32 - Bits);
  };
  Value *Y = C.operand(1);
  Value *Sum = C.operand(2);
  if (Count == 2) {
    Y = B.CreateSelect(C.operand(2), B.CreateLShr(Y, 16), Y);
    Sum = C.operand(3);
  }
  for (unsigned N = 0; N < Count; ++N)
    Sum =
        B.CreateAdd(Sum, B.CreateMul(Part(C.operand(0), N, 32 / Count, SignedX),
                                     Part(Y, N, 8, SignedY)));
  return Sum;
}

/// fshl.clamp, fshr.clamp: the shift is at most 32.
template <bool Left> Value *funnelClamp(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  C.take("clamp");
  Type *Wide = B.getInt64Ty();
  Value *Both = B.CreateOr(B.CreateShl(B.CreateZExt(C.operand(0), Wide), 32),
                           B.CreateZExt(C.operand(1), Wide));
  Value *By = B.CreateZExt(
      B.CreateBinaryIntrinsic(Intrinsic::umin, C.operand(2), B.getInt32(32)),
      Wide);
  Value *Moved =
      Left ? B.CreateLShr(B.CreateShl(Both, By), 32) : B.CreateLShr(Both, By);
  return B.CreateTrunc(Moved, B.getInt32Ty());
}

/// The operand, at most 32 or modulo 32, as a count of 64 bits.
Value *bitCount(NvvmCall &C, Value *V, bool Wrap) {
  IRBuilder<> &B = C.B;
  Value *Count =
      Wrap ? B.CreateAnd(V, 31)
           : B.CreateBinaryIntrinsic(Intrinsic::umin, V, B.getInt32(32));
  return B.CreateZExt(Count, B.getInt64Ty());
}

/// sext and zext of the lowest bits of a word.
template <bool Signed> Value *extendBits(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Wrap = C.take("wrap");
  C.take("clamp");
  Value *Cut = B.CreateSub(B.getInt64(64), bitCount(C, C.operand(1), Wrap));
  Value *None = B.CreateICmpEQ(Cut, B.getInt64(64));
  Value *Safe = B.CreateSelect(None, B.getInt64(0), Cut);
  Value *Up = B.CreateShl(B.CreateZExt(C.operand(0), B.getInt64Ty()), Safe);
  Value *Down = Signed ? B.CreateAShr(Up, Safe) : B.CreateLShr(Up, Safe);
  return B.CreateSelect(None, B.getInt32(0),
                        B.CreateTrunc(Down, B.getInt32Ty()));
}

/// bmsk(at, length): ones from bit `at`.
Value *makeMask(NvvmCall &C) {
  IRBuilder<> &B = C.B;
  bool Wrap = C.take("wrap");
  C.take("clamp");
  Value *Ones =
      B.CreateSub(B.CreateShl(B.getInt64(1), bitCount(C, C.operand(1), Wrap)),
                  B.getInt64(1));
  return B.CreateTrunc(B.CreateShl(Ones, bitCount(C, C.operand(0), Wrap)),
                       B.getInt32Ty());
}

/// fns: found by the host (SoftMath).
Value *findNth(NvvmCall &C) {
  Type *Int = C.B.getInt32Ty();
  FunctionCallee Callee = C.Call.getModule()->getOrInsertFunction(
      "bm_find_nth", FunctionType::get(Int, {Int, Int, Int}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  return C.B.CreateCall(Callee, {C.operand(0), C.operand(1), C.operand(2)});
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

struct NvvmRow {
  const char *Base;
  NvvmHandler Handler;
};
const NvvmRow Rows[] = {
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
    {"mulhi", highProduct},
    {"mul24", product24},
    {"sad", sumOfDifferences},
    {"flo", findHighest},
    {"prmt", permute},
    {"idp4a", dotProduct<4>},
    {"idp2a", dotProduct<2>},
    {"fshl", funnelClamp<true>},
    {"fshr", funnelClamp<false>},
    {"sext", extendBits<true>},
    {"zext", extendBits<false>},
    {"bmsk", makeMask},
    {"fns", findNth},
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
    for (const NvvmRow &Row : Rows)
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
