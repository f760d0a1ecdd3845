// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shuffle.h"
#include "Orders.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

using namespace blockmaestro;

namespace {

constexpr uint64_t Seeds = 200;

Status runAll(FakeRunner &Runner, const std::vector<Task> &Tasks, uint64_t Seed,
              unsigned Depth = Window, unsigned Workers = 1) {
  auto Exec = makeShuffle(Runner, nullptr,
                          ShuffleSettings{Seed, Depth, false, Workers});
  for (const Task &T : Tasks)
    if (Status S = Exec->submit(T); !S.ok())
      return S;
  return Exec->drain();
}

TEST(ShuffleTest, EveryBlockRunsOnceAfterItsProducers) {
  const Dim3 Grid{6, 2};
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed) {
    FakeRunner Runner;
    std::vector<Task> Tasks = randomTasks(Seed, Grid);
    ASSERT_TRUE(runAll(Runner, Tasks, Seed).ok());
    expectEachOnceInOrder(Runner, Tasks, Grid);
  }
}

auto under(uint64_t Seed, unsigned Workers = 1) {
  return [=](FakeRunner &Runner, const std::vector<Task> &Tasks) {
    return runAll(Runner, Tasks, Seed, Window, Workers);
  };
}

/// How many seeds give another result than the launches one by one.
int wrongResults(const std::vector<Task> &Tasks) {
  const std::vector<uint32_t> Right = PingPong::serialResult(under(0));
  int Wrong = 0;
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    Wrong += PingPong::result(Tasks, under(Seed)) != Right;
  return Wrong;
}

TEST(ShuffleTest, ACompleteGraphGivesTheSerialResultUnderEverySeed) {
  EXPECT_EQ(wrongResults(PingPong::tasks(true)), 0);
}

TEST(ShuffleTest, AMissingRelationShows) {
  EXPECT_GT(wrongResults(PingPong::tasks(false)), int(Seeds) / 2);
}

TEST(ShuffleTest, OneConsumerWithoutItsProducersShows) {
  for (int Skip = 0; Skip < PingPong::Blocks; ++Skip)
    EXPECT_GT(wrongResults(PingPong::tasks(true, Skip)), 0) << Skip;
}

TEST(ShuffleTest, IndependentLaunchesRunNewestFirst) {
  FakeRunner Runner;
  std::vector<Task> Tasks;
  for (uint64_t Id = 0; Id < 3; ++Id)
    Tasks.push_back(makeTask(Id, {2}));
  ASSERT_TRUE(runAll(Runner, Tasks, 1).ok());
  EXPECT_EQ(Runner.Order,
            (std::vector<Ran>{{2, 1}, {2, 0}, {1, 1}, {1, 0}, {0, 1}, {0, 0}}));
}

/// Ranked once, whatever becomes ready earlier may still come last.
TEST(ShuffleTest, AnyBlockOfSeveralLaunchesIsSometimesLast) {
  std::set<Ran> Lasts[2];
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed) {
    FakeRunner Runner;
    std::vector<Task> Tasks;
    for (uint64_t Id = 0; Id < 3; ++Id)
      Tasks.push_back(makeTask(Id, {4}));
    ASSERT_TRUE(runAll(Runner, Tasks, Seed, 8).ok());
    if (Seed % 6 >= 4)
      Lasts[Seed % 6 - 4].insert(Runner.Order.back());
  }
  EXPECT_EQ(Lasts[0].size(), 12u);
  EXPECT_EQ(Lasts[1].size(), 12u);
}

TEST(ShuffleTest, NothingRunsBeforeItHasTo) {
  FakeRunner Runner;
  auto Exec = makeShuffle(Runner, nullptr, 0, 2);
  for (uint64_t Id = 0; Id < 3; ++Id)
    ASSERT_TRUE(Exec->submit(makeTask(Id, {4})).ok());
  EXPECT_TRUE(Runner.Order.empty());
  ASSERT_TRUE(Exec->drain().ok());
  EXPECT_EQ(Runner.Order.size(), 12u);
}

