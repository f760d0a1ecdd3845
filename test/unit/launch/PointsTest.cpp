// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Walking the points of an access in one block: the bytes are those that every
// point of the box, tried one by one, says; and the walk ends.

#include "Points.h"
#include "Narrow.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace blockmaestro;

namespace {

constexpr uint64_t Plenty = uint64_t(1) << 30;

/// 4 bytes at 4 * (tx + Row * ty + 32 * bx), of 8 x 4 threads and 6 blocks.
AccessForm rows(int64_t Row) {
  AccessForm Of;
  Of.ElementBytes = 4;
  Of.Offset.Of[0] = 4;
  Of.Offset.Of[1] = 4 * Row;
  Of.Offset.Of[FirstBlock] = 4 * 32;
  Of.Box[0] = {0, 7};
  Of.Box[1] = {0, 3};
  Of.Box[FirstBlock] = {0, 5};
  return Of;
}

Affine guard(int64_t Constant, int64_t X, int64_t Y, int64_t Counter = 0) {
  Affine Guard;
  Guard.Constant = Constant;
  Guard.Of[0] = X;
  Guard.Of[1] = Y;
  Guard.Of[FirstOther] = Counter;
  return Guard;
}

std::set<int64_t> walked(const AccessForm &Of, Dim3 Block) {
  std::vector<OffsetRange> Ranges;
  uint64_t Left = Plenty;
  EXPECT_TRUE(walkPoints(Of, Block, Left, Ranges));
  std::set<int64_t> Bytes;
  for (const OffsetRange &Each : Ranges)
    for (int64_t At = Each.First; At <= Each.Last; ++At)
      Bytes.insert(At);
  return Bytes;
}

int64_t valueOf(const Affine &Of, const std::array<int64_t, MaxIndices> &At) {
  int64_t Sum = Of.Constant;
  for (unsigned I = 0; I < MaxIndices; ++I)
    Sum += Of.Of[I] * At[I];
  return Sum;
}

/// By trying each x, y and counter.
std::set<int64_t> tried(const AccessForm &Of, uint32_t Block) {
  std::set<int64_t> Bytes;
  std::array<int64_t, MaxIndices> At{};
  At[FirstBlock] = Block;
  if (Block < Of.Box[FirstBlock].Low || Block > Of.Box[FirstBlock].High)
    return Bytes;
  for (At[0] = Of.Box[0].Low; At[0] <= Of.Box[0].High; ++At[0])
    for (At[1] = Of.Box[1].Low; At[1] <= Of.Box[1].High; ++At[1])
      for (At[FirstOther] = Of.Box[FirstOther].Low;
           At[FirstOther] <= Of.Box[FirstOther].High; ++At[FirstOther])
        if (std::all_of(
                Of.Conditions.begin(), Of.Conditions.end(),
                [&](const Affine &Each) { return valueOf(Each, At) >= 0; }))
          for (uint32_t J = 0; J < Of.ElementBytes; ++J)
            Bytes.insert(valueOf(Of.Offset, At) + J);
  return Bytes;
}

} // namespace

TEST(Points, RowsOfABlock) {
  std::vector<OffsetRange> Ranges;
  uint64_t Left = Plenty;
  ASSERT_TRUE(walkPoints(rows(100), {1, 0, 0}, Left, Ranges));
  ASSERT_EQ(Ranges.size(), 4u);
  for (int64_t Y = 0; Y < 4; ++Y) {
    EXPECT_EQ(Ranges[size_t(Y)].First, 128 + 400 * Y);
    EXPECT_EQ(Ranges[size_t(Y)].Last, 128 + 400 * Y + 31);
  }
  EXPECT_LT(Left, Plenty);
}

TEST(Points, BlocksOutsideTheBoxTouchNothing) {
  AccessForm Of = rows(8);
  Of.Box[FirstBlock] = {2, 3};
  EXPECT_TRUE(walked(Of, {1, 0, 0}).empty());
  EXPECT_TRUE(walked(Of, {4, 0, 0}).empty());
  EXPECT_EQ(walked(Of, {2, 0, 0}).size(), 128u);
}

