// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Note [Guards]
// ~~~~~~~~~~~~~
// Nearly every kernel begins with
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
//     if (i >= n) return;
// To a vectoriser both lines are bad. The sum is of unsigned numbers, so it may
// wrap around between two threads, and a[i] need not be consecutive. And the
// comparison makes every access a masked one. Along a row of threads the sum is
// a value that grows by one: we give it an induction variable of its own that
// does not wrap, and turn the comparison into the loop's bounds.
//
// It may really wrap, in one block of a huge grid. So a row is run in parts:
// one part, all of the row, if no row value wraps in it, which is asked once
// per block; else one part per thread. Inside a part nothing wraps, and bounds
// are computed for each part from the values where it begins.
//
// A comparison without threadIdx.x is the same for all of a row, and is asked
// once where the row begins. So are loads that every thread of the row does
// from one address before it writes anything (`taps[3]`): a vectoriser cannot
// take them out of the loop, because a store of an earlier thread might change
// what a later one loads. But the threads of a block have no order, and one
// that CUDA allows is: all load, and only then does any go on. This needs that
// every thread that passes the guards gets to the load; if a row is run, some
// thread does.

#include "Guards.h"

#include "LaunchConstants.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace blockmaestro {

namespace {

/// Rows beyond this many are left as they are.
constexpr unsigned MostRows = 8;

/// Loads beyond this many stay in the loop; registers are few.
constexpr unsigned MostEarly = 64;

class GuardFinder {
public:
  GuardFinder(Function &Body, const LaunchConstants &Constants)
      : Body(Body), Constants(Constants),
        OfRow(Body, LaunchConstants::Of::Row) {}

  RowGuards run();

private:
  bool isRow(Value *V, SmallVectorImpl<Value *> &Terms) const;
  void findRows();
  bool takeCondition(Value *V, bool Holds);
  bool takeComparison(ICmpInst &Compare, bool Holds);
  void takeLoads(BasicBlock &Block);
  BasicBlock *pass(BasicBlock *Block);

  Function &Body;
  const LaunchConstants &Constants;
  LaunchConstants OfRow;
  /// Every thread that passes gets here, and has written nothing.
  bool Leading = true;
  RowGuards Found;
};

/// Whether \p V is threadIdx.x plus launch constants, which it adds to
/// \p Terms.
bool GuardFinder::isRow(Value *V, SmallVectorImpl<Value *> &Terms) const {
  if (V == Body.getArg(1))
    return true;
  Value *L, *R;
  if (!V->getType()->isIntegerTy(32) ||
      !(match(V, m_Add(m_Value(L), m_Value(R))) ||
        match(V, m_DisjointOr(m_Value(L), m_Value(R)))))
    return false;
  if (Constants.contains(L))
    std::swap(L, R);
  if (!Constants.contains(R) || !isRow(L, Terms))
    return false;
  Terms.push_back(R);
  return true;
}

void GuardFinder::findRows() {
  for (Instruction &I : instructions(Body)) {
    RowValue Row;
    bool First =
        I.getNumOperands() == 2 && is_contained(I.operands(), Body.getArg(1));
    if (First && Found.Rows.size() < MostRows && isRow(&I, Row.Terms)) {
      Row.Where = &I;
      Found.Rows.push_back(std::move(Row));
    }
  }
}

/// Makes `Row Predicate Limit` a bound if \p Compare is that.
bool GuardFinder::takeComparison(ICmpInst &Compare, bool Holds) {
  CmpInst::Predicate P =
      Holds ? Compare.getPredicate() : Compare.getInversePredicate();
  Value *Row = Compare.getOperand(0), *Limit = Compare.getOperand(1);
  if (Constants.contains(Row)) {
    std::swap(Row, Limit);
    P = CmpInst::getSwappedPredicate(P);
  }
  if (!Constants.contains(Limit) || !CmpInst::isRelational(P) ||
      Found.Rows.size() == MostRows)
    return false;
  bool Signed = CmpInst::isSigned(P);
  Value *Narrow;
  if (match(Row, m_ZExt(m_Value(Narrow))))
    Signed = false;
  else if (match(Row, m_SExt(m_Value(Narrow))) && Signed)
    Signed = true;
  else
    Narrow = Row;
  unsigned Width = Row->getType()->getIntegerBitWidth();
  RowValue Part;
  if (Width > 64 || !isRow(Narrow, Part.Terms))
    return false;
  Found.Bounds.push_back({unsigned(Found.Rows.size()), P, Limit, Signed});
  Found.Rows.push_back(std::move(Part));
  return true;
}

/// Takes from \p V what says that \p V is \p Holds; whether that is all of it.
bool GuardFinder::takeCondition(Value *V, bool Holds) {
  if (auto *Known = dyn_cast<ConstantInt>(V))
    return Known->isOne() == Holds;
  auto Take = [&] {
    V->replaceAllUsesWith(ConstantInt::getBool(V->getType(), Holds));
    return true;
  };
  if (OfRow.contains(V)) {
    Found.Conditions.push_back({V, Holds});
    return Take();
  }
  Value *L, *R;
  bool Both = Holds ? match(V, m_LogicalAnd(m_Value(L), m_Value(R)))
                    : match(V, m_LogicalOr(m_Value(L), m_Value(R)));
  if (Both) {
    bool Left = takeCondition(L, Holds);
    return takeCondition(R, Holds) && Left;
  }
  auto *Compare = dyn_cast<ICmpInst>(V);
  return Compare && takeComparison(*Compare, Holds) && Take();
}

/// Takes the loads of \p Block that are done before anything is written.
void GuardFinder::takeLoads(BasicBlock &Block) {
  for (Instruction &I : Block) {
    if (!Leading || Found.Early.size() == MostEarly)
      return;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && Load->isSimple() && !OfRow.contains(Load) &&
        OfRow.contains(Load->getPointerOperand()))
      Found.Early.push_back(Load);
    Leading =
        !I.mayWriteToMemory() && isGuaranteedToTransferExecutionToSuccessor(&I);
  }
}

