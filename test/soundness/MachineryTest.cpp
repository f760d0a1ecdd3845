// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The judges themselves, on small cases worked out by hand: C++'s arithmetic,
// sets of bytes, a footprint at a launch, a BlockAccess expanded.

#include "Arguments.h"
#include "Build.h"
#include "Expand.h"
#include "Generate.h"
#include "Instance.h"
#include "Interpret.h"
#include "IslSets.h"

#include "gtest/gtest.h"

using namespace blockmaestro;
using namespace blockmaestro::soundness;

namespace {

Bytes rangesOf(std::vector<std::pair<int64_t, int64_t>> Ranges) {
  Bytes B;
  for (auto [Low, High] : Ranges)
    B.add(Low, High);
  B.normalise();
  return B;
}

struct Arithmetic {
  Operator What;
  int64_t A;
  Int TypeA;
  int64_t B;
  Int TypeB;
  int64_t Expected;
  bool Undefined;
};

TEST(Integers, ArithmeticIsThatOfCxx) {
  constexpr int64_t Top = INT32_MAX, Bottom = INT32_MIN;
  const Arithmetic Cases[] = {
      {Operator::Add, Top, Int::I32, 1, Int::I32, Bottom, true},
      {Operator::Add, UINT32_MAX, Int::U32, 1, Int::I32, 0, false},
      {Operator::Subtract, 0, Int::U32, 1, Int::I32, UINT32_MAX, false},
      {Operator::Subtract, 0, Int::U16, 1, Int::U16, -1, false},
      {Operator::Multiply, 1 << 20, Int::I32, 1 << 20, Int::I64,
       int64_t(1) << 40, false},
      {Operator::Multiply, 1 << 20, Int::U32, 1 << 12, Int::I32, 0, false},
      {Operator::Divide, -7, Int::I32, 2, Int::I32, -3, false},
      {Operator::Remainder, -7, Int::I32, 2, Int::I32, -1, false},
      {Operator::Divide, -7, Int::I32, 2, Int::U32, 2147483644, false},
      {Operator::Divide, 1, Int::I32, 0, Int::I32, 0, true},
      {Operator::Remainder, Bottom, Int::I32, -1, Int::I32, 0, true},
      {Operator::ShiftRight, -5, Int::I32, 1, Int::I64, -3, false},
      {Operator::ShiftLeft, 1, Int::U8, 31, Int::I32, Bottom, false},
      {Operator::ShiftLeft, 1, Int::I32, 32, Int::I32, 0, true},
      {Operator::Less, -1, Int::I32, 0, Int::U32, 0, false},
      {Operator::Less, -1, Int::I64, 0, Int::U32, 1, false},
      {Operator::And, -1, Int::I8, 255, Int::I32, 255, false},
  };
  for (const Arithmetic &C : Cases) {
    bool Undefined = false;
    Wide Value = apply(C.What, C.A, C.TypeA, C.B, C.TypeB, Undefined);
    EXPECT_EQ(Undefined, C.Undefined) << spelling(C.What);
    if (!C.Undefined)
      EXPECT_EQ(int64_t(Value), C.Expected)
          << C.A << " " << spelling(C.What) << " " << C.B;
  }
}

TEST(Integers, TypesAreThoseOfCxx) {
  EXPECT_EQ(common(Int::I8, Int::U16), Int::I32);
  EXPECT_EQ(common(Int::I32, Int::U32), Int::U32);
  EXPECT_EQ(common(Int::U32, Int::I64), Int::I64);
  EXPECT_EQ(resultType(Operator::ShiftLeft, Int::U8, Int::I64), Int::I32);
  EXPECT_EQ(int64_t(wrapped(300, Int::U8)), 44);
  EXPECT_EQ(int64_t(wrapped(200, Int::I8)), -56);
}

TEST(Bytes, Inclusion) {
  Bytes A = rangesOf({{8, 11}, {0, 3}, {2, 5}});
  EXPECT_EQ(A.ranges().size(), 2u);
  EXPECT_EQ(A.count(), 10u);
  EXPECT_TRUE(A.contains(5));
  EXPECT_FALSE(A.contains(6));
  EXPECT_EQ(rangesOf({{0, 5}}).firstOutside(A), std::nullopt);
  EXPECT_EQ(rangesOf({{4, 7}}).firstOutside(A), 6);
  EXPECT_EQ(rangesOf({{-2, 1}}).firstOutside(A), -2);
  EXPECT_EQ(Bytes().firstOutside(A), std::nullopt);
}

/// if (i % 3 == 0 && i < 7) p[i] = 0, i the thread's number: one block of 10.
TEST(Interpret, TouchesWhatTheProgramTouches) {
  Kernel K;
  K.Arrays.push_back({Element::I16});
  Node Array = node(Op::Array);
  Array.Of = Element::I16;
  Node Write = node(Op::Write, {advance(Array, reg(0, 0))});
  Node Third =
      bin(Operator::Equal, bin(Operator::Remainder, reg(0, 0), num(3)), num(0));
  K.Body = sequence(
      {when(truth(Op::AndAlso, {Third, less(reg(0, 0), num(7))}), {Write})});
  print(K);
  LaunchCase L;
  L.Block = {10, 1, 1};
  std::vector<BlockTruth> Blocks;
  ASSERT_EQ(interpret(K, L, Blocks), Outcome::Done);
  ASSERT_EQ(Blocks[0].size(), 1u);
  const auto &[Key, Set] = *Blocks[0].begin();
  EXPECT_EQ(Key.Kind, AccessKind::Write);
  EXPECT_EQ(Key.Line, 5u);
  EXPECT_EQ(Set.ranges(), rangesOf({{0, 1}, {6, 7}, {12, 13}}).ranges());
}

/// A signed overflow in a thread makes the launch one that is not judged.
TEST(Interpret, NoticesUndefinedBehaviour) {
  Kernel K;
  K.Locals = {Int::I32};
  Node Let = node(Op::Let, {plus(num(INT32_MAX), cast(Int::I32, reg(0, 0)))});
  K.Body = sequence({Let});
  LaunchCase L;
  std::vector<BlockTruth> Blocks;
  EXPECT_EQ(interpret(K, L, Blocks), Outcome::Done);
  L.Block = {2, 1, 1};
  EXPECT_EQ(interpret(K, L, Blocks), Outcome::Undefined);
}

/// Two blocks of four threads that write p0[i] unless a function has ended
/// them before.
TEST(Interpret, ThreadsThatExitInAFunctionAreGone) {
  Kernel K;
  K.Arrays.push_back({Element::I8});
  Function F;
  Node Exit = node(Op::Exit, {less(reg(0, 0), num(2))});
  F.Body = sequence({Exit});
  K.Functions = {F};
  Node Array = node(Op::Array);
  Array.Of = Element::I8;
  K.Body =
      sequence({node(Op::Call), node(Op::Write, {advance(Array, reg(0, 0))})});
  print(K);
  LaunchCase L;
  L.Grid = {2, 1, 1};
  L.Block = {4, 1, 1};
  std::vector<BlockTruth> Blocks;
  ASSERT_EQ(interpret(K, L, Blocks), Outcome::Done);
  for (const BlockTruth &Block : Blocks) {
    ASSERT_EQ(Block.size(), 1u);
    EXPECT_EQ(Block.begin()->second.ranges(), rangesOf({{2, 3}}).ranges());
  }
}

/// A pointer of a bundle by the block's number; the third is none.
TEST(Interpret, PointersOfBundles) {
  Kernel K;
  K.Arrays.resize(2);
  K.Bundles.push_back(
      {BundleInfo::Packed, Element::Float, {1, 0, BundleInfo::Unused}});
  Node Chosen = node(Op::Chosen, {reg(1, 0)});
  K.Body = sequence({node(Op::Read, {advance(Chosen, num(-1))})});
  print(K);
  LaunchCase L;
  L.Grid = {2, 1, 1};
  std::vector<BlockTruth> Blocks;
  ASSERT_EQ(interpret(K, L, Blocks), Outcome::Done);
  EXPECT_EQ(Blocks[0].begin()->first.Array, 1u);
  EXPECT_EQ(Blocks[1].begin()->first.Array, 0u);
  EXPECT_EQ(Blocks[1].begin()->second.ranges(), rangesOf({{-4, -1}}).ranges());
  EXPECT_EQ(offsetIn(K.Bundles[0], 1), 14u);
  EXPECT_EQ(bytesOf(K.Bundles[0]), 39u);
  L.Grid = {3, 1, 1};
  EXPECT_EQ(interpret(K, L, Blocks), Outcome::Undefined);
}

/// What a launch touches is in its array's allocation and no other's, and its
/// pointer says so; edges are common.
TEST(PlanMemory, PointersAreAtEdges) {
  unsigned Ends = 0, Before = 0, Touching = 0;
  for (uint32_t Seed = 1; Seed <= 150; ++Seed) {
    Kernel K = generate(Seed);
    print(K);
    Random R(Seed);
    const LaunchCase L = randomLaunch(K, R);
    std::vector<BlockTruth> Blocks;
    if (interpret(K, L, Blocks) != Outcome::Done)
      continue;
    const MemoryPlan Plan = planMemory(K, L, Blocks);
    for (const BlockTruth &Block : Blocks)
      for (const auto &[T, Set] : Block)
        for (int64_t Byte :
             {Set.ranges().front().first, Set.ranges().back().second}) {
          const Allocation *In = Plan.Known.find(Plan.Pointers[T.Array] + Byte);
          ASSERT_NE(In, nullptr) << Seed;
          const Neighbourhood Of = Plan.Known.around(Plan.Pointers[T.Array]);
          EXPECT_TRUE(In == Of.Inside || In == Of.Ending || In == Of.Behind ||
                      Of.Crowded)
              << Seed;
          Ends += In == Of.Ending;
          Before += In == Of.Behind;
          Touching += In == Of.Ending && Of.Inside;
        }
  }
  EXPECT_GT(Ends, 50u);
  EXPECT_GT(Before, 50u);
  EXPECT_GT(Touching, 10u);
}

/// 8 * floor(tx / 4) + i0 bytes from tx on, while tx + i0 < 6: two sorts of
/// variables, a quotient and a condition over both.
class Handmade : public testing::Test {
protected:
  Handmade() {
    F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
                 {SymbolKind::Counter, 0, 0, 0, 4, true},
                 {SymbolKind::Quotient, 0, 0, 0, 4, true},
                 {SymbolKind::BlockDim, 0, 0, 0, 4, true},
                 {SymbolKind::Value, 0, 0, 0, 4, true}};
    F.Quotients.push_back({{{{1, {0}}}}, {{{4, {}}}}});
    F.CounterExtents.push_back({{{6, {}}, {-1, {0}}}});
    F.Values.push_back({{{{1, {0}}}}, {{{1, {0}}, {2, {}}}}});
    A.How = Exactness::Exact;
    A.Base.Kind = RootKind::Argument;
    A.ElementBytes = 1;
    A.Offset.Terms = {{8, {2}}, {1, {1}}};
    A.Domain.push_back({{{{5, {}}, {-1, {0}}, {-1, {1}}}}, false});
    L.Kernel = &R;
    L.Block = {7, 1, 1};
  }