/// No coordinate could follow it: 3 x + 5 y <= 17, in rows of 4.
TEST(Points, AConditionAcrossTwoIndices) {
  AccessForm Of = rows(4);
  Of.Conditions = {guard(17, -3, -5)};
  EXPECT_EQ(walked(Of, {0, 0, 0}), tried(Of, 0));
  EXPECT_EQ(*walked(Of, {0, 0, 0}).rbegin(), 4 * 4 * 3 + 3);
}

/// A counter that does not move the address only has to exist.
TEST(Points, ACounterThatDoesNotMoveTheAddress) {
  AccessForm Of = rows(8);
  Of.Box[FirstOther] = {0, 9};
  Of.Conditions = {guard(-7, 1, 0, 2), guard(9, -1, 0, -2)};
  EXPECT_EQ(walked(Of, {0, 0, 0}), tried(Of, 0));
  Of.Conditions.push_back(guard(-40, 1, 1, 1));
  EXPECT_TRUE(walked(Of, {0, 0, 0}).empty());
}

/// One element, and a condition on nothing that ranges.
TEST(Points, NoIndexIsLeft) {
  AccessForm Of = rows(8);
  Of.Box[0] = {3, 3};
  Of.Box[1] = {1, 1};
  EXPECT_EQ(walked(Of, {0, 0, 0}), (std::set<int64_t>{44, 45, 46, 47}));
  Of.Conditions = {guard(-5, 1, 1)};
  EXPECT_TRUE(walked(Of, {0, 0, 0}).empty());
}

/// y > counter and counter >= y: each narrows the other by one, until a single
/// point is left that meets only one of them, or it is not followed further.
TEST(Points, ConditionsThatContradictEachOther) {
  for (Interval X : {Interval{0, 7}, Interval{3, 3}})
    for (int64_t Most = 0; Most < 40; ++Most) {
      AccessForm Of = rows(8);
      Of.Box[0] = X;
      Of.Box[1] = Of.Box[FirstOther] = {0, Most};
      Of.Conditions = {guard(-1, 0, 1, -1), guard(0, 0, -1, 1)};
      EXPECT_TRUE(walked(Of, {0, 0, 0}).empty()) << Most;
    }
}

TEST(Points, TheWalkEnds) {
  AccessForm Of = rows(8);
  Of.Offset.Of[0] = 8;
  Of.Box[0] = {0, int64_t(1) << 40};
  std::vector<OffsetRange> Ranges;
  uint64_t Left = 1000;
  EXPECT_FALSE(walkPoints(Of, {0, 0, 0}, Left, Ranges));
  EXPECT_LE(Ranges.size(), 1000u);
  Of = rows(1 << 20);
  Of.Box[1] = {0, int64_t(1) << 30};
  Of.Conditions = {guard(-1, 0, 0, 1), guard(0, 0, 1, -1)};
  Of.Box[FirstOther] = {0, int64_t(1) << 30};
  Left = 1000;
  EXPECT_FALSE(walkPoints(Of, {0, 0, 0}, Left, Ranges));
}

/// Random conditions and strides; the same bytes as trying each point.
TEST(Points, TheSameAsTryingEachPoint) {
  std::mt19937_64 Random(7);
  auto Pick = [&](int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  };
  size_t Some = 0;
  for (unsigned Round = 0; Round < 3000; ++Round) {
    AccessForm Of = rows(Pick(-9, 9));
    Of.Offset.Of[0] = Pick(-9, 9);
    Of.Offset.Of[FirstOther] = Pick(0, 1) * Pick(-40, 40);
    Of.Offset.Constant = Pick(-100, 100);
    Of.ElementBytes = uint32_t(1) << Pick(0, 4);
    Of.Box[FirstOther] = {Pick(-2, 0), Pick(0, 4)};
    for (int64_t Count = Pick(0, 3); Count > 0; --Count) {
      Of.Conditions.push_back(
          guard(Pick(-10, 20), Pick(-4, 4), Pick(-4, 4), Pick(-4, 4)));
      Of.Conditions.back().Of[FirstBlock] = Pick(-4, 4);
    }
    const auto Block = uint32_t(Pick(0, 6));
    const std::set<int64_t> Bytes = walked(Of, {Block, 0, 0});
    ASSERT_EQ(Bytes, tried(Of, Block)) << "round " << Round;
    Some += !Bytes.empty();
  }
  EXPECT_GT(Some, 1000u);
}
