// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The instructions of PTX by which threads work together or end: barriers,
// shuffles, votes; they become the NVVM intrinsics of clang's builtins.

#include "PtxCode.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// A name and the intrinsics for its forms.
struct IntrinsicRow {
  const char *Name;
  Intrinsic::ID First;
  Intrinsic::ID Second;
};

const IntrinsicRow *takeRow(PtxInstruction &I, ArrayRef<IntrinsicRow> Rows) {
  for (const IntrinsicRow &Row : Rows)
    if (I.take(Row.Name))
      return &Row;
  return nullptr;
}

/// Writes the value and the predicate of \p Pair to d or to d|p.
void writeWithPredicate(PtxCode &C, const PtxOperand &To, Value *Pair) {
  bool Both = To.Kind == PtxOperandKind::Pair;
  C.write(Both ? To.Elements[0] : To, C.B.CreateExtractValue(Pair, 0));
  if (Both)
    C.write(To.Elements[1], C.B.CreateExtractValue(Pair, 1));
}

const IntrinsicRow ShuffleRows[] = {
    {"up", Intrinsic::nvvm_shfl_sync_up_i32p, 0},
    {"down", Intrinsic::nvvm_shfl_sync_down_i32p, 0},
    {"bfly", Intrinsic::nvvm_shfl_sync_bfly_i32p, 0},
    {"idx", Intrinsic::nvvm_shfl_sync_idx_i32p, 0},
};

/// shfl.sync d|p, a, b, c, mask; without sync it is long gone from GPUs.
void shuffle(PtxCode &C, PtxInstruction &I) {
  const IntrinsicRow *Row = takeRow(I, ShuffleRows);
  if (!I.take("sync") || !Row || I.Operands.size() != 5)
    return C.refuse();
  writeWithPredicate(
      C, I.Operands[0],
      C.intrinsic(Row->First,
                  {C.operand(I, 4, PtxWord), C.operand(I, 1, PtxWord),
                   C.operand(I, 2, PtxWord), C.operand(I, 3, PtxWord)}));
}

const IntrinsicRow VoteRows[] = {
    {"all", Intrinsic::nvvm_vote_all_sync, 0},
    {"any", Intrinsic::nvvm_vote_any_sync, 0},
    {"uni", Intrinsic::nvvm_vote_uni_sync, 0},
    {"ballot", Intrinsic::nvvm_vote_ballot_sync, 0},
};

void vote(PtxCode &C, PtxInstruction &I) {
  const IntrinsicRow *Row = takeRow(I, VoteRows);
  if (!I.take("sync") || !Row || I.Operands.size() != 3)
    return C.refuse();
  C.write(I.Operands[0],
          C.intrinsic(Row->First, {C.operand(I, 2, PtxWord),
                                   C.readPredicate(I.Operands[1])}));
}

const IntrinsicRow MatchRows[] = {
    {"any", Intrinsic::nvvm_match_any_sync_i32,
     Intrinsic::nvvm_match_any_sync_i64},
    {"all", Intrinsic::nvvm_match_all_sync_i32p,
     Intrinsic::nvvm_match_all_sync_i64p},
};

void match(PtxCode &C, PtxInstruction &I) {
  bool Long = I.type().Bits == 64;
  bool All = llvm::is_contained(I.Words, "all");
  const IntrinsicRow *Row = takeRow(I, MatchRows);
  if (!I.take("sync") || !Row || I.Operands.size() != 3)
    return C.refuse();
  Value *Result =
      C.intrinsic(Long ? Row->Second : Row->First,
                  {C.operand(I, 2, PtxWord), C.operand(I, 1, I.type())});
  if (All)
    writeWithPredicate(C, I.Operands[0], Result);
  else
    C.write(I.Operands[0], Result);
}

const IntrinsicRow ReduceRows[] = {
    {"add", Intrinsic::nvvm_redux_sync_add, Intrinsic::nvvm_redux_sync_add},
    {"min", Intrinsic::nvvm_redux_sync_min, Intrinsic::nvvm_redux_sync_umin},
    {"max", Intrinsic::nvvm_redux_sync_max, Intrinsic::nvvm_redux_sync_umax},
    {"and", Intrinsic::nvvm_redux_sync_and, Intrinsic::nvvm_redux_sync_and},
    {"or", Intrinsic::nvvm_redux_sync_or, Intrinsic::nvvm_redux_sync_or},
    {"xor", Intrinsic::nvvm_redux_sync_xor, Intrinsic::nvvm_redux_sync_xor},
};