  AccessBytes bytes() { return Instance(F, L).bytes(A, {0, 0, 0}); }

  Footprint F;
  KernelRecord R;
  Launch L;
  Access A;
};

TEST_F(Handmade, EveryPointOfTheDomain) {
  // tx 0..3: 0..5; tx 4: 8, 9; tx 5: 8.
  AccessBytes Is = bytes();
  EXPECT_EQ(Is.How, Meaning::Points);
  EXPECT_FALSE(Is.Loose);
  EXPECT_EQ(Is.Set.ranges(), rangesOf({{0, 5}, {8, 9}}).ranges());
}

TEST_F(Handmade, IslAgrees) {
  std::optional<Bytes> Set = bytesByIsl(Instance(F, L), A, {0, 0, 0});
  ASSERT_TRUE(Set);
  EXPECT_EQ(Set->ranges(), rangesOf({{0, 5}, {8, 9}}).ranges());
}

TEST_F(Handmade, ABoundIsTakenOneTooLarge) {
  A.Domain.clear();
  A.Offset.Terms = {{1, {1}}};
  EXPECT_EQ(bytes().Set.ranges(), rangesOf({{0, 6}}).ranges());
}

TEST_F(Handmade, AFailedAssumptionIsTheAllocation) {
  A.Assumptions.push_back({{{{1, {0}}}}, 3, false});
  EXPECT_EQ(bytes().How, Meaning::Points);
  A.Assumptions.push_back({{{{1, {0}}}}, 3, true});
  EXPECT_EQ(bytes().How, Meaning::Allocation);
}

