// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Shuffle.h"
#include "FakeDevice.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace blockmaestro;

namespace {

constexpr uint64_t Seeds = 200;
constexpr unsigned Window = 3;

Status runAll(FakeRunner &Runner, const std::vector<Task> &Tasks, uint64_t Seed,
              unsigned Depth = Window) {
  auto Exec = makeShuffle(Runner, nullptr, Seed, Depth);
  for (const Task &T : Tasks)
    if (Status S = Exec->submit(T); !S.ok())
      return S;
  return Exec->drain();
}

/// When each block ran, by its place in the order.
std::map<Ran, size_t> places(const FakeRunner &Runner) {
  std::map<Ran, size_t> Out;
  for (size_t I = 0; I < Runner.Order.size(); ++I)
    Out[Runner.Order[I]] = I;
  return Out;
}

/// A launch's needs of earlier ones, chosen at random, pieces overlapping.
std::vector<Dependence> randomNeeds(uint64_t Id, Dim3 Grid,
                                    std::mt19937_64 &Numbers) {
  std::vector<Dependence> Needs;
  for (uint64_t P = Id < Window ? 0 : Id - Window; P < Id; ++P) {
    unsigned Kind = Numbers() % 4;
    int32_t Low = int32_t(Numbers() % 5) - 2;
    if (Kind == 0)
      Needs.push_back(needAll(P, Grid));
    else if (Kind == 1)
      Needs.push_back(need(P, Grid, {neighbours(Grid, Low, Low + 1)}));
    else if (Kind == 2)
      Needs.push_back(need(
          P, Grid, {neighbours(Grid, Low, Low + 2), neighbours(Grid, 0, 0)}));
  }
  return Needs;
}

std::vector<Task> randomTasks(uint64_t Seed, Dim3 Grid) {
  std::mt19937_64 Numbers(Seed);
  std::vector<Task> Tasks;
  for (uint64_t Id = 0; Id < 6; ++Id)
    Tasks.push_back(makeTask(Id, Grid, randomNeeds(Id, Grid, Numbers)));
  return Tasks;
}

/// Checks that each producer of \p Block of \p T ran before it.
void expectProducersFirst(const Task &T, uint64_t Block, Dim3 Grid,
                          const std::map<Ran, size_t> &Place) {
  Dim3 At = blockOf(Block, Grid);
  const int32_t C[3] = {int32_t(At.X), int32_t(At.Y), int32_t(At.Z)};
  for (const Dependence &Need : T.Needs)
    for (uint64_t P = 0; P < Grid.count(); ++P) {
      Dim3 Q = blockOf(P, Grid);
      bool Needed = Need.Pieces.empty();
      for (const EncodedPiece &Piece : Need.Pieces) {
        ProducerBox Box = producersOf(Piece, C);
        bool Inside = true;
        for (int D = 0; D < 3; ++D)
          Inside &= Box.Low[D] <= int32_t(Q[D]) && int32_t(Q[D]) <= Box.High[D];
        Needed |= Inside;
      }
      if (Needed) {
        ASSERT_LT(Place.at({Need.Producer, P}), Place.at({T.What->Id, Block}));
      }
    }
}

TEST(ShuffleTest, EveryBlockRunsOnceAfterItsProducers) {
  const Dim3 Grid{6, 2};
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed) {
    FakeRunner Runner;
    std::vector<Task> Tasks = randomTasks(Seed, Grid);
    ASSERT_TRUE(runAll(Runner, Tasks, Seed).ok());
    std::map<Ran, size_t> Place = places(Runner);
    ASSERT_EQ(Runner.Order.size(), Tasks.size() * Grid.count());
    ASSERT_EQ(Place.size(), Runner.Order.size());
    for (const Task &T : Tasks)
      for (uint64_t B = 0; B < Grid.count(); ++B)
        expectProducersFirst(T, B, Grid, Place);
  }
}

/// Ping-pong between two arrays: launch i reads from one and writes the other,
/// each block its neighbours' elements and its own. Unsigned: without the
/// relations some orders make numbers that wrap.
class PingPong {
public:
  static constexpr int Blocks = 8, Launches = 6;

  /// \p Skip is a consumer block whose needs of the launch before are dropped.
  static std::vector<Task> tasks(bool Related, int Skip = -1) {
    const Dim3 Grid{Blocks};
    std::vector<Task> Tasks;
    for (uint64_t Id = 0; Id < Launches; ++Id) {
      std::vector<Dependence> Needs;
      if (Id >= 1 && Related)
        Needs.push_back(need(Id - 1, Grid, pieces(Grid, Skip)));
      if (Id >= 2 && Related)
        Needs.push_back(need(Id - 2, Grid, {neighbours(Grid, 0, 0)}));
      Tasks.push_back(makeTask(Id, Grid, Needs));
    }
    return Tasks;
  }

  static std::vector<uint32_t> result(const std::vector<Task> &Tasks,
                                      uint64_t Seed) {
    std::vector<uint32_t> Cells[2] = {std::vector<uint32_t>(Blocks, 1),
                                      std::vector<uint32_t>(Blocks, 1)};
    for (int B = 0; B < Blocks; ++B)
      Cells[0][B] = B * B + 1;
    FakeRunner Runner;
    Runner.Body = [&](uint64_t Id, uint64_t B) {
      const std::vector<uint32_t> &In = Cells[Id % 2];
      uint32_t Left = B > 0 ? In[B - 1] : 0,
               Right = B + 1 < Blocks ? In[B + 1] : 0;
      Cells[(Id + 1) % 2][B] = Left + 2 * In[B] + 3 * Right;
    };
    EXPECT_TRUE(runAll(Runner, Tasks, Seed).ok());
    return Cells[Launches % 2];
  }

private:
  static std::vector<EncodedPiece> pieces(Dim3 Grid, int Skip) {
    EncodedPiece Below = neighbours(Grid, -1, 1), Above = Below;
    if (Skip < 0)
      return {Below};
    Below.ConsumerHigh[0] = Skip - 1;
    Above.ConsumerLow[0] = Skip + 1;
    return {Below, Above};
  }
};

/// How many seeds give another result than the launches one by one.
int wrongResults(const std::vector<Task> &Tasks) {
  std::vector<uint32_t> Right;
  std::vector<Task> Ordered;
  for (uint64_t Id = 0; Id < PingPong::Launches; ++Id)
    Ordered.push_back(makeTask(
        Id, {PingPong::Blocks},
        Id ? std::vector<Dependence>{needAll(Id - 1, {PingPong::Blocks})}
           : std::vector<Dependence>{}));
  Right = PingPong::result(Ordered, 0);
  int Wrong = 0;
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    Wrong += PingPong::result(Tasks, Seed) != Right;
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

} // namespace
