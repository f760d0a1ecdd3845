// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the tests of executors share that order blocks on the host:
// tasks related at random, which blocks must have run before which, and a
// computation that shows where they have not.

#ifndef BLOCKMAESTRO_TEST_UNIT_EXEC_ORDERS_H
#define BLOCKMAESTRO_TEST_UNIT_EXEC_ORDERS_H

#include "FakeDevice.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

namespace blockmaestro {

/// How far back needs reach.
inline constexpr unsigned Window = 3;

/// When each block ran, by its place in the order.
inline std::map<Ran, size_t> places(const FakeRunner &Runner) {
  std::map<Ran, size_t> Out;
  for (size_t I = 0; I < Runner.Order.size(); ++I)
    Out[Runner.Order[I]] = I;
  return Out;
}

/// A launch's needs of earlier ones, chosen at random, pieces overlapping.
inline std::vector<Dependence> randomNeeds(uint64_t Id, Dim3 Grid,
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

inline std::vector<Task> randomTasks(uint64_t Seed, Dim3 Grid) {
  std::mt19937_64 Numbers(Seed);
  std::vector<Task> Tasks;
  for (uint64_t Id = 0; Id < 6; ++Id)
    Tasks.push_back(makeTask(Id, Grid, randomNeeds(Id, Grid, Numbers)));
  return Tasks;
}

/// Checks that each producer of \p Block of \p T ran before it.
inline void expectProducersFirst(const Task &T, uint64_t Block, Dim3 Grid,
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

/// Every block of the tasks, all of one grid, has run once, behind all blocks
/// that it needs.
inline void expectEachOnceInOrder(const FakeRunner &Runner,
                                  const std::vector<Task> &Tasks, Dim3 Grid) {
  const std::map<Ran, size_t> Place = places(Runner);
  ASSERT_EQ(Runner.Order.size(), Tasks.size() * Grid.count());
  ASSERT_EQ(Place.size(), Runner.Order.size());
  for (const Task &T : Tasks)
    for (uint64_t B = 0; B < Grid.count(); ++B)
      expectProducersFirst(T, B, Grid, Place);
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

  /// What Run(runner, tasks) makes of the arrays.
  template <typename Function>
  static std::vector<uint32_t> result(const std::vector<Task> &Tasks,
                                      Function Run) {
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
    EXPECT_TRUE(Run(Runner, Tasks).ok());
    return Cells[Launches % 2];
  }

  /// Of the launches one by one.
  template <typename Function>
  static std::vector<uint32_t> serialResult(Function Run) {
    std::vector<Task> Ordered;
    for (uint64_t Id = 0; Id < Launches; ++Id)
      Ordered.push_back(
          makeTask(Id, {Blocks},
                   Id ? std::vector<Dependence>{needAll(Id - 1, {Blocks})}
                      : std::vector<Dependence>{}));
    return result(Ordered, Run);
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

inline Task hostTask(uint64_t Node, std::function<void()> Body,
                     std::vector<Dependence> Needs = {}) {
  Task T;
  T.Node = Node;
  T.Needs = std::move(Needs);
  T.Work.Name = "cudaMemcpy";
  T.Work.Run = [Body = std::move(Body)] {
    Body();
    return Status();
  };
  return T;
}

/// A launch whose number among launches is not its number among tasks.
inline Task launchTask(uint64_t Node, uint64_t Id, Dim3 Grid,
                       std::vector<Dependence> Needs = {}) {
  Task T = makeTask(Id, Grid, std::move(Needs));
  T.Node = Node;
  return T;
}

} // namespace blockmaestro

#endif
