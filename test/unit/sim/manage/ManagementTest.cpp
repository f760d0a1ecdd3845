// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Policies that try, and what is the same however many threads there are.

#include "Management.h"

#include "../warp/RandomTraces.h"
#include "HandmadeWarps.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

class Together {
public:
  Together(std::vector<Recording> Of, Machine Given)
      : Recordings(std::move(Of)), On(std::move(Given)) {
    for (const Recording &Each : Recordings)
      Applications.push_back(*applicationOf(Each, On));
  }

  Managed by(unsigned Jobs) const { return {Applications, On, {}, Jobs}; }

  std::vector<ManagedRun> run(const char *Name, unsigned Jobs = 2) const {
    return runManaged(by(Jobs), *parsePolicies(Name));
  }

private:
  std::vector<Recording> Recordings;
  Machine On;
  std::vector<Application> Applications;
};

TEST(Management, AllSharesThatFitTogether) {
  // Four blocks on an SM: one to three of each.
  const Together Of({plainRecording(4, 4), plainRecording(4, 4)},
                    plainMachine(1));
  EXPECT_EQ(allShares(Of.by(1), false),
            (std::vector<Shares>{{{1, 0}, {1, 0}},
                                 {{1, 0}, {2, 0}},
                                 {{1, 0}, {3, 0}},
                                 {{2, 0}, {1, 0}},
                                 {{2, 0}, {2, 0}},
                                 {{3, 0}, {1, 0}}}));
  // With bypassing (1+1)(1+1), (1+1)(2+1) and so on of these.
  EXPECT_EQ(allShares(Of.by(1), true).size(), 4u + 6 + 8 + 6 + 9 + 8);
}

TEST(Management, TheBestIsNoWorseThanAny) {
  const Together Of({plainRecording(9, 7), plainRecording(5, 13)},
                    plainMachine(2));
  const ManagedRun Best = Of.run("best")[0];
  EXPECT_EQ(Best.Tried, 5u);
  for (const char *Each : {"fine:1,1", "fine:1,3", "fine:2,2", "fine:3,1"})
    EXPECT_LE(Best.Report.All.Cycles, Of.run(Each)[0].Report.All.Cycles);
}

TEST(Management, TheBestIsTheFirstOfTheShortest) {
  // Also where runs that take longer are given up.
  for (uint32_t Seed = 1; Seed <= 60; ++Seed) {
    RandomTraces Roll(Seed);
    Machine On = Roll.machine();
    On.BlocksPerSm = 4;
    const Together Of({Roll.recording(), Roll.recording()}, On);
    const std::vector<Shares> All = allShares(Of.by(1), true);
    if (All.empty())
      continue;
    uint64_t Least = ~uint64_t(0);
    Shares First;
    for (const Shares &Each : All) {
      std::string Name = "fine:" + std::to_string(Each[0].Blocks) + "," +
                         std::to_string(Each[1].Blocks) +
                         "+bypass:" + std::to_string(Each[0].Bypassing) + "," +
                         std::to_string(Each[1].Bypassing);
      const uint64_t Cycles = Of.run(Name.c_str())[0].Report.All.Cycles;
      if (Cycles < Least)
        Least = Cycles, First = Each;
    }
    const ManagedRun Best = Of.run("best:bypass", 1 + Seed % 3)[0];
    ASSERT_EQ(Best.Report.All.Cycles, Least) << "seed " << Seed;
    ASSERT_EQ(Best.Limits, First) << "seed " << Seed;
  }
}

TEST(Management, PartsAreClimbedToTheLongerOne) {
  // A block at a time on each of four SMs: with two SMs the second takes six
  // rounds of 11, with three it takes four, the last one without the cycle that
  // a block takes to follow another one. The first one uses one SM.
  Machine On = plainMachine(4);
  On.BlocksPerSm = 1;
  const Together Of({plainRecording(1, 40), plainRecording(12, 10)}, On);
  const ManagedRun Is = Of.run("coarse:smc")[0];
  EXPECT_EQ(Is.SmsOf, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(Is.Report.All.Cycles, 43u);
}

TEST(Management, RunsAreTheSameOnAnyNumberOfThreads) {
  const Together Of({plainRecording(9, 7), plainRecording(5, 13, 2)},
                    plainMachine(2));
  const std::vector<ManagedRun> One = Of.run("all", 1), Two = Of.run("all", 3);
  ASSERT_EQ(One.size(), Two.size());
  for (size_t I = 0; I < One.size(); ++I) {
    EXPECT_EQ(One[I].Report.All.Cycles, Two[I].Report.All.Cycles);
    EXPECT_EQ(One[I].Report.All.Stalls, Two[I].Report.All.Stalls);
    EXPECT_EQ(One[I].Limits, Two[I].Limits);
  }
}

TEST(Management, AllOfMoreThanTwoEnd) {
  std::vector<Recording> Of = {plainRecording(9, 7), plainRecording(5, 13, 2),
                               plainRecording(3, 20)};
  addLaunch(Of[1], 4, 5, 3);
  const Together Three(Of, plainMachine(2));
  for (const ManagedRun &Each : Three.run("all"))
    for (size_t I = 0; I < Of.size(); ++I) {
      uint64_t Blocks = 0;
      for (const RecordedLaunch &Launch : Of[I].Launches)
        Blocks += Launch.Grid.count();
      EXPECT_EQ(Each.Report.Applications[I].All.Blocks, Blocks) << Each.Policy;
    }
}

/// What applications do by themselves they do together, whoever goes first.
TEST(Management, EveryInstructionIsIssuedUnderEveryPolicy) {
  for (uint32_t Seed = 1; Seed <= 150; ++Seed) {
    RandomTraces Roll(Seed);
    Machine On = Roll.machine();
    On.BlocksPerSm = 3 + Roll.upTo(2);
    std::vector<Recording> Of(2 + Roll.upTo(1));
    for (Recording &Each : Of)
      Each = Roll.recording();
    const Together All(Of, On);
    std::vector<ManagedPolicy> By = *parsePolicies("all");
    std::erase_if(By, [&](const ManagedPolicy &Each) {
      return !checkPolicy(Each, All.by(1)).ok();
    });
    for (const ManagedRun &Run : runManaged(All.by(2), By))
      for (size_t I = 0; I < Of.size(); ++I) {
        const WarpCounts Alone =
            simulateWarps(Of[I], On, WarpPolicy::GreedyThenOldest)->All;
        const WarpCounts &Is = Run.Report.Applications[I].All;
        ASSERT_EQ(Is.Blocks, Alone.Blocks) << Run.Policy << ", seed " << Seed;
        ASSERT_EQ(Is.Executed.Lanes, Alone.Executed.Lanes)
            << Run.Policy << ", seed " << Seed;
        ASSERT_EQ(Is.L1.Reads, Alone.L1.Reads)
            << Run.Policy << ", seed " << Seed;
      }
  }
}

TEST(Management, RefusesWhatCannotBe) {
  Machine On = plainMachine(1);
  On.BlocksPerSm = 1;
  const Together Of({plainRecording(1, 1), plainRecording(1, 1)}, On);
  for (const char *Each : {"best", "best:bypass", "coarse:smc", "fine:1"})
    EXPECT_FALSE(checkPolicy(parsePolicies(Each)->at(0), Of.by(1)).ok())
        << Each;
}

} // namespace
