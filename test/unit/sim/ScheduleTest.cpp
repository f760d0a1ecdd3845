// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Schedules computed by hand, to the nanosecond.

#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

using Starts = std::vector<uint64_t>;

namespace {

TEST(Schedule, BaselineSerialisesLaunchesAndTheirOverheads) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "baseline");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15, 25, 35}));
  EXPECT_EQ(startsOf(R, 1), (Starts{70, 70, 80, 80}));
  EXPECT_EQ(R.MakespanNs, 90u);
  EXPECT_EQ(R.Launches[0].Launched, 15u);
  EXPECT_EQ(R.Launches[0].Completed, 55u);
  EXPECT_EQ(R.Launches[1].Issued, 55u);
  EXPECT_EQ(R.Launches[1].Launched, 70u);
  EXPECT_EQ(R.Launches[1].FirstStart, 70u);
  EXPECT_EQ(R.Launches[1].LastEnd, 90u);
  EXPECT_EQ(R.Blocks, 8u);
  EXPECT_DOUBLE_EQ(R.Concurrency, 110.0 / 90);
  EXPECT_DOUBLE_EQ(R.SmUtilisation, 110.0 / 180);
}

TEST(Schedule, IdealHasNoOverhead) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "ideal");
  EXPECT_EQ(startsOf(R, 0), (Starts{0, 0, 10, 20}));
  EXPECT_EQ(startsOf(R, 1), (Starts{40, 40, 50, 50}));
  EXPECT_EQ(R.MakespanNs, 60u);
}

TEST(Schedule, PrelaunchHidesOverheadAndWaitsForTheWholeLaunch) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "prelaunch");
  EXPECT_EQ(R.Launches[1].Issued, 15u);
  EXPECT_EQ(R.Launches[1].Launched, 30u);
  EXPECT_EQ(startsOf(R, 1), (Starts{55, 55, 65, 65}));
  EXPECT_EQ(R.MakespanNs, 75u);
}

TEST(Schedule, ProducerFirst) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "producer");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15, 25, 35}));
  EXPECT_EQ(startsOf(R, 1), (Starts{45, 55, 65, 55}));
  EXPECT_EQ(R.MakespanNs, 75u);
}

TEST(Schedule, ConsumerFirst) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "consumer2");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15, 25, 55}));
  EXPECT_EQ(startsOf(R, 1), (Starts{35, 45, 55, 65}));
  EXPECT_EQ(R.MakespanNs, 75u);
}

TEST(Schedule, IndependentLaunchesOverlapUnderPrelaunch) {
  Recording R = pairOfLaunches();
  R.Relations[0].Pieces.clear();
  SimulationReport Report = run(R, tinyMachine(), "prelaunch");
  EXPECT_EQ(startsOf(Report, 1), (Starts{45, 55, 55, 65}));
  EXPECT_EQ(Report.KernelLevelRelations, 0u);
}

TEST(Schedule, ADroppedEdgeShows) {
  Recording R = pairOfLaunches();
  R.Relations[0].Pieces[0].ConsumerHigh[0] = 2; // Block 3 waits for nothing.
  SimulationReport Report = run(R, tinyMachine(), "consumer2");
  EXPECT_EQ(startsOf(Report, 1), (Starts{35, 55, 55, 45}));
  EXPECT_EQ(startsOf(Report, 0), (Starts{15, 15, 25, 65}));
}

TEST(Schedule, FullRelationWaitsForTheWholeLaunch) {
  Recording R = pairOfLaunches();
  R.Relations[0].Header.Kind = uint32_t(RelationKind::Full);
  R.Relations[0].Pieces.clear();
  for (const char *Name : {"producer", "consumer2"}) {
    SimulationReport Report = run(R, tinyMachine(), Name);
    EXPECT_EQ(startsOf(Report, 1), (Starts{55, 55, 65, 65})) << Name;
    EXPECT_EQ(Report.KernelLevelRelations, 1u);
  }
}

