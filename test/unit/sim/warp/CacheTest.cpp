// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cache.h"

#include <gtest/gtest.h>

using namespace blockmaestro::sim;

namespace {

TEST(Cache, HasTheSectorsOfALineThatWereFilled) {
  Cache C({1, 2, 4, {}});
  C.fill(5, 70);
  EXPECT_EQ(C.find(5), 70u);
  EXPECT_EQ(C.find(4), Cache::Absent);
}

TEST(Cache, PutsOutTheLineThatWasUsedLongestAgo) {
  Cache C({1, 2, 4, {}});
  C.fill(0, 1);
  C.fill(4, 1);
  C.find(0);
  C.fill(8, 1);
  EXPECT_EQ(C.find(0), 1u);
  EXPECT_EQ(C.find(4), Cache::Absent);
}

TEST(Cache, LinesOfOtherSetsStay) {
  Cache C({2, 1, 4, {}});
  C.fill(0, 1);
  C.fill(4, 1);
  C.fill(8, 1);
  EXPECT_EQ(C.find(0), Cache::Absent);
  EXPECT_EQ(C.find(4), 1u);
}

TEST(Cache, LinesOfOnePartOfManyFillAllSets) {
  Cache C({2, 1, 1, {.Slices = 3}});
  C.fill(0, 1);
  C.fill(3, 1);
  EXPECT_EQ(C.find(0), 1u);
  EXPECT_EQ(C.find(3), 1u);
}

TEST(Cache, GivesBackWhatWasWritten) {
  Cache C({1, 1, 4, {}});
  C.write(0, 1);
  C.fill(1, 1);
  C.write(2, 1);
  const Victim Out = C.fill(4, 1);
  EXPECT_EQ(Out.Line, 0u);
  EXPECT_EQ(Out.Dirty, 0b101u);
  EXPECT_EQ(C.fill(8, 1).Dirty, 0u);
}

TEST(Cache, ClearedHasNothingAndTellsWhatWasWritten) {
  Cache C({1, 2, 4, {}});
  C.write(6, 1);
  C.fill(0, 1);
  const std::vector<Victim> Out = C.clear();
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_EQ(Out[0].Line, 1u);
  EXPECT_EQ(Out[0].Dirty, 0b100u);
  EXPECT_EQ(C.find(0), Cache::Absent);
}

TEST(Cache, DroppedSectorsAreNotWrittenBack) {
  Cache C({1, 1, 4, {}});
  C.write(1, 1);
  C.drop(1);
  EXPECT_EQ(C.find(1), Cache::Absent);
  EXPECT_EQ(C.fill(4, 1).Dirty, 0u);
}

} // namespace
