// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Keys in, out and looked for in random order, beside std::map.

#include "SegmentIndex.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

using namespace blockmaestro;

namespace {

/// One index and one map, told the same.
class IndexAndMap {
public:
  void toggle(uint64_t Key) {
    if (Truth.erase(Key) != 0)
      return Index.erase(Key);
    const auto Value = uint32_t(Key * 7);
    Truth[Key] = Value;
    Index.insert(Key, Value);
  }
  void expectAround(uint64_t Key) const {
    const auto Above = Truth.upper_bound(Key);
    const SegmentIndex::Neighbours Found = Index.around(Key);
    ASSERT_EQ(Found.Above,
              Above == Truth.end() ? SegmentIndex::None : Above->second);
    ASSERT_EQ(Found.Floor, Above == Truth.begin() ? SegmentIndex::None
                                                  : std::prev(Above)->second);
    ASSERT_EQ(Index.size(), Truth.size());
  }

  SegmentIndex Index;
  std::map<uint64_t, uint32_t> Truth;
};

TEST(SegmentIndexTest, KeysAreFoundInTheirOrder) {
  for (uint64_t Seed = 0; Seed < 20; ++Seed) {
    std::mt19937_64 Numbers(Seed);
    const uint64_t Space = 1 + Numbers() % 2000;
    IndexAndMap Both;
    for (unsigned Step = 0; Step < 5000; ++Step) {
      Both.toggle(Numbers() % Space);
      ASSERT_NO_FATAL_FAILURE(Both.expectAround(Numbers() % Space));
    }
  }
}

TEST(SegmentIndexTest, KeysMayComeInOrderOrBackwards) {
  for (const uint64_t Step : {uint64_t(3), uint64_t(-3)}) {
    IndexAndMap Both;
    for (uint64_t I = 0; I < 1000; ++I)
      Both.toggle(5000 + I * Step);
    for (uint64_t Key = 1900; Key < 8100; ++Key)
      ASSERT_NO_FATAL_FAILURE(Both.expectAround(Key));
  }
}

TEST(SegmentIndexTest, NothingIsFoundThatWasCleared) {
  IndexAndMap Both;
  for (uint64_t Round = 0; Round < 3; ++Round) {
    for (uint64_t I = 0; I < 500; ++I)
      Both.toggle(Round + I * 2);
    Both.expectAround(400);
    Both.Index.clear();
    Both.Truth.clear();
    Both.expectAround(400);
  }
}

} // namespace
