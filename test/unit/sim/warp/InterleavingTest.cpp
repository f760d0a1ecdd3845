// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Parts of two lines of four sectors, in six slices with ten parts of a window.

#include "Interleaving.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

using namespace blockmaestro::sim;

namespace {

constexpr uint64_t Slices = 6, SectorsOfPart = 8, Window = 10;
constexpr Interleaving TenEach = {Slices, SectorsOfPart, 4, Window};

uint64_t lineOf(uint64_t Part) { return Part * SectorsOfPart / 4; }

TEST(Interleavings, ASliceHasAsManyPartsOfEachWindowAsOthersInRowsOfTheirOwn) {
  for (uint64_t First : {0, 60, 6000}) {
    std::map<size_t, std::set<uint64_t>> Rows;
    for (uint64_t Part = First; Part < First + Slices * Window; ++Part)
      for (uint64_t Line : {lineOf(Part), lineOf(Part) + 1})
        Rows[TenEach.sliceOf(Part)].insert(TenEach.rowOf(Line));
    ASSERT_EQ(Rows.size(), Slices);
    for (const auto &[Slice, Own] : Rows) {
      EXPECT_EQ(Own.size(), 2 * Window);
      EXPECT_EQ(*Own.rbegin() - *Own.begin() + 1, 2 * Window);
    }
  }
}

TEST(Interleavings, FewNeighboursMayBeInOneSlice) {
  std::set<size_t> Touched;
  for (uint64_t Part = 0; Part < Slices; ++Part)
    Touched.insert(TenEach.sliceOf(Part));
  EXPECT_LT(Touched.size(), Slices);
}

TEST(Interleavings, WithoutWindowsTheBitsOfAPartSayItsSlice) {
  const Interleaving Plain = {Slices, SectorsOfPart, 4, 0};
  for (uint64_t Part = 0; Part < 100; ++Part)
    EXPECT_EQ(Plain.sliceOf(Part), Part % Slices);
  EXPECT_EQ(Plain.rowOf(13), 2u);
}

} // namespace