TEST(ShuffleTest, OlderLaunchesThanTheWindowCompleteFirst) {
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    for (unsigned Depth = 0; Depth < 4; ++Depth) {
      FakeRunner Runner;
      std::vector<Task> Tasks;
      for (uint64_t Id = 0; Id < 8; ++Id)
        Tasks.push_back(makeTask(Id, {3}));
      ASSERT_TRUE(runAll(Runner, Tasks, Seed, Depth).ok());
      std::map<Ran, size_t> Place = places(Runner);
      for (uint64_t Old = 0; Old + Depth + 1 < 8; ++Old)
        for (uint64_t A = 0; A < 3; ++A)
          for (uint64_t B = 0; B < 3; ++B)
            ASSERT_LT(Place.at({Old, A}), Place.at({Old + Depth + 1, B}));
    }
}

TEST(ShuffleTest, TheSameSeedGivesTheSameOrder) {
  std::set<std::vector<Ran>> Orders;
  for (uint64_t Seed = 0; Seed < 8; ++Seed) {
    FakeRunner First, Second;
    std::vector<Task> Tasks = randomTasks(7, {6, 2});
    ASSERT_TRUE(runAll(First, Tasks, Seed).ok());
    ASSERT_TRUE(runAll(Second, Tasks, Seed).ok());
    EXPECT_EQ(First.Order, Second.Order);
    Orders.insert(First.Order);
  }
  EXPECT_GE(Orders.size(), 6u);
}

TEST(ShuffleTest, ADeadlockNamesTheBlockAndWhatItWaitsFor) {
  const Dim3 Grid{2};
  FakeRunner Runner;
  Status S = runAll(Runner,
                    {makeTask(0, Grid),
                     makeTask(1, Grid,
                              {need(1, Grid, {neighbours(Grid, 1, 1)}),
                               need(1, Grid, {neighbours(Grid, -1, -1)})})},
                    0);
  EXPECT_EQ(S.code(), StatusCode::Device);
  EXPECT_EQ(S.message(), "no block can run: block (0,0,0) of launch 1 (fake) "
                         "waits for block (1,0,0) of launch 1 (fake)");
  EXPECT_EQ(Runner.Order.size(), 2u);
}

TEST(ShuffleTest, ALaterLaunchCannotBeNeeded) {
  FakeRunner Runner;
  Status S = runAll(Runner, {makeTask(0, {2}, {needAll(1, {2})})}, 0);
  EXPECT_EQ(S.code(), StatusCode::InvalidArgument);
}

TEST(ShuffleTest, BlocksTheProducerDoesNotHaveAreRefused) {
  FakeRunner Runner;
  Status S = runAll(Runner,
                    {makeTask(0, {2}),
                     makeTask(1, {4}, {need(0, {4}, {neighbours({4}, 0, 0)})})},
                    0);
  EXPECT_EQ(S.code(), StatusCode::InvalidArgument);
}

TEST(ShuffleTest, TheFirstFailureStays) {
  FakeRunner Runner;
  Runner.FailAt = {0, 1};
  auto Exec = makeShuffle(Runner, nullptr, 0, 1);
  EXPECT_TRUE(Exec->submit(makeTask(0, {4})).ok());
  EXPECT_EQ(Exec->drain().message(), "block failed");
  EXPECT_EQ(Exec->submit(makeTask(1, {4})).message(), "block failed");
  EXPECT_EQ(Runner.Order.size(), 2u);
}

TEST(ShuffleTest, EventsAreReportedOnOneWorker) {
  FakeRunner Runner;
  FakeSink Sink;
  auto Exec = makeShuffle(Runner, &Sink, 3, Window);
  ASSERT_TRUE(Exec->submit(makeTask(0, {3})).ok());
  ASSERT_TRUE(Exec->drain().ok());
  ASSERT_EQ(Sink.Events.size(), 3u);
  for (size_t I = 0; I < 3; ++I) {
    EXPECT_EQ(Sink.Events[I].Where, 0u);
    EXPECT_EQ(Sink.Costs[I], Sink.Events[I].Block);
    if (I > 0) {
      EXPECT_GE(Sink.Events[I].Start, Sink.Events[I - 1].End);
    }
  }
}

