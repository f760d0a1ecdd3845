// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The command queue that moves launches together: its order by hand, and what
// it must keep on random recordings.

#include "Reorder.h"
#include "RandomRecording.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

using Order = std::vector<uint32_t>;
using Starts = std::vector<uint64_t>;

namespace {

void waitedCopy(Recording &To, uint64_t Read, uint64_t Written) {
  addCopy(To, "cudaMemcpy", Read, Written).HostWaits = true;
}

Order orderOf(const Recording &R) {
  return reorder(workloadOf(R, tinyMachine())).Issued;
}

/// The paper's Figure 5: copy A, K1(A), copy B, K2(B).
Recording copyBetweenLaunches() {
  Recording R;
  R.Window = 3;
  waitedCopy(R, 0, HostBytes);
  addLaunch(R, {500});
  waitedCopy(R, 0, HostBytes);
  addLaunch(R, {500});
  addFull(R, 0, true, 0, false);
  addFull(R, 1, true, 1, false);
  return R;
}

TEST(Reorder, ACopyThatNeedsNoLaunchGoesBeforeAll) {
  EXPECT_EQ(orderOf(copyBetweenLaunches()), (Order{0, 2, 1, 3}));
}

/// On two SMs. As issued A takes 15 to 115, K1 130 to 630 and B 145 to 245, but
/// the host has waited for B, and so K2 is launched when all is done. With both
/// copies first, K2 is launched while K1 waits for A.
TEST(Reorder, TheSecondLaunchRunsBesideTheFirst) {
  const Recording R = copyBetweenLaunches();
  SimulationReport Report = run(R, tinyMachine(), "prelaunch");
  EXPECT_EQ(startsOf(Report, 1), Starts{130});
  EXPECT_EQ(startsOf(Report, 3), Starts{645});
  Report = run(R, tinyMachine(), "prelaunch4+reorder");
  EXPECT_EQ(startsOf(Report, 0), Starts{15});
  EXPECT_EQ(startsOf(Report, 2), Starts{115});
  EXPECT_EQ(startsOf(Report, 1), Starts{115}) << "launches 45, copied 115";
  EXPECT_EQ(startsOf(Report, 3), Starts{215}) << "launches 60, copied 215";
  EXPECT_EQ(Report.Launches[2].Launched, 30u) << "by its place as issued";
}

/// What a launch writes first, a copy then overwrites: the copy stays between.
TEST(Reorder, ACopyStaysBehindTheLaunchItNeedsAndBeforeTheOneThatNeedsIt) {
  Recording R = copyBetweenLaunches();
  addFull(R, 0, false, 1, true);
  addLaunch(R, {10});
  EXPECT_EQ(orderOf(R), (Order{0, 1, 2, 3, 4}));
  R.CopyRelations.erase(R.CopyRelations.begin() + 1); // K2 does not need B.
  EXPECT_EQ(orderOf(R), (Order{0, 1, 3, 4, 2}));
}

TEST(Reorder, NothingPassesACopyThatTheHostReadsOrABarrier) {
  Recording R;
  R.Window = 8;
  addLaunch(R, {10});
  waitedCopy(R, HostBytes, 0);
  addFull(R, 0, false, 0, true);
  waitedCopy(R, 0, HostBytes);
  addLaunch(R, {10});
  EXPECT_EQ(orderOf(R), (Order{0, 1, 2, 3}));
  const Workload W = reorder(workloadOf(R, tinyMachine())).Queue;
  EXPECT_TRUE(W.Launches[2].Barrier) << "the host has read";
  EXPECT_FALSE(W.Launches[3].Barrier) << "the host waited for nothing";
  R = copyBetweenLaunches();
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 1});
  EXPECT_EQ(orderOf(R), (Order{0, 1, 2, 3}));
}

/// The recording has no relation over two launches: the copy may not pass both.
TEST(Reorder, WhatIsNotKnownKeepsItsOrderAndIsNotInFlightTogether) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {100});
  addLaunch(R, {10});
  addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  EXPECT_EQ(orderOf(R), (Order{0, 1, 2}));
  R = Recording();
  R.Window = 1;
  addLaunch(R, {100});
  addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  addLaunch(R, {10});
  const Reordered Work = reorder(workloadOf(R, tinyMachine()));
  EXPECT_EQ(Work.Issued, (Order{1, 0, 2}));
  ASSERT_EQ(Work.Queue.Relations.size(), 1u);
  EXPECT_EQ(Work.Queue.Relations[0].Producer, 1u);
  EXPECT_TRUE(Work.Queue.Relations[0].KernelLevel);
}

