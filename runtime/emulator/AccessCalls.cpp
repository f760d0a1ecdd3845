// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AccessCalls.h"

#include "Cluster.h"
#include "Faults.h"
#include "ThreadScheduler.h"

#include "blockmaestro/AccessObserver.h"

#include <utility>

using namespace blockmaestro;

namespace {

/// Whether the bytes begin in the \p Length bytes from \p Base.
bool within(uint64_t Address, const void *Base, uint64_t Length) {
  return Address - reinterpret_cast<uint64_t>(Base) < Length;
}

AccessSpace spaceOf(const BlockContext &C, uint64_t Address, uint64_t Bytes,
                    bool MeantShared) {
  if (within(Address, C.Shared, C.SharedBytes) &&
      (Bytes == 0 || within(Address + Bytes - 1, C.Shared, C.SharedBytes)))
    return AccessSpace::Shared;
  return MeantShared ? AccessSpace::OutsideShared : AccessSpace::Global;
}

/// Whether the bytes are in the shared memory of other blocks of the cluster,
/// which is not checked.
bool isOfOtherBlock(const BlockContext &C, uint64_t Address, uint64_t Bytes) {
  return within(Address, C.ClusterShared, C.ClusterSharedBytes) &&
         within(Address + Bytes - 1, C.ClusterShared, C.ClusterSharedBytes) &&
         !within(Address, C.Shared, C.SharedBytes);
}

/// What the observer says to an access.
Status judge(const BlockContext &C, uint32_t Thread, uint64_t Where,
             uint64_t Bytes, uint32_t Packed, uint32_t Site) {
  ObservedAccess T;
  T.What = C.What;
  T.Block = C.LinearBlock;
  T.Thread = Thread;
  T.BlockRound =
      C.Scheduler->blockRound() + (C.InCluster ? C.InCluster->phase() : 0);
  T.WarpRound = C.Scheduler->warpRound(Thread);
  T.Address = Where;
  T.Bytes = Bytes;
  T.Alignment = Packed >> 8;
  T.Bits = Packed & (AccessReads | AccessWrites | AccessSynchronizes);
  T.Space = spaceOf(C, Where, Bytes, Packed & 0x80);
  T.Where = (*C.Sites)[Site].c_str();
  return C.Observer->touches(T);
}

} // namespace

BM_SWITCHES void bm_access(BlockContext *Context, uint32_t Thread,
                           const void *Address, uint64_t Bytes, uint32_t Packed,
                           uint32_t Site) {
  const BlockContext &C = *Context;
  uint64_t Where = reinterpret_cast<uint64_t>(Address);
  if (Bytes == 0 || C.Scheduler->onStack(Where) ||
      within(Where, C.Arguments, C.What->Arguments.size()) ||
      isOfOtherBlock(C, Where, Bytes))
    return;
  Status Allowed = judge(C, Thread, Where, Bytes, Packed, Site);
  if (Allowed.ok())
    return;
  Fault Died;
  Died.Kind = FaultKind::Given;
  Died.Why = std::move(Allowed);
  giveUp(std::move(Died));
}

void bm_fence(BlockContext *Context) {
  Context->Observer->fences(*Context->What, Context->LinearBlock,
                            Context->Scheduler->current());
}
