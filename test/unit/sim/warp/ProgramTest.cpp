// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Program.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

TEST(ClassTiming, IsOfTheBlockTierWhereTheWarpTierSaysNothing) {
  Machine On;
  On.Cycles.Arithmetic = 6;
  On.Cycles.Shared = 30;
  EXPECT_EQ(timingOf(WarpClass::Single, On).Latency, 6u);
  EXPECT_EQ(timingOf(WarpClass::Read, On).Latency, 30u);
}

TEST(ClassTiming, IsOfTheWarpTierWhereItSaysSo) {
  Machine On;
  On.Cycles.Arithmetic = 6;
  On.Warps.CyclesSingle = 4;
  On.Warps.CyclesSharedAccess = 24;
  EXPECT_EQ(timingOf(WarpClass::Single, On).Latency, 4u);
  EXPECT_EQ(timingOf(WarpClass::Integer, On).Latency, 6u);
  EXPECT_EQ(timingOf(WarpClass::Atomic, On).Latency, 24u);
}

} // namespace
