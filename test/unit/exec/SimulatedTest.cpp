// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Simulated.h"
#include "Orders.h"
#include "blockmaestro/Recording.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>
#include <string>

using namespace blockmaestro;

namespace {

constexpr const char *Schedulers[] = {
    "baseline",  "ideal",     "prelaunch", "producer",         "producer8",
    "consumer",  "consumer4", "cdp",       "acs-sw",           "acs-hw",
    "acs-hw2",   "consumer8", "producer3", "producer+reorder", "ideal+reorder",
    "wireframe",
};

Status runBy(FakeRunner &Runner, const std::vector<Task> &Tasks, Schedule By,
             unsigned Depth = Window) {
  auto Exec = makeSimulated(Runner, nullptr, std::move(By), Depth);
  for (const Task &T : Tasks)
    if (Status S = Exec->submit(T); !S.ok())
      return S;
  return Exec->drain();
}

auto under(const Schedule &By) {
  return [=](FakeRunner &Runner, const std::vector<Task> &Tasks) {
    return runBy(Runner, Tasks, By);
  };
}

TEST(SimulatedTest, EveryBlockRunsOnceAfterItsProducers) {
  const Dim3 Grid{6, 2};
  for (const char *Name : Schedulers)
    for (uint64_t Seed = 0; Seed < 50; ++Seed) {
      FakeRunner Runner;
      std::vector<Task> Tasks = randomTasks(Seed, Grid);
      ASSERT_TRUE(runBy(Runner, Tasks, findSchedule(Name)).ok());
      expectEachOnceInOrder(Runner, Tasks, Grid);
    }
}

TEST(SimulatedTest, EverySchedulerGivesTheSerialResult) {
  const std::vector<Task> Tasks = PingPong::tasks(true);
  const std::vector<uint32_t> Right =
      PingPong::serialResult(under(findSchedule("baseline")));
  for (const char *Name : Schedulers)
    EXPECT_EQ(PingPong::result(Tasks, under(findSchedule(Name))), Right)
        << Name;
}

/// A scheduler that does not know of the relations for which Forgets.
template <typename Predicate>
Schedule forgetful(const char *Name, Predicate Forgets) {
  return [=, Right = findSchedule(Name)](const Recording &What) {
    Recording Wrong = What;
    std::erase_if(Wrong.Relations, Forgets);
    return Right(Wrong);
  };
}

TEST(SimulatedTest, ASchedulerThatWaitsForNothingGivesAWrongResult) {
  const std::vector<uint32_t> Right =
      PingPong::serialResult(under(findSchedule("baseline")));
  for (const char *Name : {"prelaunch", "producer", "consumer", "acs-hw"})
    EXPECT_NE(PingPong::result(
                  PingPong::tasks(true),
                  under(forgetful(Name, [](const auto &) { return true; }))),
              Right)
        << Name;
}

/// Of 64 launches each waits for neighbours in the one before it; how many of
/// their blocks run before one that they need.
int earlyBlocks(const Schedule &By) {
  const Dim3 Grid{8};
  std::vector<Task> Tasks = {makeTask(0, Grid)};
  for (uint64_t Id = 1; Id < 64; ++Id)
    Tasks.push_back(
        makeTask(Id, Grid, {need(Id - 1, Grid, {neighbours(Grid, -1, 1)})}));
  FakeRunner Runner;
  EXPECT_TRUE(runBy(Runner, Tasks, By).ok());
  std::map<Ran, size_t> Place = places(Runner);
  int Early = 0;
  for (uint64_t Id = 1; Id < 64; ++Id)
    for (uint64_t B = 0; B < 8; ++B)
      for (uint64_t P = B ? B - 1 : 0; P <= std::min<uint64_t>(B + 1, 7); ++P)
        Early += Place.at({Id - 1, P}) > Place.at({Id, B});
  return Early;
}

TEST(SimulatedTest, ASchedulerThatForgetsOneRelationRunsABlockTooEarly) {
  int Found = 0;
  for (uint64_t Forgotten = 1; Forgotten < 64; ++Forgotten)
    Found += earlyBlocks(forgetful("producer", [=](const RecordedRelation &R) {
               return R.Consumer == Forgotten;
             })) > 0;
  EXPECT_EQ(earlyBlocks(findSchedule("producer")), 0);
  EXPECT_GT(Found, 60);
}

TEST(SimulatedTest, BlocksGoByTheirEndThenTheirTask) {
  FakeRunner Runner;
  const Schedule By = [](const Recording &What) {
    EXPECT_EQ(What.Launches.size(), 2u);
    return Result<std::vector<ScheduledBlock>>(
        {{7, 1, 0}, {7, 0, 1}, {9, 0, 0}, {3, 1, 1}});
  };
  ASSERT_TRUE(runBy(Runner, {makeTask(0, {2}), makeTask(1, {2})}, By).ok());
  EXPECT_EQ(Runner.Order, (std::vector<Ran>{{1, 1}, {0, 1}, {1, 0}, {0, 0}}));
}

TEST(SimulatedTest, ASchedulerThatLosesABlockIsFound) {
  FakeRunner Runner;
  const Schedule By = [](const Recording &) {
    return Result<std::vector<ScheduledBlock>>({{1, 0, 0}});
  };
  Status S = runBy(Runner, {makeTask(0, {2})}, By);
  EXPECT_EQ(S.message(), "the simulated scheduler has run 1 of 2 blocks");
}

TEST(SimulatedTest, OlderLaunchesThanTheWindowCompleteFirst) {
  for (const char *Name : Schedulers)
    for (unsigned Depth = 1; Depth < 4; ++Depth) {
      FakeRunner Runner;
      std::vector<Task> Tasks;
      for (uint64_t Id = 0; Id < 8; ++Id)
        Tasks.push_back(makeTask(Id, {3}));
      ASSERT_TRUE(runBy(Runner, Tasks, findSchedule(Name), Depth).ok());
      std::map<Ran, size_t> Place = places(Runner);
      for (uint64_t Old = 0; Old + Depth + 1 < 8; ++Old)
        for (uint64_t A = 0; A < 3; ++A)
          for (uint64_t B = 0; B < 3; ++B)
            ASSERT_LT(Place.at({Old, A}), Place.at({Old + Depth + 1, B}))
                << Name;
    }
}

TEST(SimulatedTest, SchedulersHaveOrdersOfTheirOwn) {
  std::set<std::vector<Ran>> Orders;
  const std::vector<Task> Tasks = randomTasks(7, {6, 2});
  for (const char *Name : {"baseline", "producer", "consumer4", "acs-hw"}) {
    FakeRunner First, Second;
    ASSERT_TRUE(runBy(First, Tasks, findSchedule(Name)).ok());
    ASSERT_TRUE(runBy(Second, Tasks, findSchedule(Name)).ok());
    EXPECT_EQ(First.Order, Second.Order);
    Orders.insert(First.Order);
  }
  EXPECT_EQ(Orders.size(), 4u);
  EXPECT_FALSE(findSchedule("best"));
}

TEST(SimulatedTest, TasksAreGatheredUntilOneIsWaitedFor) {
  FakeRunner Runner;
  bool Copied = false;
  auto Exec = makeSimulated(Runner, nullptr, findSchedule("producer"), Window);
  ASSERT_TRUE(Exec->submit(launchTask(0, 0, {4})).ok());
  ASSERT_TRUE(
      Exec->submit(hostTask(1, [&] { Copied = true; }, {needAll(0, {4})}))
          .ok());
  ASSERT_TRUE(Exec->submit(launchTask(2, 1, {4})).ok());
  ASSERT_TRUE(Exec->finish({}).ok());
  EXPECT_TRUE(Runner.Order.empty());
  ASSERT_TRUE(Exec->finish({1}).ok());
  EXPECT_TRUE(Copied);
  EXPECT_EQ(Runner.Order.size(), 8u);
  ASSERT_TRUE(Exec->submit(launchTask(3, 2, {4}, {needAll(0, {4})})).ok());
  ASSERT_TRUE(Exec->finish({0, 1, 2}).ok());
  EXPECT_EQ(Runner.Order.size(), 8u);
  ASSERT_TRUE(Exec->drain().ok());
  EXPECT_EQ(Runner.Order.size(), 12u);
}

TEST(SimulatedTest, ThereAreNotTooManyTasks) {
  FakeRunner Runner;
  auto Exec = makeSimulated(Runner, nullptr, findSchedule("producer"), Window);
  for (uint64_t Id = 0; Id < 65; ++Id)
    ASSERT_TRUE(Exec->submit(makeTask(Id, {2})).ok());
  EXPECT_EQ(Runner.Order.size(), 128u);
  ASSERT_TRUE(Exec->submit(makeTask(65, {1 << 20})).ok());
  EXPECT_EQ(Runner.Order.size(), 130u);
}

TEST(SimulatedTest, HostWorkRunsOnceBetweenWhatItIsRelatedTo) {
  const Dim3 Grid{4};
  for (const char *Name : Schedulers) {
    FakeRunner Runner;
    std::vector<size_t> Before;
    const auto Copy = [&] { Before.push_back(Runner.Order.size()); };
    ASSERT_TRUE(
        runBy(Runner,
              {launchTask(0, 0, Grid), hostTask(1, Copy, {needAll(0, Grid)}),
               launchTask(2, 1, Grid, {needAll(1, {1})})},
              findSchedule(Name))
            .ok());
    EXPECT_EQ(Before, std::vector<size_t>{4}) << Name;
    EXPECT_EQ(Runner.Order.size(), 8u);
  }
}

TEST(SimulatedTest, BlocksThatNoSmHoldsAreSimulatedToo) {
  auto Large = std::make_shared<Launch>(*makeTask(0, {3}).What);
  Large->Block = {1024, 4};
  Large->DynamicSharedBytes = 1 << 20;
  FakeRunner Runner;
  ASSERT_TRUE(
      runBy(Runner, {{Large, {}, nullptr, 0}}, findSchedule("producer")).ok());
  EXPECT_EQ(Runner.Order.size(), 3u);
}

TEST(SimulatedTest, WhatNoTaskHasIsRefused) {
  const auto Code = [](Dependence Need) {
    FakeRunner Runner;
    return runBy(Runner, {makeTask(0, {2}), makeTask(1, {4}, {Need})},
                 findSchedule("producer"))
        .code();
  };
  EXPECT_EQ(Code(need(0, {4}, {neighbours({4}, 0, 0)})),
            StatusCode::InvalidArgument);
  EXPECT_EQ(Code(needAll(1, {4})), StatusCode::InvalidArgument);
  EXPECT_EQ(Code(needAll(2, {4})), StatusCode::InvalidArgument);
}

TEST(SimulatedTest, TheFirstFailureStays) {
  FakeRunner Runner;
  Runner.FailAt = {0, 1};
  auto Exec = makeSimulated(Runner, nullptr, findSchedule("producer"), 1);
  EXPECT_TRUE(Exec->submit(makeTask(0, {4})).ok());
  EXPECT_EQ(Exec->drain().message(), "block failed");
  EXPECT_EQ(Exec->submit(makeTask(1, {4})).message(), "block failed");
  EXPECT_LE(Runner.Order.size(), 4u);
}

} // namespace