TEST(ShuffleTest, HostWorkRunsOnceBetweenWhatItIsRelatedTo) {
  const Dim3 Grid{4};
  int Earliest = 4, Latest = 0;
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed) {
    FakeRunner Runner;
    int Before = 0, Runs = 0;
    bool AfterIt = true;
    auto Exec = makeShuffle(Runner, nullptr, Seed, Window);
    Runner.Body = [&](uint64_t Launch, uint64_t Block) {
      AfterIt &= Launch == 0 || Block != 2 || Runs == 1;
    };
    ASSERT_TRUE(Exec->submit(launchTask(0, 0, Grid)).ok());
    auto Copy = [&] {
      ++Runs;
      Before = int(Runner.Order.size());
      // Blocks 0 and 1 of the launch before.
      EXPECT_EQ(
          std::count_if(Runner.Order.begin(), Runner.Order.end(),
                        [](Ran R) { return R.first == 0 && R.second < 2; }),
          2);
    };
    EncodedPiece FirstTwo = neighbours(Grid, 0, 1);
    FirstTwo.ConsumerHigh[0] = 0;
    ASSERT_TRUE(
        Exec->submit(hostTask(1, Copy, {need(0, Grid, {FirstTwo})})).ok());
    EncodedPiece Third = neighbours({1}, -2, -2);
    Third.ConsumerLow[0] = Third.ConsumerHigh[0] = 2;
    ASSERT_TRUE(
        Exec->submit(launchTask(2, 1, Grid, {need(1, {1}, {Third})})).ok());
    ASSERT_TRUE(Exec->drain().ok());
    EXPECT_EQ(Runs, 1);
    EXPECT_TRUE(AfterIt);
    Earliest = std::min(Earliest, Before);
    Latest = std::max(Latest, Before);
  }
  EXPECT_EQ(Earliest, 2);
  EXPECT_GT(Latest, 4);
}

TEST(ShuffleTest, FinishRunsNoMoreThanItMust) {
  FakeRunner Runner;
  bool Copied = false;
  auto Exec = makeShuffle(Runner, nullptr, 0, Window);
  ASSERT_TRUE(Exec->submit(launchTask(0, 0, {4})).ok());
  ASSERT_TRUE(Exec->submit(launchTask(1, 1, {4})).ok());
  ASSERT_TRUE(
      Exec->submit(hostTask(2, [&] { Copied = true; }, {needAll(1, {4})}))
          .ok());
  EXPECT_TRUE(Runner.Order.empty());
  ASSERT_TRUE(Exec->finish({2}).ok());
  EXPECT_TRUE(Copied);
  EXPECT_EQ(Runner.Order, (std::vector<Ran>{{1, 0}, {1, 1}, {1, 2}, {1, 3}}));
  ASSERT_TRUE(Exec->finish({2, 0}).ok());
  EXPECT_EQ(Runner.Order.size(), 8u);
  ASSERT_TRUE(Exec->finish({0, 1, 2}).ok());
}

TEST(ShuffleTest, AFailureOfHostWorkStays) {
  FakeRunner Runner;
  auto Exec = makeShuffle(Runner, nullptr, 0, Window);
  Task Fails = hostTask(0, [] {});
  Fails.Work.Run = [] { return Status(StatusCode::Device, "copy failed"); };
  ASSERT_TRUE(Exec->submit(std::move(Fails)).ok());
  EXPECT_EQ(Exec->finish({0}).message(), "copy failed");
  EXPECT_EQ(Exec->submit(makeTask(1, {4})).message(), "copy failed");
}

