// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// More ranges than are found at once, in an order of no kind.

#include "LastUses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace blockmaestro;

namespace {

constexpr uint32_t Count = 30000;
constexpr uint64_t Bytes = 8;

class LastUsesTest : public ::testing::Test {
protected:
  std::vector<uint32_t> use(uint64_t First, uint64_t Last, DependKind How,
                            uint32_t Node) {
    std::vector<uint32_t> Out;
    Uses.use(First, Last, How, Node, Out);
    std::sort(Out.begin(), Out.end());
    return Out;
  }
  /// Node I of each writes range I.
  void writeAll() {
    for (uint32_t I : Order)
      ASSERT_TRUE(
          use(I * Bytes, I * Bytes + Bytes - 1, DependKind::Out, I).empty());
  }

  LastUsesTest() : Order(Count) {
    for (uint32_t I = 0; I < Count; ++I)
      Order[I] = I;
    std::shuffle(Order.begin(), Order.end(), std::mt19937(1));
  }

  LastUses Uses;
  std::vector<uint32_t> Order;
};

TEST_F(LastUsesTest, EachRangeIsFoundAgain) {
  writeAll();
  EXPECT_EQ(Uses.segments(), Count);
  std::reverse(Order.begin(), Order.end());
  for (uint32_t I : Order)
    ASSERT_EQ(use(I * Bytes, I * Bytes + Bytes - 1, DependKind::In, Count + I),
              std::vector<uint32_t>{I});
}

TEST_F(LastUsesTest, RangesThatAreJoinedAreNotFoundAlone) {
  writeAll();
  const uint32_t Half = Count / 2;
  EXPECT_EQ(use(0, Half * Bytes - 1, DependKind::Out, Count).size(), Half);
  EXPECT_EQ(Uses.segments(), Count - Half + 1);
  for (uint32_t I : Order)
    ASSERT_EQ(
        use(I * Bytes, I * Bytes + Bytes - 1, DependKind::Out, Count + 1 + I),
        std::vector<uint32_t>{I < Half ? Count : I});
}

TEST_F(LastUsesTest, RangesThatAreCutAreFoundInParts) {
  writeAll();
  for (uint32_t I : Order) {
    const uint64_t Middle = I * Bytes + Bytes / 2;
    ASSERT_EQ(use(Middle, Middle, DependKind::Out, Count + I),
              std::vector<uint32_t>{I});
    ASSERT_EQ(use(Middle + 1, Middle + 1, DependKind::In, 2 * Count + I),
              std::vector<uint32_t>{I});
    ASSERT_EQ(use(I * Bytes, Middle, DependKind::Out, 3 * Count + I),
              (std::vector<uint32_t>{I, Count + I}));
  }
}

TEST_F(LastUsesTest, NothingIsFoundThatWasCleared) {
  writeAll();
  Uses.clear();
  writeAll();
  EXPECT_EQ(Uses.segments(), Count);
}

} // namespace
