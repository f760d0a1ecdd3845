// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random recordings: neither a scheduler of the table nor one that knows no
// launches, only blocks, and takes any that is ready, is faster than the bound.

#include "Bound.h"
#include "RandomRecording.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

struct FreeBlock {
  const WorkLaunch *Of;
  uint64_t Ns;
  std::vector<size_t> Needs;
  bool Started = false;
  uint64_t End = 0;
  uint32_t Sm = 0;
};

/// Blocks of a recording by what they need, from the recording's own relations.
class FreeBlocks {
public:
  FreeBlocks(const Recording &R, const Workload &W) {
    for (const WorkLaunch &L : W.Launches) {
      First.push_back(All.size());
      for (uint32_t Block = 0; Block < L.Blocks; ++Block)
        All.push_back({&L, L.DurationNs[Block], {}});
    }
    First.push_back(All.size());
    for (const auto *Among : {&R.Relations, &R.CopyRelations})
      for (const RecordedRelation &Each : *Among)
        relate(R, Each);
    for (size_t L = 0; L < W.Launches.size(); ++L)
      order(W, L);
  }

  std::vector<FreeBlock> All;

private:
  /// Where a launch or copy stands among both.
  static size_t place(const Recording &R, uint64_t Number, bool IsCopy) {
    if (IsCopy)
      return Number + R.Copies[Number].Before;
    const auto Before = [&](const RecordedCopy &C) {
      return C.Before <= Number;
    };
    return Number +
           size_t(std::count_if(R.Copies.begin(), R.Copies.end(), Before));
  }

  void relate(const Recording &R, const RecordedRelation &Each) {
    const size_t P = place(R, Each.Producer, Each.ProducerIsCopy);
    const size_t C = place(R, Each.Consumer, Each.ConsumerIsCopy);
    for (size_t I = First[P]; I < First[P + 1]; ++I)
      for (size_t J = First[C]; J < First[C + 1]; ++J) {
        const int64_t Away = int64_t(I - First[P]) - int64_t(J - First[C]);
        bool Related = Each.Header.Kind == uint32_t(RelationKind::Full);
        for (const EncodedPiece &Piece : Each.Pieces)
          Related |= Away >= Piece.Rows[0].Low && Away <= Piece.Rows[0].High;
        if (Related)
          All[J].Needs.push_back(I);
      }
  }

  /// Behind fences, and behind copies that the host waited for.
  void order(const Workload &W, size_t L) {
    for (size_t Earlier = 0; Earlier < L; ++Earlier)
      if (W.Launches[L].Fence || W.Launches[Earlier].HostReads ||
          fenceBetween(W, Earlier, L))
        for (size_t J = First[L]; J < First[L + 1]; ++J)
          for (size_t I = First[Earlier]; I < First[Earlier + 1]; ++I)
            All[J].Needs.push_back(I);
  }

  static bool fenceBetween(const Workload &W, size_t Earlier, size_t Later) {
    for (size_t I = Earlier + 1; I < Later; ++I)
      if (W.Launches[I].Fence)
        return true;
    return false;
  }

  std::vector<size_t> First;
};

/// Starts whatever is ready and fits, in random order.
class FreeSchedule {
public:
  FreeSchedule(std::vector<FreeBlock> &Blocks, const Machine &M, Dice &Roll)
      : Blocks(Blocks), M(M), Roll(Roll) {}

  uint64_t makespan() {
    while (true) {
      startWhatFits();
      uint64_t Next = ~uint64_t(0);
      for (const FreeBlock &B : Blocks)
        if (B.Started && B.End > Now)
          Next = std::min(Next, B.End);
      if (Next == ~uint64_t(0))
        return Now;
      Now = Next;
    }
  }

private:
  void startWhatFits() {
    const size_t From = Roll.upTo(uint32_t(Blocks.size() - 1));
    for (size_t I = 0; I < Blocks.size(); ++I)
      if (FreeBlock &B = Blocks[(From + I) % Blocks.size()]; isReady(B))
        start(B);
  }

