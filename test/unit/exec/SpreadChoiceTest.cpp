// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpreadChoice.h"

#include <gtest/gtest.h>

#include <functional>

namespace blockmaestro {
namespace {

using std::chrono::nanoseconds;

/// So many stretches of 10 works, which take so long by work; how many of them
/// were spread.
unsigned spreadOf(SpreadChoice &Choice, unsigned Stretches,
                  const std::function<long(bool Spread)> &Time,
                  uint64_t Beside = 5) {
  unsigned Out = 0;
  for (unsigned I = 0; I < Stretches; ++I) {
    const bool Spread = Choice.spreads();
    Out += Spread;
    Choice.took(nanoseconds(10 * Time(Spread)), 10, Spread ? Beside : 0);
  }
  return Out;
}

constexpr unsigned UntilChosen =
    SpreadChoice::FirstSpread + 2 * SpreadChoice::Compared;

TEST(SpreadChoice, WorksAreSpreadWhereThatIsFaster) {
  SpreadChoice Choice;
  const auto Time = [](bool Spread) { return Spread ? 90 : 100; };
  EXPECT_EQ(spreadOf(Choice, UntilChosen, Time),
            SpreadChoice::FirstSpread + SpreadChoice::Compared);
  EXPECT_EQ(spreadOf(Choice, 20, Time), 20u);
}

TEST(SpreadChoice, TheyKeepTheirOrderWhereItIsNot) {
  SpreadChoice Choice;
  const auto Time = [](bool Spread) { return Spread ? 99 : 100; };
  (void)spreadOf(Choice, UntilChosen, Time);
  EXPECT_EQ(spreadOf(Choice, 20, Time), 0u) << "a hundredth is no reason";
}

/// What is new has to be looked at, and one stretch may be disturbed.
TEST(SpreadChoice, TheFirstAndTheSlowestDoNotCount) {
  SpreadChoice Choice;
  unsigned Count = 0;
  const auto Time = [&](bool Spread) {
    ++Count;
    return Count <= SpreadChoice::FirstSpread || Count == UntilChosen ||
                   Count == UntilChosen - 1
               ? 10000
           : Spread ? 90
                    : 100;
  };
  (void)spreadOf(Choice, UntilChosen, Time);
  EXPECT_TRUE(Choice.spreads());
}

TEST(SpreadChoice, WhereNothingGoesBesideTheyKeepTheirOrder) {
  SpreadChoice Choice;
  const auto Time = [](bool) { return 100; };
  EXPECT_EQ(spreadOf(Choice, 20, Time, /*Beside=*/0), SpreadChoice::MostInVain);
}

TEST(SpreadChoice, TheOtherWayIsTriedAgainEachTimeTwiceAsLate) {
  SpreadChoice Choice;
  const auto Slower = [](bool Spread) { return Spread ? 120 : 100; };
  const auto Faster = [](bool Spread) { return Spread ? 80 : 100; };
  (void)spreadOf(Choice, UntilChosen, Slower);
  EXPECT_EQ(spreadOf(Choice, SpreadChoice::FirstPatience, Slower), 0u);
  EXPECT_GT(spreadOf(Choice, 1 + 2 * SpreadChoice::Compared, Slower), 0u);
  EXPECT_EQ(spreadOf(Choice, 2 * SpreadChoice::FirstPatience, Slower), 0u);
  (void)spreadOf(Choice, 1 + 2 * SpreadChoice::Compared, Faster);
  EXPECT_TRUE(Choice.spreads());
}

TEST(SpreadChoices, StretchesAreToldApartByTheirFirstWork) {
  SpreadChoices Choices;
  const KernelRecord A, B;
  for (unsigned I = 0; I < 10; ++I) {
    (void)Choices.begin(NodeKind(A));
    Choices.ended(nanoseconds(1000), 10, 0);
  }
  EXPECT_FALSE(Choices.begin(NodeKind(A)));
  EXPECT_TRUE(Choices.begin(NodeKind(B)));
}

} // namespace
} // namespace blockmaestro
