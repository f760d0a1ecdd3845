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

TEST(ClassTiming, ProductsAreIntegersWhereTheyHaveNoPipelines) {
  Machine On;
  On.Cycles.Arithmetic = 6;
  EXPECT_EQ(timingOf(WarpClass::Product, On).On, Unit::Integer);
  EXPECT_EQ(timingOf(WarpClass::Product, On).Latency, 6u);
  On.Warps.Product = {2, 2};
  On.Warps.CyclesProduct = 4;
  EXPECT_EQ(timingOf(WarpClass::Product, On).On, Unit::Product);
  EXPECT_EQ(timingOf(WarpClass::Product, On).Latency, 4u);
}

TEST(ClassTiming, ConversionsAreOfFunctionsWhereTheyHaveNoPipelines) {
  Machine On;
  On.Cycles.Conversion = 19;
  EXPECT_EQ(timingOf(WarpClass::Conversion, On).On, Unit::Conversion);
  On.Warps.Conversion.Count = 0;
  EXPECT_EQ(timingOf(WarpClass::Conversion, On).On, Unit::Special);
  EXPECT_EQ(timingOf(WarpClass::Conversion, On).Latency, 19u);
}

TEST(ClassTiming, APredicateIsThereLaterThanASum) {
  Machine On;
  On.Cycles.Arithmetic = 5;
  EXPECT_EQ(timingOf(WarpClass::Comparison, On).Latency, 5u);
  On.Warps.CyclesPredicate = 13;
  EXPECT_EQ(timingOf(WarpClass::Comparison, On).Latency, 13u);
  EXPECT_EQ(timingOf(WarpClass::Comparison, On).On, Unit::Integer);
}

TEST(ClassTiming, ApproximationsTakeLessThanFunctions) {
  Machine On;
  On.Cycles.Special = 56;
  EXPECT_EQ(timingOf(WarpClass::Approximation, On).Latency, 56u);
  On.Warps.CyclesApproximation = 19;
  EXPECT_EQ(timingOf(WarpClass::Approximation, On).Latency, 19u);
  EXPECT_EQ(timingOf(WarpClass::Special, On).Latency, 56u);
}

} // namespace