/// Whether the blocks of one launch of a report all start after those of
/// another have ended.
bool isBehind(const SimulationReport &Of, size_t Later, size_t Earlier) {
  return Of.Launches[Later].FirstStart >= Of.Launches[Earlier].LastEnd;
}

void expectNeedsKept(const Workload &W, const SimulationReport &Report) {
  std::vector<std::vector<BlockTimes>> At(W.Launches.size());
  for (const BlockTimes &T : Report.Timeline) {
    At[T.Launch].resize(W.Launches[T.Launch].Blocks);
    At[T.Launch][T.Block] = T;
  }
  for (const WorkRelation &R : W.Relations) {
    const Expansion &E = W.Expansions[R.Expanded];
    if (E.KernelLevel && !E.hasRuns()) {
      ASSERT_TRUE(isBehind(Report, R.Consumer, R.Producer));
    }
    for (uint32_t P = 0; !E.KernelLevel && P + 1 < E.Begin.size(); ++P)
      for (uint32_t C : E.childrenOf(P))
        ASSERT_GE(At[R.Consumer][C].Start, At[R.Producer][P].End);
  }
}

void expectOrderKept(const Workload &W, const SimulationReport &Report) {
  const auto Count = uint32_t(W.Launches.size());
  for (uint32_t Earlier = 0; Earlier < Count; ++Earlier) {
    bool Behind = false;
    for (uint32_t Later = Earlier + 1; Later < Count; ++Later) {
      Behind |= W.Launches[Later].Firm;
      if (Behind || Later - Earlier > W.Window) {
        ASSERT_TRUE(isBehind(Report, Later, Earlier))
            << Earlier << " and " << Later;
      }
    }
  }
}

TEST(Reorder, KeepsWhatIsNeededAndWhatIsNotKnown) {
  size_t Moved = 0;
  for (uint32_t Seed = 0; Seed < 300; ++Seed) {
    const Recording R = randomRecording(Seed);
    const Machine M = tinyMachine();
    const Workload W = workloadOf(R, M);
    const Order Issued = reorder(W).Issued;
    Moved += !std::is_sorted(Issued.begin(), Issued.end());
    for (const char *Name : {"prelaunch4+reorder", "consumer8+reorder",
                             "acs-hw6+reorder", "acs-sw3+reorder"}) {
      SCOPED_TRACE(std::string(Name) + ", seed " + std::to_string(Seed));
      const SimulationReport Report = run(R, M, Name);
      expectNeedsKept(W, Report);
      expectOrderKept(W, Report);
      if (HasFatalFailure())
        return;
    }
  }
  EXPECT_GT(Moved, 50u);
}

TEST(Reorder, IsPartOfAName) {
  EXPECT_TRUE(findScheduler("consumer3+reorder")->Reorders);
  EXPECT_EQ(findScheduler("consumer3+reorder")->KernelsInFlight, 3u);
  EXPECT_EQ(withInFlight(*findScheduler("consumer3+reorder"), 12).Name,
            "consumer12+reorder");
  EXPECT_FALSE(findScheduler("+reorder"));
  EXPECT_FALSE(findScheduler("consumer+reorder3"));
}

} // namespace

TEST(Reorder, WhoIsToldOfBlocksKnowsThemAsTheyWereIssued) {
  const Recording R = copyBetweenLaunches();
  const Workload Work = workloadOf(R, tinyMachine());
  std::vector<BlockTimes> Told;
  SimulationOptions Options;
  Options.Timeline = true;
  Options.Ran = [&](const BlockTimes &Each) { Told.push_back(Each); };
  const SimulationReport Report = simulate(
      Work, tinyMachine(), *findScheduler("prelaunch+reorder"), Options);
  ASSERT_EQ(Told.size(), Work.Launches.size());
  for (const BlockTimes &Each : Told)
    EXPECT_EQ(Each.End, Report.Launches[Each.Launch].LastEnd) << Each.Launch;
}
