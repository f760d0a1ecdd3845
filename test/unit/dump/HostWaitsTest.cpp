// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A wait of the host lies between the blocks that it waited for and those that
// were asked for behind it.

#include "HostWaits.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

using namespace blockmaestro;

namespace {

using Times = std::pair<uint64_t, uint64_t>;

/// Launches of one block each that run at these times.
Recording runOf(const std::vector<Times> &Launches) {
  Recording Out;
  for (const auto &[Start, End] : Launches) {
    RecordedLaunch L;
    L.Id = Out.Launches.size();
    L.Grid = {1, 1, 1};
    Out.Events.add({L.Id, 0, Start, End, 0});
    Out.Launches.push_back(L);
  }
  return Out;
}

std::vector<Times> waitsIn(const Recording &In, LaunchSpan Shown = {}) {
  const DumpOptions How;
  std::vector<Times> Out;
  for (const HostWait &W : hostWaits({In, How, Shown}, launchTimes(In)))
    Out.push_back({W.Begin, W.End});
  return Out;
}

RecordedBarrier barrierBefore(uint64_t Launch, bool HostWaits) {
  RecordedBarrier Out;
  Out.BeforeLaunch = Launch;
  Out.What = "cudaDeviceSynchronize";
  Out.HostWaits = HostWaits;
  return Out;
}

} // namespace

TEST(HostWaits, ABarrierIsFromTheLastEndBeforeToTheFirstStartBehind) {
  Recording In = runOf({{10, 50}, {20, 30}, {80, 90}});
  In.Barriers = {barrierBefore(0, true), barrierBefore(2, true),
                 barrierBefore(3, true)};
  EXPECT_EQ(waitsIn(In), (std::vector<Times>{{50, 80}, {90, 90}}));
  EXPECT_EQ(waitsIn(In, {1, 2, false}), (std::vector<Times>{{50, 80}}));
}

TEST(HostWaits, AFenceOfTheDeviceIsNone) {
  Recording In = runOf({{10, 50}, {80, 90}});
  In.Barriers = {barrierBefore(1, false)};
  EXPECT_EQ(waitsIn(In), std::vector<Times>());
}

TEST(HostWaits, AWaitForAnEventIsForTheFirstLaunchesOnly) {
  Recording In = runOf({{10, 20}, {15, 90}, {40, 60}});
  RecordedCopy C;
  C.Before = 1;
  In.Copies = {C};
  RecordedWait W;
  W.BeforeLaunch = 2;
  W.Until = 2; // Launch 0 and the copy.
  In.Waits = {W};
  EXPECT_EQ(waitsIn(In), (std::vector<Times>{{20, 40}}));
}

TEST(HostWaits, ACopyIsForTheLaunchesItHasRelationsTo) {
  Recording In = runOf({{10, 20}, {15, 90}, {40, 60}});
  RecordedCopy C;
  C.Before = 2;
  C.HostWaits = true;
  In.Copies = {C};
  RecordedRelation R;
  R.Producer = 0;
  R.Consumer = 0;
  R.ConsumerIsCopy = true;
  In.CopyRelations = {R};
  EXPECT_EQ(waitsIn(In), (std::vector<Times>{{20, 40}}));
}