/// Whether a thread that gets to \p Block returns without doing anything.
bool onlyReturns(BasicBlock *Block) {
  for (unsigned Steps = 0; Steps < 8; ++Steps) {
    if (any_of(*Block, [](Instruction &I) {
          return !I.isTerminator() && I.mayHaveSideEffects();
        }))
      return false;
    if (isa<ReturnInst>(Block->getTerminator()))
      return true;
    Block = Block->getSingleSuccessor();
    if (!Block)
      return false;
  }
  return false;
}

/// Takes the guard at the end of \p Block; where threads that pass go on, or
/// null.
BasicBlock *GuardFinder::pass(BasicBlock *Block) {
  takeLoads(*Block);
  for (Instruction &I : *Block)
    if (!I.isTerminator() && I.mayHaveSideEffects())
      return nullptr;
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch)
    return nullptr;
  unsigned Stay = 0;
  if (Branch->isConditional()) {
    bool Ends[2] = {onlyReturns(Branch->getSuccessor(0)),
                    onlyReturns(Branch->getSuccessor(1))};
    if (Ends[0] == Ends[1])
      return nullptr;
    Stay = Ends[0] ? 1 : 0;
    Leading &= takeCondition(Branch->getCondition(), Stay == 0);
  }
  BasicBlock *Next = Branch->getSuccessor(Stay);
  return Next->getSinglePredecessor() ? Next : nullptr;
}

RowGuards GuardFinder::run() {
  findRows();
  for (BasicBlock *Block = &Body.getEntryBlock(); Block;)
    Block = pass(Block);
  return std::move(Found);
}

/// Emits parts of a row.
class PartEmitter {
public:
  PartEmitter(IRBuilder<> &B, const RowGuards &Guards, Value *Extent,
              function_ref<Value *(Value *)> Constant)
      : B(B), Guards(Guards), Extent(Extent), Constant(Constant) {}

  Value *wraps();
  RowPart part(Value *First, Value *Length);

private:
  Value *sum(const RowValue &Row, Value *At);
  Value *distance(const RowBound &Bound, Value *Start);
  Value *clamp(Value *V, int Low, Value *High) {
    V = B.CreateBinaryIntrinsic(Intrinsic::smax, V, B.getInt64(Low));
    return B.CreateBinaryIntrinsic(Intrinsic::smin, V, High);
  }

  IRBuilder<> &B;
  const RowGuards &Guards;
  Value *Extent;
  function_ref<Value *(Value *)> Constant;
};

