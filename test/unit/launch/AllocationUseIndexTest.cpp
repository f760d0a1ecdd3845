// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AllocationUseIndex against the lists it stands for: every launch with all it
// touches.

#include "AllocationUseIndex.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace blockmaestro {
namespace {

/// One launch and all that it touches.
struct Used {
  std::vector<Allocation> Where;
  std::vector<MemoryUse> Uses;
  MemoryUse Everywhere;
};

constexpr MemoryUse Reading{true, false};
constexpr MemoryUse Writing{false, true};

bool same(const Allocation &A, const Allocation &B) {
  return A.Base == B.Base && A.Bytes == B.Bytes;
}

bool meet(const MemoryUse &A, const MemoryUse &B) {
  return (A.Writes && B.any()) || (B.Writes && A.any());
}

MemoryUse allOf(const Used &What) {
  MemoryUse All = What.Everywhere;
  for (const MemoryUse &Each : What.Uses) {
    All.Reads |= Each.Reads;
    All.Writes |= Each.Writes;
  }
  return All;
}

/// Whether two launches touch an allocation that one of them writes.
bool meet(const Used &A, const Used &B) {
  if (meet(A.Everywhere, allOf(B)) || meet(B.Everywhere, allOf(A)))
    return true;
  for (size_t I = 0; I < A.Where.size(); ++I)
    for (size_t J = 0; J < B.Where.size(); ++J)
      if (same(A.Where[I], B.Where[J]) && meet(A.Uses[I], B.Uses[J]))
        return true;
  return false;
}

/// The mark of What after All, of which the last Depth are in flight.
uint64_t markOf(const Allocation &What, const std::vector<Used> &All,
                size_t Depth) {
  for (size_t Ago = 1; Ago <= Depth && Ago <= All.size(); ++Ago) {
    const Used &Earlier = All[All.size() - Ago];
    for (size_t I = 0; I < Earlier.Where.size(); ++I)
      if (same(Earlier.Where[I], What))
        return Ago << 32 | I;
  }
  return 0;
}

/// Whether two different allocations of the last Depth launches and of Next
/// have a byte in common.
bool overlap(const std::vector<Used> &All, const Used &Next, size_t Depth) {
  std::vector<Allocation> Places = Next.Where;
  for (size_t Ago = 1; Ago <= Depth && Ago <= All.size(); ++Ago)
    for (const Allocation &Each : All[All.size() - Ago].Where)
      Places.push_back(Each);
  std::sort(Places.begin(), Places.end(),
            [](const Allocation &A, const Allocation &B) {
              return A.Base != B.Base ? A.Base < B.Base : A.Bytes < B.Bytes;
            });
  for (size_t I = 0; I + 1 < Places.size(); ++I)
    if (!same(Places[I], Places[I + 1]) &&
        Places[I + 1].Base - Places[I].Base < Places[I].Bytes)
      return true;
  return false;
}

/// Of launches: so many of Slots places from First on, some of another size.
struct Choice {
  size_t Most = 3;
  uint64_t Slots = 64;
  uint64_t First = 16;
  uint64_t LongerOneIn = 200;
  uint64_t ClearedOneIn = 1000;
};

/// Each allocation once; few of them overlap others.
Used randomUse(std::mt19937_64 &Engine, const Choice &From) {
  Used Out;
  const size_t Count = Engine() % (From.Most + 1);
  for (size_t I = 0; I < Count; ++I) {
    Allocation What{(From.First + Engine() % From.Slots) * 256, 256};
    if (Engine() % From.LongerOneIn == 0)
      What.Bytes += Engine() % 2 == 0 ? 1 : 700;
    const bool Again =
        std::any_of(Out.Where.begin(), Out.Where.end(),
                    [&](const Allocation &Each) { return same(Each, What); });
    if (Again)
      continue;
    Out.Where.push_back(What);
    Out.Uses.push_back(Engine() % 3 == 0 ? Writing : Reading);
  }
  if (Engine() % 50 == 0)
    Out.Everywhere = Engine() % 2 == 0 ? Writing : Reading;
  return Out;
}

/// Steps launches in a window of Depth, each after Drift places more.
void compareRandom(uint64_t Seed, unsigned Depth, Choice From, int Steps = 400,
                   uint64_t Drift = 0) {
  std::mt19937_64 Engine(Seed);
  AllocationUseIndex Memory;
  std::vector<Used> All;
  std::vector<uint64_t> Marks;
  for (int Step = 0; Step < Steps; ++Step, From.First += Drift) {
    if (Engine() % From.ClearedOneIn == 0) {
      Memory.clear();
      All.clear();
    }
    const Used Next = randomUse(Engine, From);
    Memory.use({Next.Where, Next.Uses, Next.Everywhere}, Depth, Marks);
    ASSERT_EQ(Marks.size(), Next.Where.size());
    for (size_t I = 0; I < Marks.size(); ++I)
      ASSERT_EQ(Marks[I], markOf(Next.Where[I], All, Depth)) << Step;
    ASSERT_EQ(Memory.overlapping(), overlap(All, Next, Depth)) << Step;
    bool Any = false;
    for (size_t Ago = 1; Ago <= Depth && Ago <= All.size(); ++Ago) {
      const bool Meets = Ago > AllocationUseIndex::Furthest ||
                         meet(All[All.size() - Ago], Next);
      ASSERT_EQ(Memory.conflicts(Ago), Meets) << Step << " " << Ago;
      Any |= Meets;
      ASSERT_EQ(Memory.anyConflict(Ago), Any) << Step << " " << Ago;
    }
    All.push_back(Next);
  }
}

TEST(AllocationUseIndex, IsTheListsItStandsFor) {
  for (unsigned Depth : {1U, 2U, 8U, 32U, 63U, 64U, 65U, 80U})
    for (size_t Most : {1, 3, 10}) {
      SCOPED_TRACE(testing::Message() << Depth << " " << Most);
      compareRandom(Depth * 100 + Most, Depth, {Most});
    }
}

TEST(AllocationUseIndex, WhatIsClearedIsInNoList) {
  for (unsigned Depth : {2U, 8U, 64U, 80U}) {
    SCOPED_TRACE(Depth);
    compareRandom(Depth, Depth, {3, 64, 16, 20, Depth + 5U});
  }
}

/// So many that they are found in many steps; most of them new and soon gone,
/// in places far apart, close together, and ever higher.
TEST(AllocationUseIndex, IsTheListsItStandsForOfManyRanges) {
  for (unsigned Depth : {2U, 16U, 40U})
    for (uint64_t Slots : {100, 1000, 100000})
      for (uint64_t Drift : {0, 7, 300}) {
        SCOPED_TRACE(testing::Message()
                     << Depth << " " << Slots << " " << Drift);
        const uint64_t OneIn = 40 * uint64_t(Depth);
        compareRandom(Slots + Drift, Depth, {20, Slots, 16, OneIn}, 250, Drift);
      }
}

TEST(AllocationUseIndex, TheHighestAddressIsOneAsAnother) {
  AllocationUseIndex Memory;
  std::vector<uint64_t> Marks;
  const std::vector<Allocation> Where{{~uint64_t(0), 1}, {0, 1}};
  Memory.use({Where, {Reading, Writing}, {}}, 2, Marks);
  EXPECT_EQ(Marks, (std::vector<uint64_t>{0, 0}));
  Memory.use({Where, {Reading, Writing}, {}}, 2, Marks);
  EXPECT_EQ(Marks,
            (std::vector<uint64_t>{uint64_t(1) << 32, uint64_t(1) << 32 | 1}));
  EXPECT_FALSE(Memory.overlapping());
}

TEST(AllocationUseIndex, OverlapsEndWhenTheLaunchLeaves) {
  AllocationUseIndex Memory;
  std::vector<uint64_t> Marks;
  const std::vector<MemoryUse> One{Reading};
  auto Use = [&](Allocation What) {
    const std::vector<Allocation> Where{What};
    Memory.use({Where, One, {}}, 2, Marks);
    return Memory.overlapping();
  };
  EXPECT_FALSE(Use({100, 10}));
  EXPECT_TRUE(Use({109, 10}));
  EXPECT_TRUE(Use({200, 10}));
  EXPECT_FALSE(Use({300, 10}));
  EXPECT_TRUE(Use({299, 2}));
}

/// The ranges from First on, a thousand apart.
std::vector<Allocation> rangesFrom(uint64_t First, uint64_t Count) {
  std::vector<Allocation> Out;
  for (uint64_t I = 0; I < Count; ++I)
    Out.push_back({(First + I) * 1000, 10});
  return Out;
}

/// Sixteen are two leaves, of which the upper one begins at the ninth, also
/// when that one is gone.
TEST(AllocationUseIndex, OverlapsReachFromLeafToLeaf) {
  for (bool Long : {true, false}) {
    AllocationUseIndex Memory;
    std::vector<uint64_t> Marks;
    auto Use = [&](const std::vector<Allocation> &Where) {
      const std::vector<MemoryUse> Uses(Where.size(), Reading);
      Memory.use({Where, Uses, {}}, 1, Marks);
      return Memory.overlapping();
    };
    EXPECT_FALSE(Use(rangesFrom(0, 16)));
    EXPECT_FALSE(Use(rangesFrom(16, 7)));
    EXPECT_EQ(Use({{23000, 10}, {7500, Long ? 501U : 500U}, {8000, 10}}), Long);
  }
}

TEST(AllocationUseIndex, SameBaseAndOtherSizeOverlap) {
  AllocationUseIndex Memory;
  std::vector<uint64_t> Marks;
  const std::vector<Allocation> Where{{100, 20}, {100, 10}};
  Memory.use({Where, {Reading, Writing}, {}}, 2, Marks);
  EXPECT_TRUE(Memory.overlapping());
  Memory.use({Where, {Reading, Reading}, {}}, 2, Marks);
  EXPECT_EQ(Marks,
            (std::vector<uint64_t>{uint64_t(1) << 32, uint64_t(1) << 32 | 1}));
  EXPECT_TRUE(Memory.conflicts(1));
}

TEST(AllocationUseIndex, NeighboursAreApart) {
  AllocationUseIndex Memory;
  std::vector<uint64_t> Marks;
  const std::vector<Allocation> Where{{200, 100}, {100, 100}, {300, 1}};
  Memory.use({Where, {Reading, Writing, Writing}, {}}, 2, Marks);
  EXPECT_FALSE(Memory.overlapping());
  const std::vector<Allocation> Between{{301, 1}, {99, 1}};
  Memory.use({Between, {Writing, Writing}, {}}, 2, Marks);
  EXPECT_FALSE(Memory.overlapping());
  EXPECT_FALSE(Memory.conflicts(1));
}

} // namespace
} // namespace blockmaestro