  bool isReady(const FreeBlock &B) const {
    return !B.Started &&
           std::all_of(B.Needs.begin(), B.Needs.end(), [&](size_t Each) {
             return Blocks[Each].Started && Blocks[Each].End <= Now;
           });
  }

  void start(FreeBlock &B) {
    for (uint32_t Sm = 0; Sm < M.Sms && !B.Started; ++Sm) {
      if (!fits(B, Sm))
        continue;
      B.Started = true;
      B.Sm = Sm;
      B.End = Now + B.Ns;
    }
  }

  bool fits(const FreeBlock &B, uint32_t Sm) const {
    uint32_t Count = 1, Threads = B.Of->Threads, Shared = B.Of->SharedBytes,
             Registers = B.Of->Registers;
    for (const FreeBlock &Other : Blocks) {
      if (!Other.Started || Other.End <= Now)
        continue;
      if (B.Of->IsCopy && Other.Of->IsCopy && Other.Of->Path == B.Of->Path)
        return false;
      if (Other.Of->IsCopy || Other.Sm != Sm)
        continue;
      ++Count;
      Threads += Other.Of->Threads;
      Shared += Other.Of->SharedBytes;
      Registers += Other.Of->Registers;
    }
    return B.Of->IsCopy ||
           (Count <= M.BlocksPerSm && Threads <= M.ThreadsPerSm &&
            Shared <= M.SharedBytesPerSm && Registers <= M.RegistersPerSm);
  }

  std::vector<FreeBlock> &Blocks;
  const Machine &M;
  Dice &Roll;
  uint64_t Now = 0;
};

Machine randomMachine(uint32_t Seed) {
  Dice Roll(Seed);
  Machine M = tinyMachine();
  M.Sms = 1 + Roll.upTo(3);
  M.BlocksPerSm = 1 + Roll.upTo(5);
  M.SharedBytesPerSm = 20000;
  M.RegistersPerSm = 8192 * (1 + Roll.upTo(7));
  M.ParentCounterBits = 2;
  M.LaunchOverheadNs = Roll.upTo(2);
  return M;
}

void expectNoneIsFaster(const Workload &W, const Machine &M, uint64_t Least,
                        uint32_t Seed) {
  for (const Scheduler &Each : schedulers())
    for (const char *Order : {"", "+reorder"}) {
      const Scheduler S = *findScheduler(Each.Name + Order);
      ASSERT_GE(simulate(W, M, S).MakespanNs, Least) << S.Name << ", " << Seed;
    }
}

TEST(BoundProperty, NothingIsFaster) {
  uint32_t HostCounts = 0;
  for (uint32_t Seed = 0; Seed < 200; ++Seed) {
    const Recording R = randomRecording(Seed);
    const Machine M = randomMachine(Seed);
    const Workload W = workloadOf(R, M);
    ASSERT_FALSE(W.Launches.empty());
    const uint64_t Least = lowerBound(W, M).Ns;
    expectNoneIsFaster(W, M, Least, Seed);
    const Workload WithHost = workloadOf(R, M, HostSource::Recorded);
    const uint64_t LeastWithHost = lowerBound(WithHost, M).Ns;
    ASSERT_GE(LeastWithHost, Least);
    expectNoneIsFaster(WithHost, M, LeastWithHost, Seed);
    HostCounts += LeastWithHost > Least;
    FreeBlocks Free(R, W);
    Dice Roll(Seed);
    const uint64_t Reached = FreeSchedule(Free.All, M, Roll).makespan();
    ASSERT_GE(Reached, Least) << Seed;
    ASSERT_TRUE(std::all_of(Free.All.begin(), Free.All.end(),
                            [](const FreeBlock &B) { return B.Started; }));
  }
  EXPECT_GT(HostCounts, 20u) << "recordings whose bound it raises";
}

} // namespace
