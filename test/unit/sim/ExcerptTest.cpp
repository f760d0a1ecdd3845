// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Some launches of a recording, as if only these had been recorded.

#include "Excerpt.h"
#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// Copy, launch, copy, barrier, launch, copy, launch, barrier, launch, copy;
/// every launch needs the one before, the second copy the first launch, and the
/// third launch the third copy.
Recording launchesCopiesAndBarriers() {
  Recording R;
  R.Window = 3;
  addCopy(R, "first", 0, 8);
  addLaunch(R, {10});
  addCopy(R, "second", 8, 0);
  R.Barriers.push_back({1, "cudaDeviceSynchronize", 2});
  addLaunch(R, {20, 21});
  addCopy(R, "third", 0, 8);
  addLaunch(R, {30});
  R.Barriers.push_back({3, "cudaDeviceSynchronize", 3});
  addLaunch(R, {40});
  addCopy(R, "fourth", 8, 0);
  for (uint32_t I = 1; I < 4; ++I)
    addDelta(R, I - 1, I, 0, 0);
  RecordedRelation &ToCopy = R.CopyRelations.emplace_back();
  ToCopy.Producer = 0;
  ToCopy.Consumer = 1;
  ToCopy.ConsumerIsCopy = true;
  RecordedRelation &FromCopy = R.CopyRelations.emplace_back();
  FromCopy.Producer = 2;
  FromCopy.ProducerIsCopy = true;
  FromCopy.Consumer = 2;
  return R;
}

TEST(Excerpt, HasWhatIsBetweenItsLaunches) {
  const Recording R = excerptOf(launchesCopiesAndBarriers(), 1, 2);
  ASSERT_EQ(R.Launches.size(), 2u);
  EXPECT_EQ(R.Launches[0].Kernel, "k1");
  EXPECT_EQ(R.Launches[0].Id, 1u) << "what users know it by";
  ASSERT_EQ(R.Copies.size(), 1u);
  EXPECT_EQ(R.Copies[0].Call, "third");
  EXPECT_EQ(R.Copies[0].Id, 0u);
  EXPECT_EQ(R.Copies[0].Before, 1u);
  EXPECT_EQ(R.Barriers.size(), 0u);
  ASSERT_EQ(R.Relations.size(), 1u);
  EXPECT_EQ(R.Relations[0].Producer, 0u);
  EXPECT_EQ(R.Relations[0].Consumer, 1u);
  ASSERT_EQ(R.CopyRelations.size(), 1u);
  EXPECT_EQ(R.CopyRelations[0].Producer, 0u);
  EXPECT_EQ(R.CopyRelations[0].Consumer, 1u);
  ASSERT_EQ(R.Events.size(), 3u);
  EXPECT_EQ(R.Events.all()[2].Launch, 1u);
}

TEST(Excerpt, KeepsTheBarriersBetweenItsLaunchesInTheirPlace) {
  const Recording R = excerptOf(launchesCopiesAndBarriers(), 1, 3);
  ASSERT_EQ(R.Barriers.size(), 1u);
  EXPECT_EQ(R.Barriers[0].BeforeLaunch, 2u);
  EXPECT_EQ(R.Barriers[0].BeforeCopy, 1u);
  const Workload W = workloadOf(R, tinyMachine());
  ASSERT_EQ(W.Launches.size(), 4u);
  EXPECT_TRUE(W.Launches[3].Barrier);
  EXPECT_FALSE(W.Launches[1].Barrier);
}

/// What is waited for counts from its own first launch or copy.
TEST(Excerpt, KeepsTheWaitsOfTheHost) {
  Recording Whole = launchesCopiesAndBarriers();
  Whole.Waits.push_back({1, 2, "before it", 3, {}});
  Whole.Waits.push_back({3, 3, "for the second launch", 4, {}});
  Whole.Waits.push_back({3, 3, "for what is not in it", 2, {}});
  const Recording R = excerptOf(Whole, 1, 3);
  ASSERT_EQ(R.Waits.size(), 2u);
  EXPECT_EQ(R.Waits[0].BeforeLaunch, 2u);
  EXPECT_EQ(R.Waits[0].BeforeCopy, 1u);
  EXPECT_EQ(R.Waits[0].Until, 1u);
  EXPECT_EQ(R.Waits[1].Until, 0u);
}

TEST(Excerpt, OfOneLaunchIsThatLaunch) {
  const Recording R = excerptOf(launchesCopiesAndBarriers(), 3, 3);
  EXPECT_EQ(R.Launches.size(), 1u);
  EXPECT_EQ(R.Copies.size(), 0u);
  EXPECT_EQ(R.Relations.size(), 0u);
  EXPECT_EQ(run(R, tinyMachine(), "baseline").MakespanNs, 55u);
}

TEST(Excerpt, HasTheTracesOfItsLaunches) {
  Recording Whole = launchesCopiesAndBarriers();
  for (uint64_t Launch : {3, 1, 0})
    Whole.Traces.push_back({Launch, 7, nullptr, {}});
  const Recording R = excerptOf(Whole, 1, 3);
  ASSERT_EQ(R.Traces.size(), 2u);
  EXPECT_EQ(R.Traces[0].Launch, 2u);
  EXPECT_EQ(R.Traces[1].Launch, 0u);
}

TEST(Excerpt, OfAllIsAllButWhatIsOutside) {
  const Recording R = excerptOf(launchesCopiesAndBarriers(), 0, 3);
  EXPECT_EQ(R.Launches.size(), 4u);
  EXPECT_EQ(R.Copies.size(), 2u);
  EXPECT_EQ(R.Barriers.size(), 2u);
  EXPECT_EQ(R.Relations.size(), 3u);
  EXPECT_EQ(R.CopyRelations.size(), 2u);
}

} // namespace
