// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The simulator against the reference, block by block, on random recordings and
// machines, under every policy. BLOCKMAESTRO_SIM_GRAPHS says how many of these,
// BLOCKMAESTRO_SIM_SEED which is the first.

#include "Reference.h"
#include "RandomRecording.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

uint32_t numberFrom(const char *Variable, uint32_t Otherwise) {
  const char *Text = std::getenv(Variable);
  return Text ? uint32_t(std::strtoul(Text, nullptr, 10)) : Otherwise;
}

Machine anyMachine(Dice &Roll) {
  Machine M = tinyMachine();
  M.Sms = 1 + Roll.upTo(3);
  M.BlocksPerSm = 1 + Roll.upTo(5);
  M.SharedBytesPerSm = 20000;
  M.RegistersPerSm = 8192 * (1 + Roll.upTo(7));
  M.ParentCounterBits = 1 + Roll.upTo(3);
  M.LaunchOverheadNs = Roll.upTo(3) * Roll.upTo(10);
  M.LaunchesAtOnce = 1 + Roll.upTo(3);
  M.BlockIssueNs = Roll.upTo(2);
  M.DeviceLaunchNs = Roll.upTo(20);
  M.StreamGapNs = Roll.upTo(20);
  M.GraphGapNs = Roll.upTo(10);
  M.EarlyGapNs = Roll.upTo(5);
  M.DependencyCheckNs = Roll.upTo(2) * Roll.upTo(5);
  M.StreamSyncNs = Roll.upTo(2) * Roll.upTo(9);
  M.SchedulerStreams = 1 + Roll.upTo(2);
  M.PendingUpdateEntries = 1 + Roll.upTo(5);
  M.DependencyListEntries = 1 + Roll.upTo(6);
  M.ChildrenPerEntry = 1 + Roll.upTo(3);
  M.ParentCounterEntries = 1 + Roll.upTo(12);
  M.FullBuffersStall = Roll.upTo(1);
  M.ClosedFormsDecode = Roll.oneIn(3);
  M.ClockMHz = 300 + Roll.upTo(1700);
  return M;
}

void expectSameBuffers(const ReferenceRun &Want, const SimulationReport &Got) {
  ASSERT_EQ(Got.Traffic.ListFetches, Want.Requests.ListFetches);
  ASSERT_EQ(Got.Traffic.ListRefetches, Want.Requests.ListRefetches);
  ASSERT_EQ(Got.Traffic.CounterFetches, Want.Requests.CounterFetches);
  ASSERT_EQ(Got.Traffic.CounterEvictions, Want.Requests.CounterEvictions);
  uint64_t Decoded = 0;
  for (const DecodedLists &Each : Got.Decoded)
    Decoded += Each.Requests;
  ASSERT_EQ(Decoded, Want.Decoded);
  ASSERT_EQ(Got.Buffers.Held, Want.Buffers.Held);
  ASSERT_EQ(Got.Buffers.Forced, Want.Buffers.Forced);
}

void expectSameTimes(const std::vector<ReferenceLaunch> &Want,
                     const SimulationReport &Got) {
  size_t Blocks = 0;
  for (const ReferenceLaunch &L : Want)
    Blocks += L.Blocks.size();
  ASSERT_EQ(Got.Timeline.size(), Blocks);
  for (const BlockTimes &T : Got.Timeline) {
    const ReferenceBlock &B = Want[T.Launch].Blocks[T.Block];
    ASSERT_EQ(T.Start, B.Start) << "launch " << T.Launch << ", " << T.Block;
    ASSERT_EQ(T.End, B.End) << "launch " << T.Launch << ", " << T.Block;
  }
  for (size_t I = 0; I < Want.size(); ++I) {
    ASSERT_EQ(Got.Launches[I].Issued, Want[I].Issued) << "launch " << I;
    ASSERT_EQ(Got.Launches[I].Launched, Want[I].LaunchEnds) << "launch " << I;
    ASSERT_EQ(Got.Launches[I].Completed, Want[I].Completed) << "launch " << I;
  }
}

void compareAll(uint32_t Seed) {
  Dice Roll(Seed + 1000000);
  const Recording R = randomRecording(Seed);
  const Machine M = anyMachine(Roll);
  const Workload W =
      workloadOf(R, M, Roll.oneIn(2) ? HostSource::Recorded : HostSource::None);
  SimulationOptions Options;
  Options.Timeline = true;
  for (const Scheduler &Family : schedulerFamilies()) {
    const Scheduler By = withInFlight(Family, 1 + Roll.upTo(4));
    SCOPED_TRACE(By.Name + ", seed " + std::to_string(Seed));
    const ReferenceRun Want = referenceRun(W, M, By);
    const SimulationReport Got = simulate(W, M, By, Options);
    expectSameTimes(Want.Launches, Got);
    if (!testing::Test::HasFatalFailure())
      expectSameBuffers(Want, Got);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

TEST(Reference, TheSimulatorAgreesBlockByBlock) {
  const uint32_t First = numberFrom("BLOCKMAESTRO_SIM_SEED", 0);
  const uint32_t Count = numberFrom("BLOCKMAESTRO_SIM_GRAPHS", 300);
  for (uint32_t Seed = First; Seed < First + Count && !HasFatalFailure();
       ++Seed)
    compareAll(Seed);
}

} // namespace
