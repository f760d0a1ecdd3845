// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calendar.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace blockmaestro::sim;

namespace {

TEST(Calendar, AGapBeforeALaterRequestIsFilled) {
  Calendar C;
  EXPECT_EQ(C.take(1000), 1000u);
  EXPECT_EQ(C.take(998), 998u);
  EXPECT_EQ(C.take(998), 999u);
  EXPECT_EQ(C.take(998), 1001u);
}

TEST(Calendar, WhatIsForgottenIsNotGiven) {
  Calendar C;
  C.take(5);
  C.forget(1000);
  EXPECT_EQ(C.take(5), 1000u);
  EXPECT_EQ(C.take(1000), 1001u);
}

TEST(Calendar, SlotsFarAheadKeepThoseBetween) {
  Calendar C;
  C.take(100);
  EXPECT_EQ(C.take(1000000), 1000000u);
  EXPECT_EQ(C.take(100), 101u);
  EXPECT_EQ(C.take(1000000), 1000001u);
}

/// Beside a set of all slots that were given.
TEST(Calendar, GivesTheFirstFreeSlotOfRandomRequests) {
  std::mt19937 Random(7);
  Calendar C;
  std::set<uint64_t> Taken;
  uint64_t Now = 0;
  for (int I = 0; I < 100000; ++I) {
    if (Random() % 4 == 0)
      C.forget(Now += Random() % 9);
    const uint64_t First = Now + Random() % 500;
    uint64_t Want = First;
    while (Taken.count(Want))
      ++Want;
    Taken.insert(Want);
    ASSERT_EQ(C.take(First), Want) << "request " << I;
  }
}

} // namespace
