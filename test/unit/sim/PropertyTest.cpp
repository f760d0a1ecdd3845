// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random recordings under every scheduler: no block starts before what it
// needs has ended, no SM holds too much, and twice gives the same.

#include "Bound.h"
#include "Handmade.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

Recording randomLaunches(uint32_t Seed) {
  std::mt19937 Random(Seed);
  auto upTo = [&](uint32_t Most) { return Random() % (Most + 1); };
  Recording R;
  R.Window = 1 + upTo(3);
  for (uint32_t I = 0; I < 12; ++I) {
    std::vector<uint64_t> Ns(1 + upTo(30));
    for (uint64_t &N : Ns)
      N = 1 + upTo(50);
    addLaunch(R, Ns);
    R.Launches[I].SharedBytes = upTo(2) * 9000;
    for (uint32_t P = I > R.Window ? I - R.Window : 0; P < I; ++P) {
      int32_t Low = -int32_t(upTo(4));
      uint32_t Kind = upTo(9);
      if (Kind == 0)
        addRelation(R, P, I, RelationKind::Full);
      else if (Kind < 6)
        addDelta(R, P, I, Low, Low + int32_t(upTo(5)));
    }
    if (I > 0 && upTo(5) == 0)
      R.Barriers.push_back({I, "cudaMemcpy"});
  }
  return R;
}

/// Every pair of launches and blocks the recording relates.
template <typename Function>
void forEachPair(const Recording &R, Function Each) {
  for (const RecordedRelation &Rel : R.Relations) {
    Dim3 Producers = R.Launches[Rel.Producer].Grid;
    Dim3 Consumers = R.Launches[Rel.Consumer].Grid;
    for (uint32_t C = 0; C < Consumers.X; ++C)
      for (uint32_t P = 0; P < Producers.X; ++P) {
        bool Related = Rel.Header.Kind == uint32_t(RelationKind::Full);
        for (const EncodedPiece &Piece : Rel.Pieces)
          Related |= int32_t(P) - int32_t(C) >= Piece.Rows[0].Low &&
                     int32_t(P) - int32_t(C) <= Piece.Rows[0].High;
        if (Related)
          Each(Rel.Producer, P, Rel.Consumer, C);
      }
  }
}

void checkOrder(const Recording &R, const SimulationReport &Report) {
  std::map<std::pair<uint64_t, uint32_t>, BlockTimes> At;
  for (const BlockTimes &T : Report.Timeline)
    EXPECT_TRUE(At.insert({{T.Launch, T.Block}, T}).second) << "ran twice";
  EXPECT_EQ(At.size(), R.Events.size());
  forEachPair(R, [&](uint64_t PL, uint32_t P, uint64_t CL, uint32_t C) {
    ASSERT_LE((At[{PL, P}].End), (At[{CL, C}].Start))
        << Report.Scheduler << ": block " << C << " of launch " << CL
        << " before block " << P << " of launch " << PL;
  });
  for (const RecordedBarrier &B : R.Barriers)
    for (const auto &[Key, T] : At)
      if (Key.first >= B.BeforeLaunch) {
        ASSERT_LE(Report.Launches[B.BeforeLaunch - 1].Completed, T.Start);
      }
  for (size_t I = 1; I < Report.Launches.size(); ++I)
    EXPECT_LE(Report.Launches[I - 1].Completed, Report.Launches[I].Completed);
}

void checkSms(const Recording &R, const Machine &M,
              const SimulationReport &Report) {
  for (const BlockTimes &Now : Report.Timeline) {
    uint32_t Blocks = 0, Shared = 0;
    for (const BlockTimes &T : Report.Timeline)
      if (T.Sm == Now.Sm && T.Start <= Now.Start && Now.Start < T.End) {
        ++Blocks;
        Shared += R.Launches[T.Launch].SharedBytes;
      }
    ASSERT_LE(Blocks, M.BlocksPerSm);
    ASSERT_LE(Shared, M.SharedBytesPerSm);
  }
}

bool sameTimeline(const SimulationReport &A, const SimulationReport &B) {
  return std::equal(A.Timeline.begin(), A.Timeline.end(), B.Timeline.begin(),
                    B.Timeline.end(),
                    [](const BlockTimes &X, const BlockTimes &Y) {
                      return X.Launch == Y.Launch && X.Block == Y.Block &&
                             X.Sm == Y.Sm && X.Start == Y.Start &&
                             X.End == Y.End;
                    });
}

TEST(Property, EverySchedulerIsSoundAndDeterministic) {
  Machine M = tinyMachine();
  M.Sms = 3;
  M.BlocksPerSm = 4;
  M.SharedBytesPerSm = 20000;
  M.BlockIssueNs = 2;
  M.ParentCounterBits = 3;
  M.ParentCounterEntries = 5;
  for (uint32_t Seed = 0; Seed < 60; ++Seed) {
    Recording R = randomLaunches(Seed);
    for (const Scheduler &S : schedulers()) {
      SimulationReport Report = run(R, M, S.Name);
      checkOrder(R, Report);
      checkSms(R, M, Report);
      EXPECT_GE(Report.MakespanNs, lowerBound(workloadOf(R, M), M).Ns);
      SimulationReport Again = run(R, M, S.Name);
      EXPECT_TRUE(sameTimeline(Report, Again));
      EXPECT_EQ(Report.Stall.Median, Again.Stall.Median);
      EXPECT_EQ(Report.Traffic.requests(), Again.Traffic.requests());
      EXPECT_GE(Report.Stall.Least, 0);
      if (HasFatalFailure())
        return;
    }
  }
}

} // namespace