TEST(Schedule, BarrierHoldsTheNextLaunchBackUnderEveryScheduler) {
  Recording R = pairOfLaunches();
  R.Relations.clear();
  R.Barriers.push_back({1, "cudaMemcpy"});
  for (const Scheduler &S : paperSchedulers()) {
    SimulationReport Report = run(R, tinyMachine(), S.Name);
    uint64_t Completed = Report.Launches[0].Completed;
    EXPECT_EQ(Report.Launches[1].Issued, Completed) << S.Name;
    EXPECT_EQ(Report.MakespanNs, S.Launches == Launcher::Nobody ? 60u : 90u)
        << S.Name;
  }
}

RecordedRelation fullRelation(uint64_t Producer, bool ProducerIsCopy,
                              uint64_t Consumer, bool ConsumerIsCopy,
                              uint32_t ProducerBlocks) {
  RecordedRelation R;
  R.Producer = Producer;
  R.ProducerIsCopy = ProducerIsCopy;
  R.Consumer = Consumer;
  R.ConsumerIsCopy = ConsumerIsCopy;
  R.Header = {uint32_t(RelationKind::Full), 0, {ProducerBlocks, 1, 1}};
  return R;
}

/// Launch, copy to the device, copy to the host, launch: the second launch
/// needs the copy to the device, and the copy to the host the first launch.
Recording launchesAndCopies() {
  Recording R;
  R.Window = 3;
  addLaunch(R, {50, 50});
  addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  addCopy(R, "cudaMemcpyAsync", HostBytes, 0);
  addLaunch(R, {10, 10});
  R.CopyRelations.push_back(fullRelation(0, false, 1, true, 2));
  R.CopyRelations.push_back(fullRelation(0, true, 1, false, 1));
  return R;
}

TEST(Schedule, CopiesTakeTimeAndWaitForWhatTheyNeed) {
  SimulationReport R = run(launchesAndCopies(), tinyMachine(), "baseline");
  EXPECT_EQ(startsOf(R, 1), Starts{15 + 50 + 15});
  EXPECT_EQ(startsOf(R, 2), Starts{80 + 100 + 15});
  EXPECT_EQ(startsOf(R, 3), (Starts{195 + 100 + 15, 310}));
  EXPECT_EQ(R.Blocks, 4u) << "copies are none";
  R = run(launchesAndCopies(), tinyMachine(), "consumer4");
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15}));
  EXPECT_EQ(startsOf(R, 1), Starts{30}) << "needs nothing, and no SM";
  EXPECT_EQ(startsOf(R, 2), Starts{65}) << "when the first launch has ended";
  EXPECT_EQ(startsOf(R, 3), (Starts{130, 130})) << "beside the other copy";
  EXPECT_EQ(R.MakespanNs, 165u);
}

TEST(Schedule, CopiesInOneDirectionFollowEachOther) {
  Recording R;
  R.Window = 3;
  for (int I = 0; I < 2; ++I)
    addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  addCopy(R, "cudaMemcpyAsync", HostBytes, 0);
  addLaunch(R, {10});
  Machine M = tinyMachine();
  M.LaunchesAtOnce = 4;
  SimulationReport Report = run(R, M, "consumer4");
  EXPECT_EQ(startsOf(Report, 0), Starts{15});
  EXPECT_EQ(startsOf(Report, 1), Starts{115});
  EXPECT_EQ(startsOf(Report, 2), Starts{15});
  EXPECT_EQ(startsOf(Report, 3), Starts{15});
}

/// 339 bytes a cycle of 1417 MHz: 48,036 bytes read and as many written take
/// 200 ns, and a fill half of that.
TEST(Schedule, CopiesWithinTheDeviceMoveEachByteTwice) {
  Machine M = tinyMachine();
  Recording R;
  addCopy(R, "cudaMemcpyAsync", 48036, 48036);
  addCopy(R, "cudaMemsetAsync", 0, 48036).From = MemoryPlace::None;
  RecordedCopy &Release = addCopy(R, "cudaFree", 0, 48036);
  Release.From = Release.To = MemoryPlace::None;
  addLaunch(R, {10});
  const Workload W = workloadOf(R, M);
  EXPECT_EQ(W.Launches[0].DurationNs[0], 200u);
  EXPECT_EQ(W.Launches[1].DurationNs[0], 100u);
  EXPECT_EQ(W.Launches[2].DurationNs[0], 1u);
  EXPECT_EQ(run(R, M, "baseline").MakespanNs,
            15u + 200 + 15 + 100 + 1 + 15 + 10)
      << "a release is no command of the device";
}

