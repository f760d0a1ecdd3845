// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whether works are held between waits of the host, by times that are made up.

#include "HoldChoice.h"

#include <gtest/gtest.h>

#include <chrono>

namespace blockmaestro {
namespace {

using std::chrono::nanoseconds;

class HoldChoiceTest : public testing::Test {
protected:
  /// So many stretches; how many of them went straight.
  unsigned run(unsigned Stretches, HoldGain Gain = HoldGain::Little) {
    unsigned Out = 0;
    for (unsigned I = 0; I < Stretches; ++I) {
      const bool Way = Choice.goesStraight();
      Out += Way;
      Choice.took(10 * (Way ? Straight : Held), 10, Gain);
    }
    return Out;
  }

  static constexpr unsigned First = HoldChoice::FirstPatience;
  static constexpr unsigned Each = HoldChoice::Compared;
  HoldChoice Choice;
  nanoseconds Held{1000}, Straight{1000};
};

TEST_F(HoldChoiceTest, WhereItGainsWorksAreHeld) {
  Straight = nanoseconds(500);
  EXPECT_EQ(run(10000, HoldGain::Much), 0u);
}

TEST_F(HoldChoiceTest, WhereItGainsLittleBothAreTimedAndTheFasterStays) {
  Straight = nanoseconds(900);
  EXPECT_EQ(run(First), 0u);
  EXPECT_EQ(run(Each), Each);
  EXPECT_EQ(run(2 * First), 2 * First);
  EXPECT_EQ(run(Each), 0u) << "the other way is timed again";
  EXPECT_EQ(run(4 * First), 4 * First);
}

TEST_F(HoldChoiceTest, OrWorksAreHeldAgainIfThatIsFaster) {
  Held = nanoseconds(900);
  EXPECT_EQ(run(First + Each), Each);
  EXPECT_EQ(run(2 * First), 0u);
  EXPECT_EQ(run(Each), Each) << "timed again, twice as late";
}

TEST_F(HoldChoiceTest, WhereNothingIsHeldThatTakesLonger) {
  EXPECT_EQ(run(HoldChoice::IdleForOne * First, HoldGain::None), 0u);
  EXPECT_EQ(run(Each, HoldGain::None), Each);
}

TEST_F(HoldChoiceTest, OfEqualsWorksGoStraight) {
  run(First + Each);
  EXPECT_TRUE(Choice.goesStraight());
}

TEST_F(HoldChoiceTest, AFewLongStretchesDecideNothing) {
  Held = nanoseconds(900);
  run(First - 2);
  Held = nanoseconds(90000);
  run(2);
  run(Each);
  EXPECT_FALSE(Choice.goesStraight());
}

TEST_F(HoldChoiceTest, WhatHasBecomeFasterIsFound) {
  Straight = nanoseconds(900);
  run(First + Each);
  Held = nanoseconds(500);
  run(2 * First + Each);
  EXPECT_FALSE(Choice.goesStraight());
  EXPECT_EQ(run(4 * First), 0u);
}

TEST_F(HoldChoiceTest, TrialsBecomeRare) {
  Held = nanoseconds(900);
  constexpr unsigned Many = 100000;
  EXPECT_LE(run(Many), Many / HoldChoice::MostPatience * Each + 8 * Each);
}

TEST(HoldChoices, WhatBecomesMuchLongerIsHeldFromThereOn) {
  KernelRecord Kernel;
  const NodeKind Kind(Kernel);
  HoldChoices Choices;
  for (unsigned I = 0; I < HoldChoice::FirstPatience; ++I) {
    EXPECT_FALSE(Choices.begin(Kind));
    Choices.ended(nanoseconds(100), 10, HoldGain::Little);
  }
  EXPECT_TRUE(Choices.begin(Kind));
  EXPECT_TRUE(Choices.goesOn(19));
  EXPECT_FALSE(Choices.goesOn(20));
  Choices.ended(nanoseconds(100), 100, HoldGain::Little);
  EXPECT_FALSE(Choices.begin(Kind)) << "and from the next one on";
}

TEST(HoldChoices, KindsHaveTheirOwnAndLongStretchesNone) {
  KernelRecord Kernels[2];
  const NodeKind Short(Kernels[0]), Long(Kernels[1]);
  HoldChoices Choices;
  for (unsigned I = 0; I < HoldChoice::FirstPatience; ++I) {
    EXPECT_FALSE(Choices.begin(Short));
    Choices.ended(nanoseconds(100), 10, HoldGain::Little);
    EXPECT_FALSE(Choices.begin(Long));
    Choices.ended(nanoseconds(100), HoldChoices::MostWorks + 1,
                  HoldGain::Little);
  }
  EXPECT_TRUE(Choices.begin(Short));
  EXPECT_FALSE(Choices.begin(Long));
}

} // namespace
} // namespace blockmaestro
