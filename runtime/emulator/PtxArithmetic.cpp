// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The arithmetic instructions of PTX on floating-point numbers, and those that
// are named alike for integers and hand over to PtxInteger.

#include "IssuedMark.h"
#include "PtxCode.h"
#include "PtxInteger.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// What a GPU issues for an approximation; numbers that are too small are
/// scaled unless they are flushed to zero.
const char *approximationOf(FloatOp Op, const FloatForm &Form) {
  if (Op == FloatOp::Div)
    return "AS";
  const bool IsScaled = Op != FloatOp::Sin && Op != FloatOp::Cos &&
                        Op != FloatOp::Tanh && !Form.Flush;
  return IsScaled ? "SSAS" : "A";
}

/// Reads \p Count operands after the first, computes \p Op, writes the first.
void floatOperation(PtxCode &C, PtxInstruction &I, FloatOp Op, unsigned Count) {
  const bool IsApproximate = I.take("approx") || I.take("full");
  FloatForm Form = I.takeForm();
  PtxType Type = I.type();
  SmallVector<Value *> Operands;
  for (unsigned N = 1; N <= Count; ++N)
    Operands.push_back(C.operand(I, N, Type));
  if (C.refused() || I.Operands.size() != Count + 1)
    return C.refuse();
  BasicBlock &In = *C.B.GetInsertBlock();
  const Instruction *Before = In.empty() ? nullptr : &In.back();
  Value *Result = C.Floats.apply(Op, Type, Form, Operands);
  if (IsApproximate)
    markIssued(In, Before, approximationOf(Op, Form));
  C.write(I.Operands[0], Result);
}

/// A handler for an instruction that exists for floating point only.
template <FloatOp Op, unsigned Count>
void floatOnly(PtxCode &C, PtxInstruction &I) {
  if (!I.type().isFloat())
    return C.refuse();
  floatOperation(C, I, Op, Count);
}

/// A handler for an instruction that exists for integers too.
template <FloatOp Op, unsigned Count, PtxHandler Integer>
void floatOr(PtxCode &C, PtxInstruction &I) {
  if (!I.type().isFloat())
    return Integer(C, I);
  floatOperation(C, I, Op, Count);
}

/// add, sub and fma may widen: add.rn.f32.f16 d, a, c takes a in half.
template <FloatOp Op, PtxHandler Integer>
void addLike(PtxCode &C, PtxInstruction &I) {
  if (!I.type().isFloat())
    return Integer(C, I);
  if (I.Types.size() == 2) {
    FloatForm Form = I.takeForm();
    PtxType To = I.Types[0];
    PtxType From = I.Types[1];
    Value *X = C.Floats.convert(C.operand(I, 1, From), From, To, {});
    C.write(I.Operands[0],
            C.Floats.apply(Op, To, Form, {X, C.operand(I, 2, To)}));
    return;
  }
  floatOperation(C, I, Op, 2);
}

/// min and max take two or three floating-point operands.
template <FloatOp Op, PtxHandler Integer>
void minMax(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  if (!Type.isFloat())
    return Integer(C, I);
  FloatForm Form = I.takeForm();
  Form.Nan = I.take("NaN");
  Form.XorSign = I.take("xorsign");
  bool Magnitudes = I.take("abs");
  if (Magnitudes != Form.XorSign)
    return C.refuse();
  SmallVector<Value *> Operands;
  for (const PtxOperand &Operand : I.Operands.drop_front())
    Operands.push_back(C.read(Operand, Type));
  if (C.refused() || Operands.size() < 2)
    return C.refuse();
  C.write(I.Operands[0], C.Floats.apply(Op, Type, Form, Operands));
}

/// copysign takes the sign from its first operand.
void copySign(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  Value *Sign = C.operand(I, 1, Type);
  Value *Magnitude = C.operand(I, 2, Type);
  C.write(I.Operands[0],
          C.Floats.apply(FloatOp::Copysign, Type, {}, {Magnitude, Sign}));
}

/// testp: finite, infinite, number, notanumber, normal, subnormal.
void testProperty(PtxCode &C, PtxInstruction &I) {
  StringRef Property = I.takeAny(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  unsigned Classes = StringSwitch<unsigned>(Property)
                         .Case("finite", fcFinite)
                         .Case("infinite", fcInf)
                         .Case("number", ~unsigned(fcNan) & fcAllFlags)
                         .Case("notanumber", fcNan)
                         .Case("normal", fcNormal)
                         .Case("subnormal", fcSubnormal)
                         .Default(0);
  Value *X = C.Floats.widen(C.operand(I, 1, I.type()), I.type());
  if (Classes == 0 || I.type().Bits < 32)
    return C.refuse();
  C.write(I.Operands[0], C.B.createIsFPClass(X, Classes));
}

const PtxRow ArithmeticRows[] = {
    {"add", addLike<FloatOp::Add, ptxIntegerAdd>},
    {"sub", addLike<FloatOp::Sub, ptxIntegerSub>},
    {"mul", floatOr<FloatOp::Mul, 2, ptxIntegerMul>},
    {"mad", floatOr<FloatOp::Fma, 3, ptxIntegerMad>},
    {"fma", floatOnly<FloatOp::Fma, 3>},
    {"div", floatOr<FloatOp::Div, 2, ptxIntegerDiv>},
    {"abs", floatOr<FloatOp::Abs, 1, ptxIntegerAbs>},
    {"neg", floatOr<FloatOp::Neg, 1, ptxIntegerNeg>},
    {"min", minMax<FloatOp::Min, ptxIntegerMin>},
    {"max", minMax<FloatOp::Max, ptxIntegerMax>},
    {"rcp", floatOnly<FloatOp::Rcp, 1>},
    {"sqrt", floatOnly<FloatOp::Sqrt, 1>},
    {"rsqrt", floatOnly<FloatOp::Rsqrt, 1>},
    {"sin", floatOnly<FloatOp::Sin, 1>},
    {"cos", floatOnly<FloatOp::Cos, 1>},
    {"ex2", floatOnly<FloatOp::Ex2, 1>},
    {"lg2", floatOnly<FloatOp::Lg2, 1>},
    {"tanh", floatOnly<FloatOp::Tanh, 1>},
    {"copysign", copySign},
    {"testp", testProperty},
};

} // namespace

ArrayRef<PtxRow> ptxArithmeticRows() { return ArithmeticRows; }

} // namespace blockmaestro