/// The value of \p Row for the thread \p At.
Value *PartEmitter::sum(const RowValue &Row, Value *At) {
  Value *Sum = At;
  for (Value *Term : Row.Terms)
    Sum = B.CreateAdd(Sum, Constant(Term));
  return Sum;
}

/// Whether some value wraps, signed or unsigned, along the whole row.
Value *PartEmitter::wraps() {
  Value *Any = B.getFalse();
  for (const RowValue &Row : Guards.Rows) {
    Value *First = sum(Row, B.getInt32(0));
    Value *Last = B.CreateAdd(First, B.CreateSub(Extent, B.getInt32(1)));
    Any = B.CreateOr(Any, B.CreateICmpULT(Last, First));
    Any = B.CreateOr(Any, B.CreateICmpSLT(Last, First));
  }
  return Any;
}

/// How far the limit is from where the part begins, in 64 bits.
Value *PartEmitter::distance(const RowBound &Bound, Value *Start) {
  Type *Wide = B.getInt64Ty();
  Value *Limit = Constant(Bound.Limit);
  bool Unsigned = CmpInst::isUnsigned(Bound.Predicate);
  if (Limit->getType() != Wide)
    Limit = B.CreateIntCast(Limit, Wide, !Unsigned);
  else if (Unsigned)
    Limit = B.CreateBinaryIntrinsic(Intrinsic::umin, Limit,
                                    B.getInt64(int64_t(1) << 62));
  return B.CreateBinaryIntrinsic(Intrinsic::ssub_sat, Limit,
                                 B.CreateIntCast(Start, Wide, Bound.Signed));
}

/// The threads among \p Length from \p First on that pass all bounds.
RowPart PartEmitter::part(Value *First, Value *Length) {
  Value *High = B.CreateZExt(Length, B.getInt64Ty());
  Value *From = B.getInt64(0), *To = High;
  for (const RowBound &Bound : Guards.Bounds) {
    Value *Far = distance(Bound, sum(Guards.Rows[Bound.Row], First));
    bool Upper =
        ICmpInst::isLT(Bound.Predicate) || ICmpInst::isLE(Bound.Predicate);
    bool After =
        ICmpInst::isLE(Bound.Predicate) || ICmpInst::isGT(Bound.Predicate);
    Value *At = After ? B.CreateAdd(clamp(Far, -1, High), B.getInt64(1))
                      : clamp(Far, 0, High);
    if (Upper)
      To = B.CreateBinaryIntrinsic(Intrinsic::smin, To, At);
    else
      From = B.CreateBinaryIntrinsic(Intrinsic::smax, From, At);
  }
  RowPart Part;
  Value *Skipped = B.CreateTrunc(From, B.getInt32Ty());
  Part.Span.Begin = B.CreateAdd(First, Skipped);
  Part.Span.End = B.CreateAdd(First, B.CreateTrunc(To, B.getInt32Ty()));
  for (const RowValue &Row : Guards.Rows)
    Part.Starts.push_back(sum(Row, Part.Span.Begin));
  return Part;
}

} // namespace

RowGuards takeGuards(Function &Body, const LaunchConstants &Constants) {
  return GuardFinder(Body, Constants).run();
}

void forEachPart(IRBuilder<> &B, const RowGuards &Guards, Value *Extent,
                 function_ref<Value *(Value *)> Constant,
                 function_ref<void(const RowPart &)> Code) {
  if (Guards.Rows.empty()) {
    Code({});
    return;
  }
  PartEmitter Emitter(B, Guards, Extent, Constant);
  Function *F = B.GetInsertBlock()->getParent();
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "part", F);
  BasicBlock *After = BasicBlock::Create(B.getContext(), "parts.end", F);
  Value *Length = B.CreateSelect(Emitter.wraps(), B.getInt32(1), Extent);
  BasicBlock *Before = B.GetInsertBlock();
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *First = B.CreatePHI(B.getInt32Ty(), 2);
  First->addIncoming(B.getInt32(0), Before);
  Code(Emitter.part(First, Length));
  Value *Next = B.CreateNUWAdd(First, Length);
  First->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Extent), Loop, After);
  After->moveAfter(B.GetInsertBlock());
  B.SetInsertPoint(After);
}

} // namespace blockmaestro