/// redux.sync of floats has forms for magnitudes and for NaN.
Intrinsic::ID floatReduction(PtxInstruction &I) {
  std::string Name = "llvm.nvvm.redux.sync.f" + I.takeAny({"min", "max"}).str();
  if (I.take("abs"))
    Name += ".abs";
  if (I.take("NaN"))
    Name += ".NaN";
  return Intrinsic::lookupIntrinsicID(Name);
}

void reduce(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  if (!I.take("sync") || I.Operands.size() != 3)
    return C.refuse();
  Value *X = C.operand(I, 1, Type);
  Value *Mask = C.operand(I, 2, PtxWord);
  if (Type.isFloat()) {
    Intrinsic::ID Id = floatReduction(I);
    if (Id == Intrinsic::not_intrinsic)
      return C.refuse();
    Value *Float = C.B.CreateBitCast(X, C.B.getFloatTy());
    return C.write(
        I.Operands[0],
        C.B.CreateBitCast(C.intrinsic(Id, {Float, Mask}), C.B.getInt32Ty()));
  }
  const IntrinsicRow *Row = takeRow(I, ReduceRows);
  if (!Row)
    return C.refuse();
  C.write(I.Operands[0],
          C.intrinsic(Type.isSigned() ? Row->First : Row->Second, {X, Mask}));
}

void activeMask(PtxCode &C, PtxInstruction &I) {
  if (I.Operands.size() != 1)
    return C.refuse();
  C.write(I.Operands[0], C.intrinsic(Intrinsic::nvvm_activemask, {}));
}

void elect(PtxCode &C, PtxInstruction &I) {
  if (!I.take("sync") || I.Operands.size() != 2)
    return C.refuse();
  writeWithPredicate(
      C, I.Operands[0],
      C.intrinsic(Intrinsic::nvvm_elect_sync, {C.operand(I, 1, PtxWord)}));
}

const IntrinsicRow BarrierIntrinsics[] = {
    {"popc", Intrinsic::nvvm_barrier_cta_red_popc_aligned_all,
     Intrinsic::nvvm_barrier_cta_red_popc_aligned_count},
    {"and", Intrinsic::nvvm_barrier_cta_red_and_aligned_all,
     Intrinsic::nvvm_barrier_cta_red_and_aligned_count},
    {"or", Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
     Intrinsic::nvvm_barrier_cta_red_or_aligned_count},
};

/// bar.red.op d, a{, b}, {!}c.
void reducingBarrier(PtxCode &C, PtxInstruction &I) {
  const IntrinsicRow *Row = takeRow(I, BarrierIntrinsics);
  bool Counted = I.Operands.size() == 4;
  if (!Row || I.Operands.size() < 3)
    return C.refuse();
  SmallVector<Value *> Operands = {C.operand(I, 1, PtxWord)};
  if (Counted)
    Operands.push_back(C.operand(I, 2, PtxWord));
  Operands.push_back(C.readPredicate(I.Operands.back()));
  C.write(I.Operands[0],
          C.intrinsic(Counted ? Row->Second : Row->First, Operands));
}

/// barrier.cluster.arrive and barrier.cluster.wait, whose threads meet all
/// those of the cluster.
void clusterBarrier(PtxCode &C, PtxInstruction &I) {
  I.take("aligned");
  I.takeAny({"acquire", "release", "relaxed"});
  bool Arrives = I.take("arrive");
  if ((!Arrives && !I.take("wait")) || !I.Operands.empty())
    return C.refuse();
  C.intrinsic(Arrives ? Intrinsic::nvvm_barrier_cluster_arrive
                      : Intrinsic::nvvm_barrier_cluster_wait,
              {});
}

/// mapa d, a, rank: the address in another block of the cluster. A 32-bit
/// address is the lower half of a generic one.
void mapAddress(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  I.take("shared::cluster");
  if (I.Operands.size() != 3)
    return C.refuse();
  Value *Address = C.B.CreateZExt(C.operand(I, 1, Type), C.B.getInt64Ty());
  Value *There = C.intrinsic(
      Intrinsic::nvvm_mapa,
      {C.B.CreateIntToPtr(Address, C.B.getPtrTy()), C.operand(I, 2, PtxWord)});
  C.write(I.Operands[0],
          C.B.CreateTrunc(C.B.CreatePtrToInt(There, C.B.getInt64Ty()),
                          C.B.getIntNTy(Type.Bits)));
}

