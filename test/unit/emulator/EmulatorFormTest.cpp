// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelFixture.h"

#include <climits>
#include <cmath>
#include <thread>
#include <vector>

using namespace blockmaestro;

namespace {

class EmulatorFormTest : public KernelFixture {};

TEST_F(EmulatorFormTest, FunctionsBehindPointersMayWait) {
  std::vector<int> Out(64);
  for (int Which = 0; Which < 3; ++Which) {
    runAll(launch("throughPointers", {1}, {64}, Out.data(), Which));
    for (int I = 0; I < 64; ++I)
      EXPECT_EQ(Out[I], Which == 0 ? I * I : Which == 1 ? -I : I + 1000);
  }
}

TEST_F(EmulatorFormTest, SharedVariablesBehindPointersAreRefused) {
  int Out = 0;
  Status S = Device->prepare(launch("sharedBehindPointer", {1}, {1}, &Out));
  EXPECT_EQ(S.code(), StatusCode::Unsupported);
  EXPECT_NE(S.message().find("kernel 'sharedBehindPointer'"),
            std::string::npos);
  EXPECT_NE(S.message().find("'waits(int)'"), std::string::npos);
  EXPECT_NE(S.message().find("has shared variables"), std::string::npos);
}

TEST_F(EmulatorFormTest, ALoopThatNothingLeavesIsReported) {
  std::vector<int> Out(8);
  Launch L = launch("endless", {1}, {8}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_EQ(Device->run(L, 0, 0, nullptr).code(), StatusCode::Stuck);
}

TEST_F(EmulatorFormTest, AThreadThatWaitsLetsTheOthersRun) {
  std::vector<int> Out(2);
  Launch L = launch("spins", {1}, {64}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_TRUE(Device->mayWait(L));
  ASSERT_TRUE(Device->run(L, 0, 0, nullptr).ok());
  EXPECT_EQ(Out[0], 8);
}

TEST_F(EmulatorFormTest, KernelsWithoutWaitingLoopsNeedNotBeBegun) {
  std::vector<int> Out(12);
  Launch L = launch("indices", {1}, {1}, Out.data());
  ASSERT_TRUE(Device->prepare(L).ok());
  EXPECT_FALSE(Device->mayWait(L));
}

TEST_F(EmulatorFormTest, DivisionNeverTraps) {
  const std::vector<std::vector<int>> Rows = {
      {7, 0, -1, 7, -1, 7},
      {INT_MIN, -1, INT_MIN, 0, 0, INT_MIN},
      {INT_MIN, 0, -1, INT_MIN, -1, INT_MIN},
      {-7, 2, -3, -1, 0x7ffffffc, 1}};
  for (const std::vector<int> &Row : Rows) {
    std::vector<int> Out(4);
    runAll(launch("divides", {1}, {1}, Row.data(), Out.data()));
    EXPECT_EQ(Out, std::vector<int>(Row.begin() + 2, Row.end()))
        << Row[0] << " by " << Row[1];
  }
}

TEST_F(EmulatorFormTest, ConversionsStayInRange) {
  const std::vector<float> In = {1.9f, -1.9f, 1e20f, -1e20f, NAN};
  std::vector<int> Out(3 * In.size());
  runAll(launch("converts", {1}, {5}, In.data(), Out.data()));
  EXPECT_EQ(Out, (std::vector<int>{1, 1, 0, -1, 0, -1, INT_MAX, -1, INT_MAX,
                                   INT_MIN, 0, INT_MIN, 0, 0, INT_MIN}));
}

TEST_F(EmulatorFormTest, EveryShapeOfBlockRunsWhateverWasCompiledBefore) {
  for (unsigned Round = 0; Round < 2; ++Round)
    for (unsigned X = 1; X < 9; ++X) {
      for (Dim3 Block : {Dim3{X}, Dim3{X, 2}}) {
        const Dim3 Grid{2};
        std::vector<int> Seen(Grid.count() * Block.count() * 12, -1);
        runAll(launch("indices", Grid, Block, Seen.data()));
        for (size_t T = 0; T < Grid.count() * Block.count(); ++T) {
          ASSERT_EQ(Seen[12 * T + 6], int(Block.X));
          ASSERT_EQ(Seen[12 * T + 7], int(Block.Y));
        }
      }
    }
}

TEST_F(EmulatorFormTest, KernelsAreCompiledAtTheSameTime) {
  std::vector<Launch> Launches;
  for (const char *Name : {"divergent", "recursive", "traps", "assembly"})
    Launches.push_back(launch(Name, {1}, {1}, (int *)nullptr));
  std::vector<std::thread> Askers;
  for (int T = 0; T < 4; ++T)
    Askers.emplace_back([&, T] {
      for (size_t I = 0; I < Launches.size(); ++I) {
        Status S = Device->prepare(Launches[(I + T) % Launches.size()]);
        EXPECT_TRUE(S.ok()) << S.message();
      }
    });
  for (std::thread &A : Askers)
    A.join();
}

} // namespace