TEST(ShuffleTest, InOrderTheLastBlockOfALaunchWaitsForEarlierLaunches) {
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    for (bool InOrder : {false, true}) {
      FakeRunner Runner;
      auto Exec =
          makeShuffle(Runner, nullptr, ShuffleSettings{Seed, 8, InOrder, 1});
      for (uint64_t Id = 0; Id < 4; ++Id)
        ASSERT_TRUE(Exec->submit(makeTask(Id, {3})).ok());
      ASSERT_TRUE(Exec->drain().ok());
      std::vector<uint64_t> Last(4, 0);
      for (size_t I = 0; I < Runner.Order.size(); ++I)
        Last[Runner.Order[I].first] = I;
      if (InOrder)
        EXPECT_TRUE(std::is_sorted(Last.begin(), Last.end())) << Seed;
      if (!InOrder && Seed % 6 == 0)
        EXPECT_FALSE(std::is_sorted(Last.begin(), Last.end())) << Seed;
    }
}

/// Notes which blocks run at the same time, and checks that producers ended.
class OverlapRunner final : public BlockRunner {
public:
  Status prepare(const Launch &) override { return Status(); }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *) override {
    std::unique_lock<std::mutex> Guard(Lock);
    Alone &= Busy.insert(Worker).second;
    Most = std::max(Most, Busy.size());
    Started[{What.Id, Block}] = Ended.size();
    Came.notify_all();
    // On a busy machine the second worker comes late.
    Came.wait_for(Guard, std::chrono::seconds(10), [&] { return Most > 1; });
    Guard.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    Guard.lock();
    Busy.erase(Worker);
    Ended.push_back({What.Id, Block});
    return Status();
  }

  std::mutex Lock;
  std::condition_variable Came;
  std::set<unsigned> Busy;
  size_t Most = 0;
  bool Alone = true;             ///< No worker number was used twice at a time.
  std::map<Ran, size_t> Started; ///< How many had ended then.
  std::vector<Ran> Ended;
};

TEST(ShuffleTest, SeveralWorkersKeepTheProducersFirst) {
  const Dim3 Grid{6, 2};
  for (uint64_t Seed = 0; Seed < 20; ++Seed) {
    OverlapRunner Runner;
    auto Exec =
        makeShuffle(Runner, nullptr, ShuffleSettings{Seed, Window, false, 4});
    std::vector<Task> Tasks = randomTasks(Seed, Grid);
    for (const Task &T : Tasks)
      ASSERT_TRUE(Exec->submit(T).ok());
    ASSERT_TRUE(Exec->drain().ok());
    ASSERT_EQ(Runner.Ended.size(), Tasks.size() * Grid.count());
    EXPECT_TRUE(Runner.Alone);
    EXPECT_GT(Runner.Most, 1u);
    EXPECT_LE(Runner.Most, 4u);
    std::map<Ran, size_t> Place = Runner.Started;
    for (size_t I = 0; I < Runner.Ended.size(); ++I)
      for (const Task &T : Tasks)
        for (const Dependence &Need : T.Needs)
          if (Need.Producer == Runner.Ended[I].first && Need.Pieces.empty())
            for (uint64_t B = 0; B < Grid.count(); ++B)
              ASSERT_LT(I, Place.at({T.Node, B}));
  }
}

TEST(ShuffleTest, PingPongOnSeveralWorkersIsRight) {
  const std::vector<Task> Tasks = PingPong::tasks(true);
  const std::vector<uint32_t> Right = PingPong::result(Tasks, under(0));
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    EXPECT_EQ(PingPong::result(Tasks, under(Seed, 3)), Right) << Seed;
}

TEST(ShuffleTest, AFailureStopsAllWorkers) {
  FakeRunner Runner;
  Runner.FailAt = {0, 7};
  auto Exec = makeShuffle(Runner, nullptr, ShuffleSettings{0, 8, false, 3});
  ASSERT_TRUE(Exec->submit(makeTask(0, {1000})).ok());
  EXPECT_EQ(Exec->drain().message(), "block failed");
  EXPECT_LT(Runner.Order.size(), 20u);
}

} // namespace
