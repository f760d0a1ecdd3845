// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Works with copies of their arguments.

#include "HeldWork.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace blockmaestro {
namespace {

/// Of a byte and a number, with nothing in between; and of two numbers.
KernelRecord mixedKernel() {
  KernelRecord Out;
  Out.Parameters = {{0, 1, 1, false, false}, {8, 8, 8, false, false}};
  Out.ArgumentBytes = 16;
  return Out;
}
KernelRecord evenKernel() {
  KernelRecord Out;
  Out.Parameters = {{0, 8, 8, false, false}, {8, 8, 8, false, false}};
  Out.ArgumentBytes = 16;
  return Out;
}

class HeldWorkTest : public testing::Test {
protected:
  void copy(HeldWork &To, const KernelRecord &Of, uint64_t First,
            uint64_t Second) {
    void *Arguments[] = {&First, &Second};
    GpuLaunch What;
    What.Kernel = &Of;
    What.Arguments = Arguments;
    To.copy(What);
    First = Second = ~uint64_t(0);
  }
  static uint64_t second(const HeldWork &Of) {
    return *static_cast<uint64_t *>(
        std::get<GpuLaunch>(Of.work()).Arguments[1]);
  }

  KernelRecord Mixed = mixedKernel(), Even = evenKernel();
};

TEST_F(HeldWorkTest, KeepsItsArguments) {
  HeldWork Mine;
  copy(Mine, Mixed, 1, 2);
  EXPECT_EQ(second(Mine), 2u);
  const HeldWork Moved = std::move(Mine);
  EXPECT_EQ(second(Moved), 2u);
}

TEST_F(HeldWorkTest, OtherArgumentsAreTold) {
  HeldWork Mine, Other;
  copy(Mine, Mixed, 1, 2);
  copy(Other, Mixed, 1, 3);
  EXPECT_EQ(Mine.costAfter(Other), ArgumentCost);
  EXPECT_NE(Mine.hash(0), Other.hash(0));
  copy(Other, Mixed, 1, 2);
  EXPECT_EQ(Mine.costAfter(Other), 0u);
  EXPECT_EQ(Mine.hash(0), Other.hash(0));
}

/// The bytes between arguments are nobody's.
TEST_F(HeldWorkTest, WhatWasHeldBeforeLeavesNothing) {
  HeldWork Fresh, Used;
  copy(Fresh, Mixed, 1, 2);
  copy(Used, Even, ~uint64_t(0), ~uint64_t(0));
  copy(Used, Mixed, 1, 2);
  EXPECT_EQ(Fresh.costAfter(Used), 0u);
  EXPECT_EQ(Fresh.hash(0), Used.hash(0));
}

/// What has been moved away can be used again.
TEST_F(HeldWorkTest, MovedFromHasRoomAgain) {
  HeldWork Mine;
  copy(Mine, Even, 1, 2);
  const HeldWork Moved = std::move(Mine);
  copy(Mine, Even, 3, 4);
  EXPECT_EQ(second(Mine), 4u);
  EXPECT_EQ(second(Moved), 2u);
}

} // namespace
} // namespace blockmaestro
