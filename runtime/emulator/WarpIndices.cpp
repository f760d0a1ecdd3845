// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpIndices.h"

#include "BlockContext.h"
#include "BlockFunction.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {

namespace {

constexpr unsigned WarpBits = 5;
static_assert(1u << WarpBits == WarpSize);

/// The thread's indices from its lane and warp.
struct Indices {
  Value *Of[3];
};

Value *inWarps(IRBuilder<> &B, Value *Warp, Value *Lane) {
  Value *First = B.CreateShl(Warp, WarpBits, "", /*HasNUW=*/true,
                             /*HasNSW=*/true);
  return B.CreateOr(First, Lane, "", /*IsDisjoint=*/true);
}

Indices indicesOf(IRBuilder<> &B, Value *Lane, Value *Warp,
                  const BlockShape &Shape) {
  uint32_t X = Shape.Extent[0], Y = Shape.Extent[1];
  Value *Zero = B.getInt32(0);
  if (Y == 1 && Shape.Extent[2] == 1)
    return {{inWarps(B, Warp, Lane), Zero, Zero}};
  auto Split = [&](Value *Rows) {
    return std::pair(B.CreateURem(Rows, B.getInt32(Y)),
                     B.CreateUDiv(Rows, B.getInt32(Y)));
  };
  if (X % WarpSize == 0) {
    Value *PerRow = B.getInt32(X / WarpSize);
    auto [InY, InZ] = Split(B.CreateUDiv(Warp, PerRow));
    return {{inWarps(B, B.CreateURem(Warp, PerRow), Lane), InY, InZ}};
  }
  Value *Linear = inWarps(B, Warp, Lane);
  auto [InY, InZ] = Split(B.CreateUDiv(Linear, B.getInt32(X)));
  return {{B.CreateURem(Linear, B.getInt32(X)), InY, InZ}};
}

void limitArgument(Function &Body, unsigned Number, uint32_t Below) {
  Body.removeParamAttr(Number, Attribute::Range);
  Body.addParamAttr(
      Number, Attribute::get(Body.getContext(), Attribute::Range,
                             ConstantRange(APInt(32, 0), APInt(32, Below))));
}

/// Numbers as a part that all lanes share, whose low bits are zero, and the
/// lane.
class LaneSplitter {
public:
  explicit LaneSplitter(Function &Body)
      : Lane(Body.getArg(1)), B(Body.getContext()) {}

  /// The shared part of \p V, in front of \p Before; null where it has none.
  Value *shared(Value *V, Instruction *Before);
  bool rewrite(Instruction &I);

private:
  bool isWhole(Value *V) {
    return computeKnownBits(V, Lane->getParent()->getDataLayout())
               .countMinTrailingZeros() >= WarpBits;
  }

  Argument *Lane;
  IRBuilder<> B;
};

Value *LaneSplitter::shared(Value *V, Instruction *Before) {
  if (V == Lane)
    return ConstantInt::get(V->getType(), 0);
  Value *L, *R;
  if (match(V, m_ZExt(m_Value(L))) || match(V, m_SExt(m_Value(L)))) {
    Value *Inner = shared(L, Before);
    if (!Inner)
      return nullptr;
    B.SetInsertPoint(Before);
    return isa<ZExtInst>(V) ? B.CreateZExt(Inner, V->getType())
                            : B.CreateSExt(Inner, V->getType());
  }
  if (!match(V, m_Add(m_Value(L), m_Value(R))) &&
      !match(V, m_DisjointOr(m_Value(L), m_Value(R))))
    return nullptr;
  for (auto [Whole, Rest] : {std::pair(L, R), std::pair(R, L)}) {
    if (!isWhole(Whole))
      continue;
    if (Value *Inner = shared(Rest, Before)) {
      B.SetInsertPoint(Before);
      return B.CreateAdd(Whole, Inner);
    }
  }
  return nullptr;
}

/// Takes the lane out of \p I where it makes no difference. What is compared or
/// divided lies in [A, A + 32), where A has five zero bits below.
bool LaneSplitter::rewrite(Instruction &I) {
  const APInt *C;
  Value *V;
  CmpPredicate P;
  bool Quotient = (match(&I, m_LShr(m_Value(V), m_APInt(C))) ||
                   match(&I, m_AShr(m_Value(V), m_APInt(C)))) &&
                  C->uge(WarpBits);
  bool Divided = match(&I, m_UDiv(m_Value(V), m_APInt(C))) &&
                 C->countTrailingZeros() >= WarpBits;
  bool Masked = match(&I, m_And(m_Value(V), m_APInt(C))) &&
                C->countTrailingZeros() >= WarpBits;
  bool Compared =
      match(&I, m_ICmp(P, m_Value(V), m_APInt(C))) && ICmpInst::isRelational(P);
  if (Compared) {
    bool Less = ICmpInst::isLT(P) || ICmpInst::isGE(P);
    APInt Edge = Less ? *C : *C + 1;
    Compared = Edge.countTrailingZeros() >= WarpBits;
  }
  if (!Quotient && !Divided && !Masked && !Compared)
    return false;
  Value *Shared = shared(V, &I);
  if (!Shared)
    return false;
  I.setOperand(0, Shared);
  I.dropPoisonGeneratingFlags();
  return true;
}

} // namespace

void numberByLane(Function &Body, const BlockShape &Shape) {
  SmallVector<Use *> Uses[3];
  for (unsigned D = 0; D < 3; ++D)
    for (Use &U : Body.getArg(1 + D)->uses())
      Uses[D].push_back(&U);
  IRBuilder<> B(&Body.getEntryBlock(), Body.getEntryBlock().begin());
  Indices New = indicesOf(B, Body.getArg(1), Body.getArg(2), Shape);
  for (unsigned D = 0; D < 3; ++D)
    for (Use *U : Uses[D])
      U->set(New.Of[D]);
  uint32_t Threads = Shape.Extent[0] * Shape.Extent[1] * Shape.Extent[2];
  limitArgument(Body, 1, WarpSize);
  limitArgument(Body, 2, (Threads + WarpSize - 1) / WarpSize);
  Body.removeParamAttr(3, Attribute::Range);
}

void separateLanes(Function &Body) {
  LaneSplitter Splitter(Body);
  for (Instruction &I : make_early_inc_range(instructions(Body)))
    Splitter.rewrite(I);
}

} // namespace blockmaestro