/// getctarank d, a.
void rankOfAddress(PtxCode &C, PtxInstruction &I) {
  PtxType Type = I.type();
  I.take("shared::cluster");
  if (I.Operands.size() != 2)
    return C.refuse();
  Value *Address = C.B.CreateZExt(C.operand(I, 1, Type), C.B.getInt64Ty());
  C.write(I.Operands[0],
          C.intrinsic(Intrinsic::nvvm_getctarank,
                      {C.B.CreateIntToPtr(Address, C.B.getPtrTy())}));
}

/// bar and barrier: .sync, .arrive, .red, and bar.warp.sync.
void warpBarrier(PtxCode &C, PtxInstruction &I) {
  if (I.take("cluster"))
    return clusterBarrier(C, I);
  I.take("cta");
  I.take("aligned");
  if (I.take("red"))
    return reducingBarrier(C, I);
  bool Warp = I.take("warp");
  bool Arrive = I.take("arrive");
  if (!I.take("sync") && !Arrive)
    return C.refuse();
  SmallVector<Value *> Operands;
  for (const PtxOperand &Operand : I.Operands)
    Operands.push_back(C.read(Operand, PtxWord));
  if (Operands.empty() || Operands.size() > 2)
    return C.refuse();
  bool Counted = Operands.size() == 2;
  if (Warp != (Warp && !Counted) || (Arrive && !Counted))
    return C.refuse();
  Intrinsic::ID Id = Warp     ? Intrinsic::nvvm_bar_warp_sync
                     : Arrive ? Intrinsic::nvvm_barrier_cta_arrive_aligned_count
                     : Counted ? Intrinsic::nvvm_barrier_cta_sync_aligned_count
                               : Intrinsic::nvvm_barrier_cta_sync_aligned_all;
  C.intrinsic(Id, Operands);
}

void sleep(PtxCode &C, PtxInstruction &I) {
  if (I.Operands.size() != 1)
    return C.refuse();
  C.intrinsic(Intrinsic::nvvm_nanosleep, {C.operand(I, 0, PtxWord)});
}

/// Code after the end of the thread goes to a block that nothing reaches.
void endThread(PtxCode &C, Intrinsic::ID Id) {
  C.intrinsic(Id, {});
  C.B.CreateUnreachable();
  C.B.SetInsertPoint(C.makeBlock("ptx.dead"));
}

void branch(PtxCode &C, PtxInstruction &I) {
  I.take("uni");
  BasicBlock *To =
      I.Operands.size() == 1 ? C.label(I.Operands[0].Name) : nullptr;
  if (!To)
    return C.refuse("a label of this statement");
  C.B.CreateBr(To);
  C.B.SetInsertPoint(C.makeBlock("ptx.dead"));
}

/// What has no effect a program could see: events for profilers, the number of
/// registers, the order of dependent grids, which wait for each other anyway.
void nothing(PtxCode &C, PtxInstruction &I) {
  (void)C;
  I.Words.clear();
}

const PtxRow WarpInstructions[] = {
    {"shfl", shuffle},
    {"vote", vote},
    {"match", match},
    {"redux", reduce},
    {"activemask", activeMask},
    {"elect", elect},
    {"bar", warpBarrier},
    {"barrier", warpBarrier},
    {"mapa", mapAddress},
    {"getctarank", rankOfAddress},
    {"nanosleep", sleep},
    {"trap",
     [](PtxCode &C, PtxInstruction &) { endThread(C, Intrinsic::trap); }},
    {"brkpt",
     [](PtxCode &C, PtxInstruction &) { endThread(C, Intrinsic::trap); }},
    {"exit",
     [](PtxCode &C, PtxInstruction &) { endThread(C, Intrinsic::nvvm_exit); }},
    {"bra", branch},
    {"pmevent", nothing},
    {"setmaxnreg", nothing},
    {"griddepcontrol", nothing},
};

} // namespace

ArrayRef<PtxRow> ptxWarpRows() { return WarpInstructions; }

} // namespace blockmaestro
