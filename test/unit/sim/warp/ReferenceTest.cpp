// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The model against the reference, warp by warp, on random traces and machines
// under both policies. BLOCKMAESTRO_WARP_TRACES says how many of these,
// BLOCKMAESTRO_SIM_SEED which is the first.

#include "ReferenceRun.h"

#include "RandomTraces.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <tuple>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

uint32_t numberFrom(const char *Variable, uint32_t Otherwise) {
  const char *Text = std::getenv(Variable);
  return Text ? uint32_t(std::strtoul(Text, nullptr, 10)) : Otherwise;
}

/// By time, block and warp: two SMs may tell of one time in any order.
std::vector<std::tuple<uint64_t, uint32_t, uint64_t, uint32_t>>
sorted(const std::vector<WarpEnd> &Ends) {
  std::vector<std::tuple<uint64_t, uint32_t, uint64_t, uint32_t>> Out;
  for (const WarpEnd &Each : Ends)
    Out.emplace_back(Each.Ended, Each.Application, Each.Block, Each.Warp);
  std::sort(Out.begin(), Out.end());
  return Out;
}

TEST(WarpReference, AgreesOnEveryWarpOfRandomTraces) {
  const uint32_t First = numberFrom("BLOCKMAESTRO_SIM_SEED", 1);
  const uint32_t Count = numberFrom("BLOCKMAESTRO_WARP_TRACES", 5000);
  for (uint32_t Seed = First; Seed < First + Count; ++Seed) {
    RandomTraces Roll(Seed);
    const Machine On = Roll.machine();
    const Recording Of = Roll.recording();
    const WarpPolicy By = Roll.oneIn(2) ? WarpPolicy::GreedyThenOldest
                                        : WarpPolicy::LooseRoundRobin;
    const ReferenceWarps Want = referenceWarps(Of, On, By);
    std::vector<WarpEnd> Ends;
    Result<WarpReport> Got = simulateWarps(Of, On, By, &Ends);
    ASSERT_TRUE(Got.ok()) << Got.status().message();
    ASSERT_EQ(sorted(Ends), sorted(Want.Ends)) << "seed " << Seed;
    ASSERT_EQ(Got->All.Cycles, Want.Cycles) << "seed " << Seed;
    ASSERT_EQ(Got->All.Executed.Instructions, Want.Instructions);
    ASSERT_EQ(Got->All.IssueCycles, Want.IssueCycles) << "seed " << Seed;
    ASSERT_EQ(Got->All.Stalls, Want.Stalls) << "seed " << Seed;
  }
}

/// Of random size, some without limit.
Shares randomShares(RandomTraces &Roll, size_t Applications) {
  Shares Out(Applications);
  for (Share &Each : Out) {
    if (!Roll.oneIn(4))
      Each.Blocks = 1 + Roll.upTo(3);
    Each.Bypassing = Roll.upTo(2);
  }
  return Out;
}

/// Under shares or, without any, the leftover policy.
TEST(WarpReference, AgreesOnApplicationsThatShareSms) {
  const uint32_t First = numberFrom("BLOCKMAESTRO_SIM_SEED", 1);
  const uint32_t Count = numberFrom("BLOCKMAESTRO_WARP_TRACES", 5000) / 2;
  for (uint32_t Seed = First; Seed < First + Count; ++Seed) {
    RandomTraces Roll(Seed);
    const Machine On = Roll.machine();
    std::vector<Recording> Of(2 + (Roll.oneIn(4) ? 1 : 0));
    std::vector<Application> Applications;
    for (Recording &Each : Of) {
      Each = Roll.recording();
      Result<Application> Next = applicationOf(Each, On);
      ASSERT_TRUE(Next.ok()) << Next.status().message();
      Applications.push_back(*Next);
    }
    const Shares Limits =
        Roll.oneIn(3) ? Shares() : randomShares(Roll, Of.size());
    const auto By = Limits.empty() ? makeLeftover() : makeShares(Limits);
    RunOptions How;
    How.WarpsBy = Roll.oneIn(2) ? WarpPolicy::GreedyThenOldest
                                : WarpPolicy::LooseRoundRobin;
    std::vector<WarpEnd> Ends;
    How.Ends = &Ends;
    const ReferenceWarps Want = referenceTogether(Of, On, How.WarpsBy, Limits);
    const RunReport Got = simulateTogether(Applications, On, *By, How);
    ASSERT_EQ(sorted(Ends), sorted(Want.Ends)) << "seed " << Seed;
    ASSERT_EQ(Got.All.Cycles, Want.Cycles) << "seed " << Seed;
    ASSERT_EQ(Got.All.Stalls, Want.Stalls) << "seed " << Seed;
    for (size_t A = 0; A < Of.size(); ++A) {
      const WarpCounts &C = Got.Applications[A].All;
      ASSERT_EQ(C.IssueCycles, Want.Shares[A].IssueCycles) << "seed " << Seed;
      for (Stall Each : {Stall::Structural, Stall::Memory, Stall::Dependence,
                         Stall::Barrier})
        ASSERT_EQ(C.Stalls[size_t(Each)], Want.Shares[A].Stalls[size_t(Each)])
            << "seed " << Seed;
    }
  }
}

TEST(WarpReference, EveryCycleOfEverySchedulerIsCountedOnce) {
  RandomTraces Roll(77);
  for (int I = 0; I < 100; ++I) {
    const Machine On = Roll.machine();
    Result<WarpReport> Got =
        simulateWarps(Roll.recording(), On, WarpPolicy::GreedyThenOldest);
    ASSERT_TRUE(Got.ok()) << Got.status().message();
    uint64_t Sum = Got->All.IssueCycles;
    for (uint64_t Each : Got->All.Stalls)
      Sum += Each;
    ASSERT_EQ(Sum, Got->All.Cycles * On.Sms * On.Warps.Schedulers);
  }
}

} // namespace