TEST_F(Handmade, AnAssumptionUnderAConstraintIsAskedWhereThatHolds) {
  // tx is up to 6, and 5 where the loop's condition can hold.
  A.Assumptions.push_back({{{{1, {0}}, {2, {}}}}, 3, false, {0}});
  EXPECT_EQ(bytes().How, Meaning::Points);
  A.Assumptions[0].Under.clear();
  EXPECT_EQ(bytes().How, Meaning::Allocation);
  A.Assumptions = {{{{{1, {0}}, {3, {}}}}, 3, false, {0}}};
  EXPECT_EQ(bytes().How, Meaning::Allocation);
}

TEST_F(Handmade, ADenominatorOfZeroIsTheAllocation) {
  F.Quotients[0].Denominator = {{{1, {3}}, {-7, {}}}};
  EXPECT_EQ(bytes().How, Meaning::Allocation);
  L.Block = {8, 1, 1};
  EXPECT_EQ(bytes().How, Meaning::Points);
}

TEST_F(Handmade, ValuesTakeAllOfTheirRange) {
  // v0 in tx .. tx + 2, where 4 * v0 <= 21.
  A.How = Exactness::Bounded;
  A.Offset.Terms = {{10, {4}}};
  A.Domain[0].Value.Terms = {{21, {}}, {-4, {4}}};
  Bytes Expected;
  for (int64_t V = 0; V <= 5; ++V)
    Expected.add(10 * V, 10 * V);
  Expected.normalise();
  EXPECT_EQ(bytes().Set.ranges(), Expected.ranges());
}

TEST(Expand, CoordinatesClipsAndBlocks) {
  BlockAccess A;
  A.Coordinates = {{1, {4, 0, 0}, 2, 4, 0, 8}, {100, {0, 1, 0}, 0, 2}};
  A.BlockHigh[0] = 1;
  std::optional<Bytes> Set = expand(A, {1, 3, 0}, 100);
  ASSERT_TRUE(Set);
  EXPECT_EQ(Set->ranges(), rangesOf({{306, 308}, {406, 408}}).ranges());
  for (int64_t Byte = 290; Byte < 420; ++Byte)
    EXPECT_EQ(contains(A, {1, 3, 0}, Byte), Set->contains(Byte)) << Byte;
  EXPECT_TRUE(expand(A, {2, 3, 0}, 100)->empty());
  EXPECT_FALSE(contains(A, {2, 3, 0}, 306));
  EXPECT_FALSE(expand(A, {1, 3, 0}, 3));
  A.Coordinates[1].ClipHigh = 2;
  EXPECT_TRUE(expand(A, {1, 3, 0}, 1)->empty()) << "block 3 is beyond the clip";
}

} // namespace
