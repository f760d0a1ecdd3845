// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// InUse against the lists it stands for: every launch with all it touches.

#include "InUse.h"

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
  for (const Allocation &A : Places)
    for (const Allocation &B : Places)
      if (!same(A, B) && A.Base < B.Base + B.Bytes && B.Base < A.Base + A.Bytes)
        return true;
  return false;
}

/// Up to Most allocations, each once; few of them overlap others.
Used randomUse(std::mt19937_64 &Engine, size_t Most) {
  Used Out;
  const size_t Count = Engine() % (Most + 1);
  for (size_t I = 0; I < Count; ++I) {
    Allocation What{4096 + Engine() % 64 * 256, 256};
    if (Engine() % 200 == 0)
      What.Bytes += 1;
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

/// Launches of up to Most allocations each, in a window of Depth.
void compareRandom(uint64_t Seed, unsigned Depth, size_t Most) {
  std::mt19937_64 Engine(Seed);
  InUse Memory;
  std::vector<Used> All;
  std::vector<uint64_t> Marks;
  for (int Step = 0; Step < 400; ++Step) {
    const Used Next = randomUse(Engine, Most);
    Memory.use({Next.Where, Next.Uses, Next.Everywhere}, Depth, Marks);
    ASSERT_EQ(Marks.size(), Next.Where.size());
    for (size_t I = 0; I < Marks.size(); ++I)
      ASSERT_EQ(Marks[I], markOf(Next.Where[I], All, Depth)) << Step;
    if (overlap(All, Next, Depth)) {
      ASSERT_TRUE(Memory.overlapping()) << Step;
    }
    for (size_t Ago = 1; Ago <= Depth && Ago <= All.size(); ++Ago)
      ASSERT_EQ(Memory.conflicts(Ago),
                Ago > InUse::Furthest || meet(All[All.size() - Ago], Next))
          << Step << " " << Ago;
    All.push_back(Next);
  }
}

TEST(InUse, IsTheListsItStandsFor) {
  for (unsigned Depth : {1U, 2U, 8U, 32U, 63U, 64U, 65U, 80U})
    for (size_t Most : {1, 3, 10}) {
      SCOPED_TRACE(testing::Message() << Depth << " " << Most);
      compareRandom(Depth * 100 + Most, Depth, Most);
    }
}

TEST(InUse, OverlapsEndWhenTheLaunchLeaves) {
  InUse Memory;
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

TEST(InUse, SameBaseAndOtherSizeOverlap) {
  InUse Memory;
  std::vector<uint64_t> Marks;
  const std::vector<Allocation> Where{{100, 20}, {100, 10}};
  Memory.use({Where, {Reading, Writing}, {}}, 2, Marks);
  EXPECT_TRUE(Memory.overlapping());
  Memory.use({Where, {Reading, Reading}, {}}, 2, Marks);
  EXPECT_EQ(Marks,
            (std::vector<uint64_t>{uint64_t(1) << 32, uint64_t(1) << 32 | 1}));
  EXPECT_TRUE(Memory.conflicts(1));
}

TEST(InUse, NeighboursAreApart) {
  InUse Memory;
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
