// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Energy by counts that were made up and by a run.

#include "Energy.h"
#include "HandmadeWarps.h"
#include "WarpModel.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

TEST(Energy, NoneWhereAMachineSaysNothing) {
  WarpCounts C;
  C.Executed.Instructions = 1000;
  EXPECT_FALSE(hasEnergies(Machine()));
  EXPECT_EQ(activityEnergy(C, Machine()), 0);
}

TEST(Energy, InstructionsAndTheirLanes) {
  // Two instructions of 32 lanes in each of three blocks.
  Machine On = plainMachine(1);
  On.Warps.Energy.Issue = 1000;
  On.Warps.Energy.Operands = 100;
  On.Warps.Energy.Integer = 10;
  On.Warps.Energy.Single = 7;
  const Recording Of = plainRecording(3, 2);
  const WarpReport Is = *simulateWarps(Of, On, WarpPolicy::GreedyThenOldest);
  EXPECT_DOUBLE_EQ(activityEnergy(Is.All, On), 6 * (1000 + 32 * 110) / 1e9);
}

TEST(Energy, BytesOfEachLevel) {
  Machine On;
  On.Warps.CacheSectorBytes = 32;
  On.Warps.Energy.L1Byte = 1;
  On.Warps.Energy.L2Byte = 100;
  On.Warps.Energy.DramByte = 10000;
  WarpCounts C;
  C.Executed.Wavefronts = 2;
  C.L1.Reads = 3;
  C.L2.Reads = 4, C.L2.Writes = 5, C.L2.Atomics = 6;
  C.Dram.Reads = 7, C.Dram.Writes = 8;
  EXPECT_DOUBLE_EQ(activityEnergy(C, On),
                   (2 * 128 + 3 * 32 + 15 * 3200 + 15 * 320000) / 1e9);
}

TEST(Energy, WhatItTakesWhateverHappens) {
  // A watt for a million cycles of a gigahertz: a millisecond.
  Machine On;
  On.ClockMHz = 1000;
  On.Warps.Energy.StaticMilliwatts = 1000;
  EXPECT_DOUBLE_EQ(staticEnergy(1000000, On), 1000);
}

} // namespace