/// Where the bytes are says how they go, not the name of the call.
TEST(Schedule, CopiesGoByTheirPlaces) {
  using enum MemoryPlace;
  const struct {
    MemoryPlace From, To;
    CopyPath Path;
  } Cases[] = {
      {Pageable, Device, CopyPath::ToDevice},
      {Pinned, Device, CopyPath::ToDevice},
      {Pinned, Managed, CopyPath::ToDevice},
      {Device, Pageable, CopyPath::ToHost},
      {Managed, Pinned, CopyPath::ToHost},
      {Unknown, Pinned, CopyPath::ToHost},
      {Device, Device, CopyPath::Within},
      {Device, Managed, CopyPath::Within},
      {Unknown, Unknown, CopyPath::Within},
      {None, Device, CopyPath::Within},
      {Pageable, Pinned, CopyPath::None},
      {None, Pinned, CopyPath::None},
      {None, None, CopyPath::None},
  };
  for (const auto &[From, To, Path] : Cases) {
    RecordedCopy C;
    C.From = From;
    C.To = To;
    EXPECT_EQ(pathOf(C), Path) << MemoryPlaceNames[size_t(From)] << " to "
                               << MemoryPlaceNames[size_t(To)];
  }
}

TEST(Schedule, CopiesBetweenHostAndDeviceTakeTheHostsRate) {
  Recording R;
  RecordedCopy &C = addCopy(R, "cudaMemcpy", HostBytes, HostBytes);
  C.To = MemoryPlace::Pinned;
  C.HostWaits = true;
  addLaunch(R, {10});
  const Workload W = workloadOf(R, tinyMachine());
  EXPECT_EQ(W.Launches[0].Path, CopyPath::ToHost);
  EXPECT_TRUE(W.Launches[0].HostReads);
  EXPECT_EQ(W.Launches[0].DurationNs[0], 100u);
}

TEST(Schedule, AnEventTouchesNothing) {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10});
  addCopy(R, "cudaEventRecord", 0, 0);
  addLaunch(R, {10});
  const Workload W = workloadOf(R, tinyMachine());
  EXPECT_FALSE(W.Launches[1].Barrier);
  EXPECT_FALSE(W.Launches[2].Barrier);
}

TEST(Schedule, NothingPassesACopyTheHostWaitsForOrNobodyKnows) {
  for (bool Known : {false, true}) {
    Recording R;
    R.Window = 3;
    addLaunch(R, {10});
    addCopy(R, "cudaMemcpy", 0, Known ? HostBytes : 0).HostWaits = Known;
    addLaunch(R, {10});
    SimulationReport Report = run(R, tinyMachine(), "consumer4");
    EXPECT_EQ(Report.Launches[2].Issued, Report.Launches[1].Completed);
    EXPECT_EQ(Report.Launches[1].Issued, Known ? 15u : 25u);
  }
}

/// Copies before a barrier are before it, though all come before one launch.
TEST(Schedule, ABarrierStandsBetweenTheCopiesThatItWasRecordedBetween) {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10});
  addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 1});
  addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  addLaunch(R, {10});
  const Workload W = workloadOf(R, tinyMachine());
  ASSERT_EQ(W.Launches.size(), 4u);
  EXPECT_FALSE(W.Launches[1].Barrier);
  EXPECT_TRUE(W.Launches[2].Barrier);
  EXPECT_FALSE(W.Launches[3].Barrier);
}

