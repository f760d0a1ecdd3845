// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replay.h"

#include "Handmade.h"

#include <gtest/gtest.h>

namespace blockmaestro::sim {
namespace {

constexpr DurationChoice ByEvents = {DurationSource::Events, 0};

Recording twoLaunches() {
  Recording Out;
  Out.Window = 2;
  addLaunch(Out, {10, 20});
  addLaunch(Out, {30, 5});
  addRelation(Out, 0, 1, RelationKind::Full);
  return Out;
}

Replay replayed(std::vector<Scheduler> By, unsigned Jobs) {
  Result<Replay> Out =
      prepareReplay(twoLaunches(), Machine(), ByEvents, HostSource::None);
  simulateAll(*Out, Machine(), std::move(By), {}, Jobs);
  return *Out;
}

TEST(Replay, TheBaselineIsSimulatedWhereItIsNotAskedFor) {
  const Replay Alone = replayed({*findScheduler("baseline")}, 1);
  const Replay Other = replayed({*findScheduler("producer")}, 1);
  ASSERT_EQ(Other.Reports.size(), 1u);
  EXPECT_EQ(Other.Reports[0].Scheduler, "producer");
  EXPECT_EQ(Other.BaselineNs, Alone.Reports[0].MakespanNs);
  EXPECT_EQ(speedup(Other, Other.Reports[0]),
            double(Other.BaselineNs) / double(Other.Reports[0].MakespanNs));
}

TEST(Replay, ReportsComeInOrderWhateverTheJobs) {
  const Replay One = replayed(schedulers(), 1);
  const Replay Four = replayed(schedulers(), 4);
  ASSERT_EQ(One.Reports.size(), schedulers().size());
  for (size_t I = 0; I < One.Reports.size(); ++I) {
    EXPECT_EQ(One.Reports[I].Scheduler, schedulers()[I].Name);
    EXPECT_EQ(Four.Reports[I].Scheduler, One.Reports[I].Scheduler);
    EXPECT_EQ(Four.Reports[I].MakespanNs, One.Reports[I].MakespanNs);
  }
}

TEST(Replay, ARecordingWithoutLaunchesIsAnError) {
  EXPECT_EQ(prepareReplay({}, Machine(), ByEvents, HostSource::None)
                .status()
                .message(),
            "the recording has no launches");
}

TEST(Replay, NamesStandForOneSchedulerOrSeveral) {
  EXPECT_EQ(schedulersNamed("paper").size(), paperSchedulers().size());
  EXPECT_EQ(schedulersNamed("all").size(), schedulers().size());
  ASSERT_EQ(schedulersNamed("producer3+reorder").size(), 1u);
  EXPECT_EQ(schedulersNamed("producer3+reorder")[0].KernelsInFlight, 3u);
  EXPECT_TRUE(schedulersNamed("fastest").empty());
}

TEST(Replay, DurationsAreReadAsTheyAreWritten) {
  EXPECT_EQ(parseDurations("model")->From, DurationSource::Alone);
  EXPECT_EQ(parseDurations("uniform:1000000000")->UniformNs, 1000000000u);
  for (const char *Text : {"", "fast", "uniform:", "uniform:0", "uniform:7x",
                           "uniform:1000000001", "uniform:-1"})
    EXPECT_FALSE(parseDurations(Text).ok()) << Text;
}

} // namespace
} // namespace blockmaestro::sim
