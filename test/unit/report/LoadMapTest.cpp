// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How many blocks run in each row over time, whatever their number and order.

#include "LoadMap.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

TEST(LoadMap, ABlockIsInTheBucketsItRunsIn) {
  LoadMap Map(2);
  Map.add(1, 3, 5);
  EXPECT_EQ(Map.bucketNs(), 1u);
  EXPECT_EQ(Map.buckets(), 5u);
  EXPECT_EQ(Map.busyNs(1, 2), 0u);
  EXPECT_EQ(Map.busyNs(1, 3), 1u);
  EXPECT_EQ(Map.busyNs(1, 4), 1u);
  EXPECT_EQ(Map.busyNs(0, 3), 0u);
}

TEST(LoadMap, BucketsWidenSoThatTheRunFits) {
  LoadMap Map(1);
  Map.add(0, 0, 1);
  Map.add(0, 8191, 8193);
  EXPECT_EQ(Map.bucketNs(), 4u);
  EXPECT_EQ(Map.buckets(), 2049u);
  EXPECT_EQ(Map.busyNs(0, 0), 1u);
  EXPECT_EQ(Map.busyNs(0, 2047), 1u);
  EXPECT_EQ(Map.busyNs(0, 2048), 1u);
}

TEST(LoadMap, BlocksOfOneTimeAddUp) {
  LoadMap Map(1);
  for (int I = 0; I < 3; ++I)
    Map.add(0, 0, 10000);
  uint64_t Sum = 0;
  for (size_t I = 0; I < Map.buckets(); ++I)
    Sum += Map.busyNs(0, I);
  EXPECT_EQ(Sum, 30000u);
}

TEST(LoadMap, TheOrderOfBlocksDoesNotMatter) {
  LoadMap A(1), B(1);
  for (uint64_t I = 0; I < 500; ++I) {
    A.add(0, I * 37, I * 37 + 50);
    B.add(0, (499 - I) * 37, (499 - I) * 37 + 50);
  }
  ASSERT_EQ(A.buckets(), B.buckets());
  for (size_t I = 0; I < A.buckets(); ++I)
    EXPECT_EQ(A.busyNs(0, I), B.busyNs(0, I)) << I;
}

TEST(LoadMap, TimesNearTheEndOfTheClockFit) {
  LoadMap Map(1);
  Map.add(0, ~uint64_t(0) - 10, ~uint64_t(0));
  EXPECT_LE(Map.buckets(), 4096u);
}
