// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches through the front end: what reaches the executor, in which order,
// and with which relations.

#include "FrontEnd.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace blockmaestro;

namespace {

TEST_F(RuntimeTest, LaunchesCarryTheirRelations) {
  begin();
  launch(0, 1);
  launch(1, 2);
  launch(0, 1);
  EXPECT_EQ(Trace, (Lines{"launch 0", "launch 1 after 0", "launch 2 after 1"}));
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Memory[2], std::vector<int>(Elements, 2));
}

TEST_F(RuntimeTest, NoRelationReachesOverADrainOrFence) {
  begin();
  launch(0, 1);
  Front->drain("cudaMemcpy");
  launch(1, 2);
  Front->fence("cudaMemcpyAsync");
  launch(1, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "drain", "launch 1", "fence", "launch 2"}));
}

TEST_F(RuntimeTest, OneStreamAtATimeIsSaidToBeAFence) {
  Machine.TakesStreams = false;
  begin();
  launch(0, 1);
  launch(1, 2, cudaStreamPerThread);
  launch(2, 0, cudaStreamPerThread);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "fence", "launch 1", "launch 2 after 1"}));
  EXPECT_NE(Reasons.text().find("on another stream"), std::string::npos);
}

TEST_F(RuntimeTest, ALaunchNoExecutorTakesIsPlainBehindAFence) {
  begin();
  launch(0, 1);
  Machine.Accepts = Status(StatusCode::Unsupported, "too odd");
  EXPECT_EQ(launch(1, 2), cudaErrorInvalidDeviceFunction);
  Machine.Accepts = Status();
  launch(1, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "plain launch", "launch 1"}));
  EXPECT_NE(Reasons.text().find("too odd"), std::string::npos);
}

TEST_F(RuntimeTest, ALaunchWithAttributesIsPlainBehindAFence) {
  begin();
  launch(0, 1);
  const cudaLaunchConfig_t Config = {};
  EXPECT_EQ(Front->launchPlain(&Config, nullptr, nullptr),
            cudaErrorInvalidDeviceFunction);
  launch(1, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "fence", "launch with attributes", "launch 1"}));
}

/// A launch that nobody looks at goes to the device at once; one that is to be
/// explained does not.
TEST_F(RuntimeTest, APlainExecutorIsNotAsked) {
  Machine.Plain = true;
  begin();
  EXPECT_EQ(launch(0, 1), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(Trace, Lines{"plain launch"});
  Asked.Explain = true;
  begin();
  launch(0, 1);
  EXPECT_EQ(Trace, Lines{"launch 0"});
}

TEST_F(RuntimeTest, AFailureStaysUntilReset) {
  begin();
  Machine.Runner.Fail = true;
  EXPECT_EQ(launch(0, 1), cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaErrorLaunchFailure);
  Machine.Runner.Fail = false;
  EXPECT_EQ(launch(0, 1), cudaErrorLaunchFailure);
  EXPECT_EQ(Front->fence("cudaMemcpyAsync"), cudaErrorLaunchFailure);
  EXPECT_EQ(Front->reset("cudaDeviceReset"), cudaSuccess);
  EXPECT_EQ(launch(0, 1), cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
}

/// The device's own call has failed, and nobody has asked the executor.
TEST_F(RuntimeTest, AFailedCallIsExplained) {
  begin();
  Machine.Runner.Fail = true;
  EXPECT_EQ(launch(0, 1), cudaSuccess);
  EXPECT_EQ(Reasons.text().find("failed"), std::string::npos);
  Front->explainFailure();
  EXPECT_NE(Reasons.text().find("failed"), std::string::npos);
  EXPECT_EQ(Front->failure(), cudaErrorLaunchFailure);
}

TEST_F(RuntimeTest, MemoryThatIsNotKnownIsRelatedToEverything) {
  begin();
  launch(0, 1);
  Front->releasing("cudaFree", Memory[2].data());
  launch(0, 1);
  launch(2, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "cudaFree", "finish 1",
                          "launch 1 after 0", "launch 2 after 1 after 2"}));
}

TEST_F(RuntimeTest, MemoryThatRetiresIsFencedAndForgotten) {
  begin();
  launch(0, 1);
  EXPECT_EQ(Front->retiring("cudaFreeAsync", Memory[2].data()), cudaSuccess);
  EXPECT_EQ(Memory[1], std::vector<int>(Elements, 1));
  launch(0, 1);
  launch(2, 2);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "fence", "launch 1", "launch 2 after 1"}));
}

TEST_F(RuntimeTest, AfterTheEndLaunchesFail) {
  begin();
  launch(0, 1);
  EXPECT_TRUE(Front->finish().ok());
  EXPECT_EQ(Memory[1], std::vector<int>(Elements, 1));
  EXPECT_EQ(launch(0, 1), cudaErrorCudartUnloading);
  EXPECT_EQ(Front->drain("cudaFree"), cudaSuccess);
}

/// A chain of six launches under many orders: right with its relations, and
/// wrong under at least one order when they are lost on the way.
TEST_F(RuntimeTest, LostRelationsShow) {
  int Error[2] = {0, 0};
  for (bool Forgets : {false, true})
    for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
      Machine.Forgets = Forgets;
      begin(Seed);
      for (unsigned I = 0; I < 6; ++I)
        launch(I % 3, (I + 1) % 3);
      ASSERT_EQ(Front->drain("end"), cudaSuccess);
      Error[Forgets] += Memory[0] != std::vector<int>(Elements, 6);
    }
  EXPECT_EQ(Error[false], 0);
  EXPECT_GT(Error[true], 0);
}

} // namespace
