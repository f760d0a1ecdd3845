// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSums.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

std::string kindOn(const char *Device) {
  Recording Of;
  Of.Device = Device;
  return placeKind(Of);
}

TEST(LaunchSums, BlocksOfTheEmulatedDeviceRanOnWorkers) {
  EXPECT_EQ(kindOn("BlockMaestro emulated device"), "worker");
  EXPECT_EQ(kindOn("NVIDIA H200"), "SM");
}

TEST(LaunchSums, TimesAreThoseOfTheSumsWithoutCosts) {
  Recording Of;
  Of.Launches.resize(2);
  Of.Events.add({1, 0, 100, 130, 0});
  Of.Events.add({1, 1, 90, 110, 1});
  RecordedCost Cost;
  Cost.Launch = 1;
  Cost.Cost.Integer = 7;
  Of.Costs.add(Cost);
  const std::vector<LaunchSum> Sums = launchSums(Of), Times = launchTimes(Of);
  EXPECT_FALSE(Sums[0].hasRun());
  EXPECT_EQ(Sums[1].ns(), 40u);
  EXPECT_EQ(Sums[1].BlockNs, 50u);
  EXPECT_EQ(Sums[1].Cost.Integer, 7u);
  EXPECT_EQ(Times[1].ns(), 40u);
  EXPECT_EQ(Times[1].Costs, 0u);
  EXPECT_EQ(firstStart(Sums), 90u);
}

} // namespace
} // namespace blockmaestro
