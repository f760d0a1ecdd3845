// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The comparisons and selections of PTX: setp, set, selp, slct.

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// A comparison's name and what it is for each kind of operand.
struct CompareRow {
  const char *Name;
  CmpInst::Predicate Signed;
  CmpInst::Predicate Unsigned;
  CmpInst::Predicate Float;
};
constexpr CmpInst::Predicate None = CmpInst::BAD_ICMP_PREDICATE;
const CompareRow CompareRows[] = {
    {"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
    {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
    {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
    {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
    {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
    {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
    {"lo", None, CmpInst::ICMP_ULT, None},
    {"ls", None, CmpInst::ICMP_ULE, None},
    {"hi", None, CmpInst::ICMP_UGT, None},
    {"hs", None, CmpInst::ICMP_UGE, None},
    {"equ", None, None, CmpInst::FCMP_UEQ},
    {"neu", None, None, CmpInst::FCMP_UNE},
    {"ltu", None, None, CmpInst::FCMP_ULT},
    {"leu", None, None, CmpInst::FCMP_ULE},
    {"gtu", None, None, CmpInst::FCMP_UGT},
    {"geu", None, None, CmpInst::FCMP_UGE},
    {"num", None, None, CmpInst::FCMP_ORD},
    {"nan", None, None, CmpInst::FCMP_UNO},
};

const CompareRow *takeComparison(PtxInstruction &I) {
  for (const CompareRow &Row : CompareRows)
    if (I.take(Row.Name))
      return &Row;
  return nullptr;
}

/// One bit for a pair of numbers of type \p Type.
Value *compare(PtxCode &C, const CompareRow &Row, PtxType Type, bool Flush,
               Value *X, Value *Y) {
  CmpInst::Predicate P = Type.isFloat()    ? Row.Float
                         : Type.isSigned() ? Row.Signed
                                           : Row.Unsigned;
  if (P == None) {
    C.refuse("a comparison of this type");
    return C.B.getFalse();
  }
  if (!Type.isFloat())
    return C.B.CreateICmp(P, X, Y);
  FloatForm Form;
  Form.Flush = Flush;
  auto Wide = [&](Value *V) {
    return C.Floats.widen(C.Floats.convert(V, Type, Type, Form), Type);
  };
  return C.B.CreateFCmp(P, Wide(X), Wide(Y));
}

/// The operator that joins a comparison with a predicate.
StringRef takeJoin(PtxInstruction &I) {
  return I.takeAny({"and", "or", "xor"});
}

Value *join(PtxCode &C, StringRef Join, Value *Set, Value *With) {
  if (Join == "and")
    return C.B.CreateAnd(Set, With);
  return Join == "or" ? C.B.CreateOr(Set, With) : C.B.CreateXor(Set, With);
}

/// Writes both predicates of p|q: the comparison and its opposite, each joined.
void writePair(PtxCode &C, const PtxOperand &To, Value *Set, StringRef Join,
               Value *With) {
  Value *Opposite = C.B.CreateNot(Set);
  if (!Join.empty()) {
    Set = join(C, Join, Set, With);
    Opposite = join(C, Join, Opposite, With);
  }
  if (To.Kind != PtxOperandKind::Pair)
    return C.write(To, Set);
  C.write(To.Elements[0], Set);
  C.write(To.Elements[1], Opposite);
}

/// setp.lt.and.s32 p|q, a, b, !c; of packed numbers p and q are the lanes'.
void setPredicate(PtxCode &C, PtxInstruction &I) {
  bool Flush = I.take("ftz");
  StringRef Join = takeJoin(I);
  const CompareRow *Row = takeComparison(I);
  if (!Row || I.Operands.size() != (Join.empty() ? 3U : 4U))
    return C.refuse();
  PtxType Type = I.type();
  Value *X = C.read(I.Operands[1], Type);
  Value *Y = C.read(I.Operands[2], Type);
  Value *With = Join.empty() ? nullptr : C.readPredicate(I.Operands[3]);
  const PtxOperand &To = I.Operands[0];
  if (Type.Lanes == 1)
    return writePair(C, To, compare(C, *Row, Type, Flush, X, Y), Join, With);
  if (To.Kind != PtxOperandKind::Pair)
    return C.refuse();
  Value *Both = C.Floats.perLane(Type, {X, Y}, [&](ArrayRef<Value *> L) {
    Value *Set = compare(C, *Row, Type.lane(), Flush, L[0], L[1]);
    return Join.empty() ? Set : join(C, Join, Set, With);
  });
  C.write(To.Elements[0], C.B.CreateTrunc(Both, C.B.getInt1Ty()));
  C.write(To.Elements[1],
          C.B.CreateTrunc(C.B.CreateLShr(Both, 1), C.B.getInt1Ty()));
}

/// What set gives for a true comparison: 1.0 or all ones.
Value *truth(IRBuilder<> &B, PtxType Type, Value *Set) {
  uint64_t One = Type.isBFloat()   ? 0x3f80
                 : Type.Bits == 16 ? 0x3c00
                                   : 0x3f800000;
  APInt Bits =
      Type.isFloat() ? APInt(Type.Bits, One) : APInt::getAllOnes(Type.Bits);
  return B.CreateSelect(Set, ConstantInt::get(B.getContext(), Bits),
                        B.getIntN(Type.Bits, 0));
}

/// set.lt.u32.f32 d, a, b; set.lt.f16x2.f16x2 d, a, b; set.lt.u32.f16x2.
void setValue(PtxCode &C, PtxInstruction &I) {
  bool Flush = I.take("ftz");
  StringRef Join = takeJoin(I);
  const CompareRow *Row = takeComparison(I);
  if (!Row || I.Types.size() != 2 ||
      I.Operands.size() != (Join.empty() ? 3U : 4U))
    return C.refuse();
  auto [To, From] = std::pair(I.Types[0], I.Types[1]);
  if (From.Lanes == 2 && To.Lanes == 1 && To.Bits == 32)
    To = {To.Kind, 16, 2};
  if (To.Lanes != From.Lanes)
    return C.refuse();
  Value *X = C.read(I.Operands[1], From);
  Value *Y = C.read(I.Operands[2], From);
  Value *With = Join.empty() ? nullptr : C.readPredicate(I.Operands[3]);
  C.write(I.Operands[0],
          C.Floats.perLane(From, {X, Y}, [&](ArrayRef<Value *> L) {
            Value *Set = compare(C, *Row, From.lane(), Flush, L[0], L[1]);
            return truth(C.B, To, With ? join(C, Join, Set, With) : Set);
          }));
}

void selectByPredicate(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  if (I.Operands.size() != 4)
    return C.refuse();
  C.write(I.Operands[0],
          C.B.CreateSelect(C.readPredicate(I.Operands[3]),
                           C.read(I.Operands[1], Type),
                           C.read(I.Operands[2], Type)),
          Type.isSigned());
}

/// slct.u32.s32 d, a, b, c: a if c >= 0.
void selectBySign(PtxCode &C, PtxInstruction &I) {
  bool Flush = I.take("ftz");
  if (I.Types.size() != 2 || I.Operands.size() != 4)
    return C.refuse();
  auto [Type, By] = std::pair(I.Types[0], I.Types[1]);
  const CompareRow *NotLess = &CompareRows[5];
  Value *Set = compare(C, *NotLess, By, Flush, C.read(I.Operands[3], By),
                       C.B.getIntN(By.Bits, 0));
  C.write(I.Operands[0],
          C.B.CreateSelect(Set, C.read(I.Operands[1], Type),
                           C.read(I.Operands[2], Type)),
          Type.isSigned());
}

const PtxRow ComparisonRows[] = {
    {"setp", setPredicate},
    {"set", setValue},
    {"selp", selectByPredicate},
    {"slct", selectBySign},
};

} // namespace

ArrayRef<PtxRow> ptxCompareRows() { return ComparisonRows; }

} // namespace blockmaestro
