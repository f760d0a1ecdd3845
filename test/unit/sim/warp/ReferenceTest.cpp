// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The model against the reference, warp by warp, on random traces and machines
// under both policies. BLOCKMAESTRO_WARP_TRACES says how many of these,
// BLOCKMAESTRO_SIM_SEED which is the first.

#include "ReferenceSm.h"

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
std::vector<std::tuple<uint64_t, uint64_t, uint32_t>>
sorted(const std::vector<WarpEnd> &Ends) {
  std::vector<std::tuple<uint64_t, uint64_t, uint32_t>> Out;
  for (const WarpEnd &Each : Ends)
    Out.emplace_back(Each.Ended, Each.Block, Each.Warp);
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
