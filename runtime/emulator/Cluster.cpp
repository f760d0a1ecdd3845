// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cluster.h"

#include "ThreadScheduler.h"

#include "blockmaestro/AccessObserver.h"

namespace blockmaestro {

void Cluster::begin(uint32_t Blocks, uint32_t Threads, uint32_t Ended) {
  ThreadsEach = Threads;
  Live = uint64_t(Blocks) * Threads;
  Arrived = 0;
  Phase = 0;
  Arrivals.assign(Live, None);
  Live -= Ended;
}

void Cluster::arrive(uint32_t Rank, uint32_t Thread) {
  uint32_t &Last = Arrivals[indexOf(Rank, Thread)];
  Arrived += Last != Phase;
  Last = Phase;
  openIfComplete();
}

void Cluster::threadEnded(uint32_t Rank, uint32_t Thread) {
  Arrived -= Arrivals[indexOf(Rank, Thread)] == Phase;
  --Live;
  openIfComplete();
}

void Cluster::openIfComplete() {
  if (Arrived < Live || Live == 0)
    return;
  Arrived = 0;
  ++Phase;
}

} // namespace blockmaestro

using namespace blockmaestro;

namespace {

/// Tells the observer of the barrier as of a word that all threads change with
/// an atomic access behind a fence and read.
void observe(BlockContext &C, uint32_t Bits) {
  if (!C.Observer || C.What->Cluster.count() == 1)
    return;
  if (Bits & AccessWrites)
    C.Observer->fences(*C.What, C.LinearBlock, C.Scheduler->current());
  ObservedAccess T;
  T.What = C.What;
  T.Block = C.LinearBlock;
  T.Thread = C.Scheduler->current();
  T.BlockRound = C.Scheduler->blockRound() + C.InCluster->phase();
  T.WarpRound = C.Scheduler->warpRound(T.Thread);
  T.Address = C.InCluster->word();
  T.Bytes = Cluster::WordBytes;
  T.Bits = Bits | AccessSynchronizes;
  (void)C.Observer->touches(T);
}

} // namespace

extern "C" {

void bm_cluster_arrive(BlockContext *Context) {
  if (!Context->InCluster) {
    const uint32_t *Extents = Context->Block;
    const uint32_t Threads = Extents[0] * Extents[1] * Extents[2];
    Context->Alone->begin(1, Threads, Threads - Context->Scheduler->live());
    Context->InCluster = Context->Alone;
  }
  observe(*Context, AccessReads | AccessWrites);
  Context->InCluster->arrive(Context->ClusterRank,
                             Context->Scheduler->current());
}

BM_SWITCHES void bm_cluster_wait(BlockContext *Context, uint32_t Site) {
  if (!Context->InCluster)
    return;
  const Cluster &All = *Context->InCluster;
  const uint32_t Thread = Context->Scheduler->current();
  for (uint32_t Round = 0; !All.passed(Context->ClusterRank, Thread); ++Round)
    Context->Scheduler->yield(Site, Round);
  observe(*Context, AccessReads);
}
}