/// Their numbers are among the copies.
TEST(Schedule, RelationsOfCopiesAreNotThoseOfLaunches) {
  Recording R;
  R.Window = 4;
  for (int I = 0; I < 4; ++I)
    addCopy(R, "cudaMemcpyAsync", 0, HostBytes);
  addLaunch(R, {10});
  addLaunch(R, {10});
  R.CopyRelations.push_back(fullRelation(3, true, 1, false, 1));
  for (const Scheduler &S : schedulers()) {
    SimulationReport Report = run(R, tinyMachine(), S.Name);
    EXPECT_EQ(Report.Timeline.size(), 6u) << S.Name;
    EXPECT_GE(startsOf(Report, 5)[0], Report.Launches[3].LastEnd) << S.Name;
  }
}

TEST(Schedule, MoreParentsThanACounterHoldsWaitForTheWholeLaunch) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {10, 20, 30, 10});
  addLaunch(R, {10, 10, 10, 10});
  addDelta(R, 0, 1, -1, 0);
  Machine M = tinyMachine();
  M.ParentCounterBits = 2; // Up to three parents.
  EXPECT_EQ(startsOf(run(R, M, "producer"), 1), (Starts{45, 55, 55, 65}));
  M.ParentCounterBits = 1; // Up to one; blocks have two.
  SimulationReport Report = run(R, M, "producer");
  EXPECT_EQ(startsOf(Report, 1), (Starts{55, 55, 65, 65}));
  EXPECT_EQ(Report.KernelLevelRelations, 1u);
}

TEST(Schedule, CountersHoldTheParentsOfAllRelationsTogether) {
  Recording R;
  R.Window = 2;
  for (int I = 0; I < 3; ++I)
    addLaunch(R, {10, 10});
  addDelta(R, 0, 2, 0, 0);
  addDelta(R, 1, 2, 0, 0);
  Machine M = tinyMachine();
  M.ParentCounterBits = 1;
  Workload W = workloadOf(R, M);
  ASSERT_EQ(W.Launches[2].In.size(), 2u);
  const WorkRelation &Near = W.Relations[W.Launches[2].In[0]];
  const WorkRelation &Far = W.Relations[W.Launches[2].In[1]];
  EXPECT_EQ(Near.Producer, 1u);
  EXPECT_FALSE(Near.KernelLevel);
  EXPECT_TRUE(Far.KernelLevel);
}

/// A long launch 0, a short launch 1, and launch 2 that overwrites what launch
/// 0 reads, on a machine with room for all.
Recording writeAfterRead() {
  Recording R;
  R.Window = 2;
  addLaunch(R, {200, 200});
  addLaunch(R, {10, 10});
  addLaunch(R, {10, 10});
  addDelta(R, 0, 2, 0, 0);
  return R;
}

TEST(Schedule, RelationsBeyondTheLastLaunchAreHonoured) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 8;
  Recording R = writeAfterRead();
  EXPECT_EQ(startsOf(run(R, M, "consumer3"), 2), (Starts{215, 215}));
  R.Relations.clear();
  EXPECT_EQ(startsOf(run(R, M, "consumer3"), 2), (Starts{45, 45}));
}

TEST(Schedule, OverheadsOverlapWhereTheMachineLetsThem) {
  Machine M = tinyMachine();
  M.LaunchesAtOnce = 2;
  SimulationReport R = run(pairOfLaunches(), M, "consumer4");
  EXPECT_EQ(R.Launches[1].Issued, 0u);
  EXPECT_EQ(R.Launches[1].Launched, 15u);
  EXPECT_EQ(startsOf(R, 1), (Starts{25, 35, 65, 55}));
  EXPECT_EQ(startsOf(R, 0), (Starts{15, 15, 35, 45}));
}

TEST(Schedule, LaunchesCompleteInOrder) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 8;
  Recording R = writeAfterRead();
  R.Relations.clear();
  SimulationReport Report = run(R, M, "consumer2");
  EXPECT_EQ(Report.Launches[1].LastEnd, 40u);
  EXPECT_EQ(Report.Launches[1].Completed, 215u);
  EXPECT_EQ(Report.Launches[2].Issued, 215u) << "two are in flight until then";
}

