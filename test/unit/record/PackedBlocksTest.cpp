// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is held of each block: it comes back as it was, and takes few bytes.

#include "blockmaestro/Recording.h"

#include <gtest/gtest.h>

#include <random>

using namespace blockmaestro;

namespace {

template <typename T> void expectSame(const std::vector<T> &Blocks) {
  const PackedBlocks<T> Packed = Blocks;
  ASSERT_EQ(Packed.size(), Blocks.size());
  size_t Next = 0;
  for (const T &Each : Packed)
    ASSERT_EQ(NumbersOf<T>::of(Each), NumbersOf<T>::of(Blocks[Next++]));
  EXPECT_EQ(Next, Blocks.size());
}

/// Any numbers, of which some are as before, and some the largest there are.
template <typename T> std::vector<T> anyBlocks(size_t Count) {
  std::mt19937_64 Random(7);
  std::vector<T> Out;
  auto Numbers = NumbersOf<T>::of({});
  for (size_t I = 0; I < Count; ++I) {
    for (uint64_t &Each : Numbers)
      if (Random() % 2)
        Each = Random() % 3 ? Random() >> Random() % 64 : ~uint64_t(0);
    NumbersOf<T>::set(Out.emplace_back(), Numbers);
  }
  return Out;
}

TEST(PackedBlocks, AnyNumbersComeBack) {
  expectSame<Event>({});
  expectSame(anyBlocks<RecordedCost>(1));
  expectSame(anyBlocks<RecordedCost>(20000));
  expectSame(anyBlocks<Event>(20000));
}

TEST(PackedBlocks, CopiesGoOnAlone) {
  PackedBlocks<Event> One;
  One.add({1, 2, 3, 4, 5});
  PackedBlocks<Event> Other = One;
  Other.add({1, 3, 9, 9, 9});
  EXPECT_EQ(One.size(), 1u);
  EXPECT_EQ(Other.all()[1].Start, 9u);
  EXPECT_EQ(One.all()[0].Where, 5u);
}

/// A byte for each block that is as its neighbour.
TEST(PackedBlocks, TakeWhatDiffers) {
  PackedBlocks<RecordedCost> Packed;
  for (uint64_t Block = 0; Block < 1000000; ++Block)
    Packed.add({3, Block, {.Integer = 1000, .Branches = 7}});
  EXPECT_LT(Packed.bytes(), 1100000u);
  EXPECT_EQ(Packed.size(), 1000000u);
}

} // namespace
