// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The SIMD video instructions of PTX, which CUDA's __vadd2 and its like are
// written with.

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

enum class VideoOp { Add, Sub, Average, Difference, Min, Max };

/// One lane of the operation on numbers of 32 bits.
Value *laneResult(IRBuilder<> &B, VideoOp Op, Value *X, Value *Y) {
  switch (Op) {
  case VideoOp::Add:
    return B.CreateAdd(X, Y);
  case VideoOp::Sub:
    return B.CreateSub(X, Y);
  case VideoOp::Average: {
    Value *Sum = B.CreateAdd(X, Y);
    Value *One =
        B.CreateZExt(B.CreateICmpSGE(Sum, B.getInt32(0)), B.getInt32Ty());
    return B.CreateAShr(B.CreateAdd(Sum, One), 1);
  }
  case VideoOp::Difference:
    return B.CreateBinaryIntrinsic(Intrinsic::abs, B.CreateSub(X, Y),
                                   B.getFalse());
  case VideoOp::Min:
    return B.CreateBinaryIntrinsic(Intrinsic::smin, X, Y);
  case VideoOp::Max:
    return B.CreateBinaryIntrinsic(Intrinsic::smax, X, Y);
  }
  return nullptr;
}

/// \p X limited to what \p Bits bits hold.
Value *limit(IRBuilder<> &B, Value *X, unsigned Bits, bool Signed) {
  int64_t Low = Signed ? -(1 << (Bits - 1)) : 0;
  int64_t High = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
  X = B.CreateBinaryIntrinsic(Intrinsic::smax, X,
                              ConstantInt::getSigned(X->getType(), Low));
  return B.CreateBinaryIntrinsic(Intrinsic::smin, X,
                                 ConstantInt::getSigned(X->getType(), High));
}

/// Lane \p N of \p Lanes as a number.
Value *lane(IRBuilder<> &B, Value *Word, unsigned N, unsigned Lanes,
            bool Signed) {
  unsigned Bits = 32 / Lanes;
  Value *Up = B.CreateShl(Word, 32 - Bits * (N + 1));
  return Signed ? B.CreateAShr(Up, 32 - Bits) : B.CreateLShr(Up, 32 - Bits);
}

/// The lanes \p Results, side by side or added to \p Sum.
Value *combine(IRBuilder<> &B, ArrayRef<Value *> Results, Value *Sum) {
  unsigned Bits = 32 / Results.size();
  Value *Word = Sum ? Sum : B.getInt32(0);
  for (auto [N, Result] : enumerate(Results)) {
    if (Sum)
      Word = B.CreateAdd(Word, Result);
    else
      Word = B.CreateOr(
          Word, B.CreateShl(B.CreateAnd(Result, (1ULL << Bits) - 1), N * Bits));
  }
  return Word;
}

template <VideoOp Op, unsigned Lanes>
void video(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  bool Saturate = I.take("sat");
  bool Add = I.take("add");
  if (I.Types.size() != 3 || I.Operands.size() != 4)
    return C.refuse();
  Value *X = C.read(I.Operands[1], I.Types[1]);
  Value *Y = C.read(I.Operands[2], I.Types[2]);
  SmallVector<Value *> Results;
  for (unsigned N = 0; N < Lanes; ++N) {
    Value *R = laneResult(B, Op, lane(B, X, N, Lanes, I.Types[1].isSigned()),
                          lane(B, Y, N, Lanes, I.Types[2].isSigned()));
    Results.push_back(Saturate ? limit(B, R, 32 / Lanes, I.Types[0].isSigned())
                               : R);
  }
  Value *Sum = Add ? C.read(I.Operands[3], I.Types[0]) : nullptr;
  C.write(I.Operands[0], combine(B, Results, Sum));
}

/// vset: 1 in each lane where the comparison holds.
template <unsigned Lanes> void videoSet(PtxCode &C, PtxInstruction &I) {
  IRBuilder<> &B = C.B;
  StringRef Name = I.takeAny({"eq", "ne", "lt", "le", "gt", "ge"});
  bool Add = I.take("add");
  if (Name.empty() || I.Types.size() != 2 || I.Operands.size() != 4)
    return C.refuse();
  auto Predicate = StringSwitch<CmpInst::Predicate>(Name)
                       .Case("eq", CmpInst::ICMP_EQ)
                       .Case("ne", CmpInst::ICMP_NE)
                       .Case("lt", CmpInst::ICMP_SLT)
                       .Case("le", CmpInst::ICMP_SLE)
                       .Case("gt", CmpInst::ICMP_SGT)
                       .Default(CmpInst::ICMP_SGE);
  Value *X = C.read(I.Operands[1], I.Types[0]);
  Value *Y = C.read(I.Operands[2], I.Types[1]);
  SmallVector<Value *> Results;
  for (unsigned N = 0; N < Lanes; ++N)
    Results.push_back(B.CreateZExt(
        B.CreateICmp(Predicate, lane(B, X, N, Lanes, I.Types[0].isSigned()),
                     lane(B, Y, N, Lanes, I.Types[1].isSigned())),
        B.getInt32Ty()));
  Value *Sum = Add ? C.read(I.Operands[3], I.Types[0]) : nullptr;
  C.write(I.Operands[0], combine(B, Results, Sum));
}

const PtxRow VideoRows[] = {
    {"vadd2", video<VideoOp::Add, 2>},
    {"vadd4", video<VideoOp::Add, 4>},
    {"vsub2", video<VideoOp::Sub, 2>},
    {"vsub4", video<VideoOp::Sub, 4>},
    {"vavrg2", video<VideoOp::Average, 2>},
    {"vavrg4", video<VideoOp::Average, 4>},
    {"vabsdiff2", video<VideoOp::Difference, 2>},
    {"vabsdiff4", video<VideoOp::Difference, 4>},
    {"vmin2", video<VideoOp::Min, 2>},
    {"vmin4", video<VideoOp::Min, 4>},
    {"vmax2", video<VideoOp::Max, 2>},
    {"vmax4", video<VideoOp::Max, 4>},
    {"vset2", videoSet<2>},
    {"vset4", videoSet<4>},
};

} // namespace

ArrayRef<PtxRow> ptxVideoRows() { return VideoRows; }

} // namespace blockmaestro