TEST(Schedule, NoMoreInFlightThanTheRecordingKnowsRelationsFor) {
  Machine M = tinyMachine();
  M.BlocksPerSm = 8;
  Recording R = writeAfterRead();
  R.Relations.clear();
  R.Window = 1;
  SimulationReport Report = run(R, M, "consumer4");
  EXPECT_EQ(Report.KernelsInFlight, 2u);
  EXPECT_EQ(Report.Launches[2].Issued, 215u);
  R.Window = 0;
  EXPECT_EQ(run(R, M, "consumer4").MakespanNs,
            run(R, M, "baseline").MakespanNs);
}

TEST(Schedule, ResourcesLimitResidentBlocks) {
  Recording R;
  addLaunch(R, {10, 10, 10, 10, 10, 10});
  Machine M = tinyMachine();
  M.BlocksPerSm = 32;
  R.Launches[0].SharedBytes = 40000; // Two on an SM of 98304.
  EXPECT_EQ(startsOf(run(R, M, "ideal"), 0), (Starts{0, 0, 0, 0, 10, 10}));
  R.Launches[0].SharedBytes = 0;
  R.Launches[0].Block = {1024, 1, 1};
  EXPECT_EQ(startsOf(run(R, M, "ideal"), 0), (Starts{0, 0, 0, 0, 10, 10}));
  M.BlockIssueNs = 3;
  EXPECT_EQ(startsOf(run(R, M, "ideal"), 0), (Starts{0, 0, 3, 3, 10, 10}));
}

/// 40 registers are 1,280 of a warp, 5,120 of a block of four: three of these
/// in 16,384. A launch whose registers are not known is not limited by them.
TEST(Schedule, RegistersLimitResidentBlocks) {
  Recording R;
  addLaunch(R, Starts(8, 10));
  Machine M = tinyMachine();
  M.BlocksPerSm = 32;
  M.RegistersPerSm = 16384;
  R.Launches[0].Block = {128, 1, 1};
  R.Launches[0].Registers = 40;
  EXPECT_EQ(startsOf(run(R, M, "ideal"), 0),
            (Starts{0, 0, 0, 0, 0, 0, 10, 10}));
  R.Launches[0].Registers = 0;
  EXPECT_EQ(startsOf(run(R, M, "ideal"), 0), Starts(8, 0));
}

/// Those of another launch in flight count too: the second launch has room for
/// one of its blocks on each SM.
TEST(Schedule, RegistersAreThoseOfAllThatRunThere) {
  Recording R;
  R.Window = 1;
  addLaunch(R, {100, 100});
  addLaunch(R, {10, 10, 10, 10});
  Machine M = tinyMachine();
  M.BlocksPerSm = 32;
  M.RegistersPerSm = 16384;
  for (RecordedLaunch &Each : R.Launches)
    Each.Block = {128, 1, 1};
  R.Launches[0].Registers = 80;
  R.Launches[1].Registers = 40;
  EXPECT_EQ(startsOf(run(R, M, "producer"), 1), (Starts{30, 30, 40, 40}));
}

TEST(Stall, IsTheWaitAfterTheLastParentOverTheDuration) {
  SimulationReport R = run(pairOfLaunches(), tinyMachine(), "baseline");
  EXPECT_EQ(R.Stall.Blocks, 4u); // 4.5, 3.5, 2.5, 3.5.
  EXPECT_DOUBLE_EQ(R.Stall.Least, 2.5);
  EXPECT_DOUBLE_EQ(R.Stall.FirstQuartile, 2.5);
  EXPECT_DOUBLE_EQ(R.Stall.Median, 3.5);
  EXPECT_DOUBLE_EQ(R.Stall.ThirdQuartile, 3.5);
  EXPECT_DOUBLE_EQ(R.Stall.Most, 4.5);
}

TEST(Stall, CountsFromTheBarrierWhereThatIsLater) {
  Recording R = pairOfLaunches();
  R.Barriers.push_back({1, "cudaMemcpy"});
  SimulationReport Report = run(R, tinyMachine(), "baseline");
  EXPECT_DOUBLE_EQ(Report.Stall.Least, 1.5); // 70 - 55.
  EXPECT_DOUBLE_EQ(Report.Stall.Most, 2.5);  // 80 - 55.
}

} // namespace
