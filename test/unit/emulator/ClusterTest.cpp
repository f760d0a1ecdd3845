// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cluster.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

TEST(ClusterTest, OpensWhenTheThreadsOfAllBlocksHaveArrived) {
  Cluster Two;
  Two.begin(2, 2);
  Two.arrive(0, 0);
  Two.arrive(0, 1);
  Two.arrive(1, 0);
  EXPECT_FALSE(Two.passed(0, 0));
  Two.arrive(1, 1);
  EXPECT_TRUE(Two.passed(0, 0));
  EXPECT_TRUE(Two.passed(1, 1));
  Two.arrive(0, 0);
  EXPECT_FALSE(Two.passed(0, 0));
  EXPECT_TRUE(Two.passed(0, 1));
}

TEST(ClusterTest, ThreadsThatHaveReturnedAreNotWaitedFor) {
  Cluster Two;
  Two.begin(2, 2);
  Two.arrive(0, 0);
  Two.threadEnded(0, 1);
  Two.arrive(1, 0);
  EXPECT_FALSE(Two.passed(0, 0));
  Two.threadEnded(1, 1);
  EXPECT_TRUE(Two.passed(0, 0));
}

TEST(ClusterTest, AThreadThatArrivedAndReturnedCountsOnce) {
  Cluster Two;
  Two.begin(2, 2);
  Two.arrive(0, 0);
  Two.threadEnded(0, 0);
  Two.arrive(0, 1);
  Two.arrive(1, 0);
  EXPECT_FALSE(Two.passed(0, 1));
  Two.arrive(1, 1);
  EXPECT_TRUE(Two.passed(0, 1));
}

} // namespace
} // namespace blockmaestro
