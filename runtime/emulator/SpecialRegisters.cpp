// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpecialRegisters.h"

#include "BlockContext.h"
#include "ContextCode.h"
#include "Emulator.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

#include <chrono>
#include <cstddef>

using namespace llvm;

namespace blockmaestro {

namespace {

/// The extents CUDA allows, so that the optimiser knows them.
constexpr uint32_t LargestBlock = 1024;
constexpr uint32_t LargestGrid = 0x7fffffff;

/// Where one register is read.
struct Reading {
  ThreadCode &T;
  Function &F;
  IRBuilder<> Entry; ///< Where \c F begins.
  IRBuilder<> Here;  ///< Where the code reads it.
  unsigned D;        ///< Of a vector register: 0 for x, up to 3 for w.
};

Value *field(Reading &R, Type *T, uint64_t Offset) {
  return loadConstant(R.Entry, T, ThreadCode::context(R.F), Offset);
}

/// A number of three in the context, known to be in [Low, High]; \p Fourth
/// for the component w.
Value *dimension(Reading &R, uint64_t Offset, uint32_t Low, uint32_t High,
                 uint32_t Fourth) {
  if (R.D > 2)
    return R.Entry.getInt32(Fourth);
  LoadInst *Load =
      loadDimension(R.Entry, ThreadCode::context(R.F), Offset, R.D);
  MDBuilder Metadata(R.F.getContext());
  Load->setMetadata(
      LLVMContext::MD_range,
      Metadata.createRange(APInt(32, Low), APInt(32, uint64_t(High) + 1)));
  return Load;
}

Value *threadIndex(Reading &R) {
  return R.D > 2 ? R.Entry.getInt32(0) : (Value *)R.F.getArg(1 + R.D);
}
Value *blockExtent(Reading &R) {
  return dimension(R, offsetof(BlockContext, Block), 1, LargestBlock, 1);
}
Value *blockIndex(Reading &R) {
  return dimension(R, offsetof(BlockContext, Index), 0, LargestGrid, 0);
}
Value *gridExtent(Reading &R) {
  return dimension(R, offsetof(BlockContext, Grid), 1, LargestGrid, 1);
}
/// Extents of a cluster and, by these, indices; never those of w.
Value *clusterExtent(Reading &R) {
  constexpr uint32_t LargestCluster = 16;
  return dimension(R, offsetof(BlockContext, ClusterBlocks), 1, LargestCluster,
                   1);
}
Value *clusterIndex(Reading &R) {
  return R.Entry.CreateUDiv(blockIndex(R), clusterExtent(R));
}
Value *clusterCount(Reading &R) {
  return R.Entry.CreateUDiv(gridExtent(R), clusterExtent(R));
}
Value *indexInCluster(Reading &R) {
  return R.Entry.CreateURem(blockIndex(R), clusterExtent(R));
}
Value *rankInCluster(Reading &R) {
  Value *Rank = R.Entry.getInt32(0);
  for (R.D = 3; R.D-- > 0;)
    Rank = R.Entry.CreateAdd(R.Entry.CreateMul(Rank, clusterExtent(R)),
                             indexInCluster(R));
  return Rank;
}
Value *blocksOfCluster(Reading &R) {
  Value *Blocks = R.Entry.getInt32(1);
  for (R.D = 0; R.D < 3; ++R.D)
    Blocks = R.Entry.CreateMul(Blocks, clusterExtent(R));
  return Blocks;
}
Value *hasCluster(Reading &R) {
  return R.Entry.CreateICmpNE(blocksOfCluster(R), R.Entry.getInt32(1));
}
Value *zero(Reading &R) { return R.Entry.getInt32(0); }
Value *one(Reading &R) { return R.Entry.getInt32(1); }
Value *warpExtent(Reading &R) { return R.Entry.getInt32(WarpSize); }

Value *lane(Reading &R) {
  return R.Entry.CreateURem(R.T.linearThread(R.F), warpExtent(R));
}
Value *warp(Reading &R) {
  return R.Entry.CreateUDiv(R.T.linearThread(R.F), warpExtent(R));
}
Value *warps(Reading &R) {
  Value *Threads = R.Entry.getInt32(1);
  for (unsigned D = 0; D < 3; ++D)
    Threads = R.Entry.CreateMul(
        Threads, loadDimension(R.Entry, ThreadCode::context(R.F),
                               offsetof(BlockContext, Block), D));
  return R.Entry.CreateUDiv(
      R.Entry.CreateAdd(Threads, R.Entry.getInt32(WarpSize - 1)),
      warpExtent(R));
}

/// The masks of lanes in relation to one's own.
Value *maskOwn(Reading &R) { return R.Entry.CreateShl(one(R), lane(R)); }
Value *maskBelow(Reading &R) { return R.Entry.CreateSub(maskOwn(R), one(R)); }
Value *maskUpTo(Reading &R) {
  return R.Entry.CreateOr(maskOwn(R), maskBelow(R));
}
Value *maskFrom(Reading &R) { return R.Entry.CreateNot(maskBelow(R)); }
Value *maskAbove(Reading &R) { return R.Entry.CreateNot(maskUpTo(R)); }

Value *worker(Reading &R) {
  return field(R, R.Entry.getInt32Ty(), offsetof(BlockContext, Worker));
}
Value *workers(Reading &R) { return R.Entry.getInt32(Emulator::MaxWorkers); }
Value *launchId(Reading &R) {
  return field(R, R.Entry.getInt64Ty(), offsetof(BlockContext, LaunchId));
}
Value *dynamicShared(Reading &R) {
  return field(R, R.Entry.getInt32Ty(),
               offsetof(BlockContext, DynamicSharedBytes));
}
Value *totalShared(Reading &R) {
  return R.Entry.CreateAdd(dynamicShared(R),
                           field(R, R.Entry.getInt32Ty(),
                                 offsetof(BlockContext, StaticSharedBytes)));
}

/// Cooperative groups find their workspace through two of the registers an
/// environment may use as it likes: the upper and the lower half.
Value *workspace(Reading &R, unsigned Shift) {
  Value *Address =
      field(R, R.Entry.getInt64Ty(), offsetof(BlockContext, GridWorkspace));
  return R.Entry.CreateTrunc(R.Entry.CreateLShr(Address, Shift),
                             R.Entry.getInt32Ty());
}
Value *workspaceHigh(Reading &R) { return workspace(R, 32); }
Value *workspaceLow(Reading &R) { return workspace(R, 0); }

Value *cycles(Reading &R) {
  return R.Here.CreateIntrinsic(R.Here.getInt64Ty(),
                                Intrinsic::readcyclecounter, {});
}
Value *nanoseconds(Reading &R) {
  FunctionCallee Timer = R.F.getParent()->getOrInsertFunction(
      "bm_globaltimer", R.Here.getInt64Ty());
  return R.Here.CreateCall(Timer);
}
Value *half(Reading &R, Value *Wide, unsigned Shift) {
  return R.Here.CreateTrunc(R.Here.CreateLShr(Wide, Shift),
                            R.Here.getInt32Ty());
}
Value *cyclesLow(Reading &R) { return half(R, cycles(R), 0); }
Value *cyclesHigh(Reading &R) { return half(R, cycles(R), 32); }
Value *nanosecondsLow(Reading &R) { return half(R, nanoseconds(R), 0); }
Value *nanosecondsHigh(Reading &R) { return half(R, nanoseconds(R), 32); }

struct RegisterRow {
  const char *Name; ///< Of a vector register, without its component.
  Value *(*Read)(Reading &R);
};

const RegisterRow RegisterRows[] = {
    {"tid", threadIndex},
    {"ntid", blockExtent},
    {"ctaid", blockIndex},
    {"nctaid", gridExtent},
    {"clusterid", clusterIndex},
    {"nclusterid", clusterCount},
    {"cluster.ctaid", indexInCluster},
    {"cluster.nctaid", clusterExtent},
    {"cluster.ctarank", rankInCluster},
    {"cluster.nctarank", blocksOfCluster},
    {"laneid", lane},
    {"warpid", warp},
    {"nwarpid", warps},
    {"warpsize", warpExtent},
    {"smid", worker},
    {"nsmid", workers},
    {"gridid", launchId},
    {"lanemask.eq", maskOwn},
    {"lanemask.lt", maskBelow},
    {"lanemask.le", maskUpTo},
    {"lanemask.ge", maskFrom},
    {"lanemask.gt", maskAbove},
    {"dynamic_smem_size", dynamicShared},
    {"total_smem_size", totalShared},
    {"aggr_smem_size", totalShared},
    {"envreg0", zero},
    {"envreg1", workspaceHigh},
    {"envreg2", workspaceLow},
    {"clock", cyclesLow},
    {"clock_hi", cyclesHigh},
    {"clock64", cycles},
    {"globaltimer", nanoseconds},
    {"globaltimer.lo", nanosecondsLow},
    {"globaltimer_lo", nanosecondsLow},
    {"globaltimer.hi", nanosecondsHigh},
    {"globaltimer_hi", nanosecondsHigh},
};

/// Takes ".x" to ".w" from the end of \p Name: 0 to 3, and 0 without one.
unsigned takeComponent(StringRef &Name) {
  constexpr StringRef Components = "xyzw";
  if (Name.size() < 2 || Name[Name.size() - 2] != '.')
    return 0;
  size_t D = Components.find(Name.back());
  if (D == StringRef::npos)
    return 0;
  Name = Name.drop_back(2);
  return D;
}

} // namespace

Value *specialRegister(ThreadCode &T, CallInst &Call) {
  Function &F = *Call.getFunction();
  StringRef Name = Call.getCalledFunction()->getName();
  Reading R{T, F, ThreadCode::entry(F), IRBuilder<>(&Call), 0};
  if (Name == "llvm.nvvm.is_explicit_cluster")
    return hasCluster(R);
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return nullptr;
  R.D = takeComponent(Name);
  for (const RegisterRow &Row : RegisterRows)
    if (Name == Row.Name) {
      Value *Read = Row.Read(R);
      Type *Asked = Call.getType();
      return Read->getType() == Asked ? Read
                                      : R.Here.CreateZExtOrTrunc(Read, Asked);
    }
  return nullptr;
}

} // namespace blockmaestro

uint64_t bm_globaltimer() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch())
      .count();
}
