// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What evaluation makes of single accesses: the form of the result, and why it
// widens.

#include "Evaluate.h"
#include "Graph.h"
#include "Membership.h"
#include "Oracle.h"
#include "Programs.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

static LaunchAccesses evaluated(const Case &C,
                                const AllocationMap &Known = memory(1 << 20)) {
  const KernelRecord Kernel = C.kernel();
  return evaluate(C.launch(Kernel), Known);
}

/// The access after Change has been made to the footprint.
template <typename Change>
static BlockAccess changed(const Case &C, Change How) {
  KernelRecord Kernel = C.kernel();
  How(Kernel.Bytes.Accesses[0]);
  return evaluate(C.launch(Kernel), memory(1 << 20)).Accesses.at(0);
}

static const AccessSpec Linear = {AccessKind::Read, 0,  4,
                                  bx *dimX + tx,    {}, false};

TEST(Evaluate, RowsAndColumns) {
  Case C = matrixAdd(MemoryA, MemoryB, MemoryC, 500, 60, {32, 8, 1});
  const BlockAccess A = evaluated(C).Accesses.at(0);
  ASSERT_EQ(A.Coordinates.size(), 2u);
  EXPECT_EQ(A.Coordinates[0].Stride, 1);
  EXPECT_EQ(A.Coordinates[0].PerBlock[0], 128);
  EXPECT_EQ(A.Coordinates[0].Count, 128);
  EXPECT_EQ(A.Coordinates[0].ClipHigh, 1999);
  EXPECT_EQ(A.Coordinates[1].Stride, 2000);
  EXPECT_EQ(A.Coordinates[1].PerBlock[1], 8);
  EXPECT_EQ(A.Coordinates[1].Count, 8);
  EXPECT_EQ(A.Coordinates[1].ClipHigh, 59);
  EXPECT_EQ(A.ByteHigh, 0);
  EXPECT_TRUE(A.Exact);
}

TEST(Evaluate, Backwards) {
  AccessSpec Spec = Linear;
  Spec.Index = 1023 - (bx * dimX + tx);
  const BlockAccess A =
      evaluated(one(Spec, {4, 1, 1}, {256, 1, 1})).Accesses.at(0);
  ASSERT_EQ(A.Coordinates.size(), 1u);
  EXPECT_EQ(A.Coordinates[0].PerBlock[0], -1024);
  EXPECT_EQ(A.Coordinates[0].Base, 768 * 4);
  EXPECT_EQ(A.Coordinates[0].Count, 1024);
}

TEST(Evaluate, EverySecondElement) {
  AccessSpec Spec = Linear;
  Spec.Index = 2 * (bx * dimX + tx) + 1;
  const BlockAccess A =
      evaluated(one(Spec, {4, 1, 1}, {32, 1, 1})).Accesses.at(0);
  ASSERT_EQ(A.Coordinates.size(), 1u);
  EXPECT_EQ(A.Coordinates[0].Stride, 8);
  EXPECT_EQ(A.Coordinates[0].Count, 32);
  EXPECT_EQ(A.ByteLow, 4);
  EXPECT_EQ(A.ByteHigh, 7);
  EXPECT_TRUE(A.Exact);
}

TEST(Evaluate, OneBlockOnly) {
  AccessSpec Spec = Linear;
  Spec.Guards = {bx - 2, 2 - bx, 0 - tx};
  const BlockAccess A =
      evaluated(one(Spec, {4, 1, 1}, {32, 1, 1})).Accesses.at(0);
  EXPECT_EQ(A.BlockLow[0], 2);
  EXPECT_EQ(A.BlockHigh[0], 2);
  ASSERT_EQ(A.Coordinates.size(), 1u);
  EXPECT_EQ(A.Coordinates[0].Base, 256);
  EXPECT_EQ(A.Coordinates[0].Count, 4);
  EXPECT_TRUE(A.Exact);
}

TEST(Evaluate, NobodyGetsThere) {
  AccessSpec Spec = Linear;
  Spec.Guards = {bx - 4};
  EXPECT_TRUE(evaluated(one(Spec, {4, 1, 1}, {32, 1, 1})).Accesses.empty());
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Index = C.Accesses[0].Index + counter0;
  C.Extents[0] = int0;
  EXPECT_TRUE(evaluated(C).Accesses.empty());
}

/// do { ... } while (--n) with an unsigned n of 0 runs 2^32 times: the extent
/// is 0 only because the arithmetic wrapped, which its assumption says.
TEST(Evaluate, AnEmptyLoopIsBelievedOnlyAfterItsAssumptions) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Index = C.Accesses[0].Index + counter0;
  C.Extents[0] = int0;
  const BlockAccess A = changed(C, [](Access &Of) {
    Of.Assumptions.push_back({(int0 - 1).build(), 32, false});
  });
  EXPECT_EQ(A.How, Reach::Range);
  EXPECT_FALSE(A.Exact);
}

TEST(Evaluate, WrapWidensToTheAllocation) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Index = bx * dimX + tx + int0;
  C.Accesses[0].Int32 = true;
  C.Ints[0] = INT32_MAX - 127;
  const AllocationMap Huge = memory(uint64_t(1) << 40);
  EXPECT_EQ(evaluated(C, Huge).Accesses.at(0).How, Reach::Coordinates);
  C.Ints[0] = INT32_MAX - 126;
  const BlockAccess A = evaluated(C, Huge).Accesses.at(0);
  EXPECT_EQ(A.How, Reach::Range);
  EXPECT_EQ(A.Where.Base, MemoryA);
  EXPECT_NE(A.Reason.find("wrap around"), std::string::npos);
}

TEST(Evaluate, WhatIsReadFromMemoryIsTheReasonAndNotThatItMayWrap) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {INT32_MIN, INT32_MAX};
  C.Accesses[0].Index = tx - value0;
  const BlockAccess A = changed(C, [](Access &Of) {
    Of.How = Exactness::Bounded;
    Of.Reason = "the index is itself read from memory";
    Of.Assumptions.push_back({(tx - value0).build(), 32, true});
  });
  EXPECT_EQ(A.How, Reach::Range);
  EXPECT_EQ(A.Reason, "the index is itself read from memory");
}

TEST(Evaluate, UnknownPointersReachEverything) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Pointers[0] = 0x1000;
  const BlockAccess A = evaluated(C).Accesses.at(0);
  EXPECT_EQ(A.How, Reach::Everything);
  EXPECT_NE(A.Reason.find("no allocation"), std::string::npos);
  C.Pointers[0] = MemoryA + (1 << 20);
  EXPECT_EQ(evaluated(C).Accesses.at(0).How, Reach::Everything);
}

/// A number beside the pointers of a structure, which no index of the launch
/// leads to.
TEST(Evaluate, WhatNeverHappensNeedsNoPointer) {
  AccessSpec Spec = Linear;
  Spec.Guards = {bx - 4};
  Case C = one(Spec, {4, 1, 1}, {32, 1, 1});
  C.Pointers[0] = 7;
  EXPECT_TRUE(evaluated(C).Accesses.empty());
  C.Grid.X = 5;
  EXPECT_EQ(evaluated(C).Accesses.at(0).How, Reach::Everything);
  C.Grid.X = 4;
  const BlockAccess A = changed(C, [](Access &Of) {
    Of.Assumptions.push_back({(tx - 5).build(), 32, false});
  });
  EXPECT_EQ(A.How, Reach::Everything);
}

TEST(Evaluate, OutOfBoundsReachesEverything) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  EXPECT_EQ(evaluated(C, memory(512)).Accesses.at(0).How, Reach::Coordinates);
  const BlockAccess A = evaluated(C, memory(508)).Accesses.back();
  EXPECT_EQ(A.How, Reach::Everything);
  EXPECT_NE(A.Reason.find("leaves the allocation"), std::string::npos);
}

/// For each block whether it may touch anything; all others touch what they do.
std::vector<bool> leaving(const Case &C, uint64_t Bytes) {
  const LaunchAccesses Found = evaluated(C, memory(Bytes));
  const LaunchAccesses Whole = evaluated(C, memory(1 << 20));
  std::vector<bool> Result;
  for (uint32_t Z = 0; Z < C.Grid.Z; ++Z)
    for (uint32_t Y = 0; Y < C.Grid.Y; ++Y)
      for (uint32_t X = 0; X < C.Grid.X; ++X) {
        bool Anything = false;
        for (const BlockAccess &A : Found.Accesses)
          Anything |= hasByte(A, {X, Y, Z}, MemoryB);
        Result.push_back(Anything);
        for (uint64_t At = MemoryA; At < MemoryA + 2 * Bytes && !Anything; ++At)
          EXPECT_EQ(mayTouch(Found, {X, Y, Z}, At, 1, true, false),
                    mayTouch(Whole, {X, Y, Z}, At, 1, true, false));
      }
  return Result;
}

TEST(Evaluate, OnlyBlocksThatLeaveReachEverything) {
  const Case Line = one(Linear, {6, 1, 1}, {32, 1, 1});
  using Blocks = std::vector<bool>;
  EXPECT_EQ(leaving(Line, 768), Blocks(6, false));
  EXPECT_EQ(leaving(Line, 767), (Blocks{0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(leaving(Line, 512), (Blocks{0, 0, 0, 0, 1, 1}));
  EXPECT_EQ(leaving(Line, 511), (Blocks{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(leaving(Line, 127), Blocks(6, true));
  Case Back = Line;
  Back.Accesses[0].Index = 64 - 32 * bx + tx;
  EXPECT_EQ(leaving(Back, 384), (Blocks{0, 0, 0, 1, 1, 1}));
  const Case Rows =
      one({AccessKind::Read, 0, 4, 96 * by + 32 * bx + tx, {}, false},
          {3, 3, 1}, {32, 1, 1});
  EXPECT_EQ(leaving(Rows, 1152), Blocks(9, false));
  EXPECT_EQ(leaving(Rows, 1151), (Blocks{0, 0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(leaving(Rows, 900), (Blocks{0, 0, 0, 0, 0, 0, 0, 1, 1}));
}

/// A number from memory that leads to nothing in the allocation leads nowhere:
/// as in the half of a signed division that is below zero.
TEST(Evaluate, NumbersFromMemoryDoNotLeave) {
  Case C =
      one({AccessKind::Read, 0, 4, value0, {}, false}, {4, 1, 1}, {32, 1, 1});
  C.Values[0] = {Poly(-100), Poly(-1)};
  EXPECT_TRUE(evaluated(C).Accesses.empty());
  C.Values[0] = {Poly(-100), Poly(0)};
  const std::vector<BlockAccess> Found = evaluated(C).Accesses;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].How, Reach::Coordinates);
}

/// Through a pointer in front of the allocation they may lead into it.
TEST(Evaluate, NumbersFromMemoryLeadIntoAnAllocation) {
  Case C =
      one({AccessKind::Read, 0, 4, value0, {}, false}, {4, 1, 1}, {32, 1, 1});
  C.Pointers[0] = MemoryA - 4;
  for (int64_t High : {0, 1, 1000}) {
    C.Values[0] = {Poly(-100), Poly(High)};
    const std::vector<BlockAccess> Found = evaluated(C).Accesses;
    ASSERT_EQ(Found.size(), 1u) << High;
    EXPECT_EQ(Found[0].How, Reach::Everything) << High;
  }
}

TEST(Evaluate, CompilerSaidAllocationOrUnknown) {
  const Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  const BlockAccess Whole = changed(C, [](Access &A) {
    A.How = Exactness::Allocation;
    A.Reason = "index loaded from memory";
  });
  EXPECT_EQ(Whole.How, Reach::Range);
  EXPECT_EQ(Whole.Reason, "index loaded from memory");
  const BlockAccess Any = changed(C, [](Access &A) {
    A.How = Exactness::Unknown;
    A.Reason = "inline assembly";
  });
  EXPECT_EQ(Any.How, Reach::Everything);
  EXPECT_EQ(Any.Reason, "inline assembly");
}

TEST(Evaluate, EqualityIsTwoBounds) {
  const BlockAccess A =
      changed(one(Linear, {4, 1, 1}, {32, 1, 1}),
              [](Access &A) { A.Domain.push_back({(tx - 5).build(), true}); });
  EXPECT_EQ(A.Coordinates.at(0).Base, 20);
  EXPECT_EQ(A.Coordinates.at(0).Count, 4);
  EXPECT_TRUE(A.Exact);
}

TEST(Evaluate, ProductOfIndicesIsTheAllocation) {
  AccessSpec Spec = Linear;
  Spec.Index = tx * bx;
  const BlockAccess A =
      evaluated(one(Spec, {4, 1, 1}, {32, 1, 1})).Accesses.at(0);
  EXPECT_EQ(A.How, Reach::Range);
  EXPECT_NE(A.Reason.find("multiplied"), std::string::npos);
}

TEST(Evaluate, HugeProductsDoNotOverflowSilently) {
  Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  C.Accesses[0].Index = int0 * int0 * int0 + tx;
  C.Ints[0] = INT32_MAX;
  const BlockAccess A = evaluated(C).Accesses.at(0);
  EXPECT_EQ(A.How, Reach::Range);
  EXPECT_NE(A.Reason.find("64 bits"), std::string::npos);
}

TEST(Evaluate, ArgumentsHaveTheirSignAndSize) {
  Case C = one(Linear, {1, 1, 1}, {32, 1, 1});
  C.Accesses[0].Index = tx + int0;
  C.Ints[0] = -1; // 0xffffffff: 255 as an unsigned byte.
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Symbols[Int0].Bytes = 1;
  Kernel.Bytes.Symbols[Int0].Signed = false;
  const LaunchAccesses L = evaluate(C.launch(Kernel), memory(1 << 20));
  EXPECT_EQ(L.Accesses.at(0).Coordinates.at(0).Base, 255 * 4);
}

TEST(Evaluate, Globals) {
  const Case C = one(Linear, {4, 1, 1}, {32, 1, 1});
  KernelRecord Kernel = C.kernel();
  Kernel.Bytes.Accesses[0].Base.Kind = RootKind::Global;
  Kernel.Bytes.Accesses[0].Base.Global = "table";
  AllocationMap Known;
  EXPECT_EQ(evaluate(C.launch(Kernel), Known).Accesses.at(0).How,
            Reach::Everything);
  Known.addGlobal("table", {0x5000, 512});
  const LaunchAccesses L = evaluate(C.launch(Kernel), Known);
  EXPECT_EQ(L.Accesses.at(0).Where.Base, 0x5000u);
  EXPECT_TRUE(L.Accesses.at(0).Exact);
  Known.addGlobal("table", {0x9000, 512});
  EXPECT_EQ(evaluate(C.launch(Kernel), Known).Accesses.at(0).How,
            Reach::Everything);
}

TEST(Allocations, FindsAndReplaces) {
  AllocationMap Known;
  Known.add({100, 50});
  Known.add({200, 50});
  EXPECT_EQ(Known.find(99), nullptr);
  EXPECT_EQ(Known.find(100)->Base, 100u);
  EXPECT_EQ(Known.find(149)->Base, 100u);
  EXPECT_EQ(Known.find(150), nullptr);
  Known.add({140, 70});
  EXPECT_EQ(Known.find(100), nullptr);
  EXPECT_EQ(Known.find(209)->Base, 140u);
  EXPECT_EQ(Known.find(240), nullptr);
  EXPECT_TRUE(Known.remove(140));
  EXPECT_FALSE(Known.remove(140));
}

TEST(Graph, WidenedAccessesRelateAllBlocks) {
  LaunchAccesses Unknown, Known;
  Unknown.Grid = Known.Grid = {4, 1, 1};
  Unknown.Accesses.resize(1);
  Unknown.Accesses[0].Kind = AccessKind::Write;
  Unknown.Accesses[0].Reason = "inline assembly";
  Known.Accesses.resize(1);
  Known.Accesses[0].How = Reach::Range;
  Known.Accesses[0].Where = {4096, 64};
  const Relation R = relate(Unknown, Known);
  EXPECT_TRUE(R.Full);
  EXPECT_FALSE(R.Exact);
  EXPECT_EQ(R.Hazards, HazardRAW);
  EXPECT_EQ(R.Reason, "inline assembly");
  EXPECT_TRUE(relate(Known, Known).independent());
}

/// Tiles of an anti-diagonal of a table of 101 x 101 floats, tile (6-b, b), of
/// which the last row and column have 4 cells: b goes down one stride and up
/// the other, as the guards say.
static Case diagonalTiles(const Poly &Row, const Poly &Column) {
  Case C = one({AccessKind::Write,
                0,
                4,
                Row * 101 + Column,
                {99 - Row, 99 - Column},
                false},
               {7, 1, 1}, {16, 16, 1});
  return C;
}

TEST(Evaluate, TilesOfAnAntiDiagonal) {
  const BlockAccess A =
      evaluated(diagonalTiles(16 * bx + ty, 96 - 16 * bx + tx)).Accesses.at(0);
  ASSERT_EQ(A.Coordinates.size(), 2u);
  EXPECT_EQ(A.Coordinates[0].Stride, 1);
  EXPECT_EQ(A.Coordinates[0].PerBlock[0], -64);
  EXPECT_EQ(A.Coordinates[0].Count, 64);
  EXPECT_EQ(A.Coordinates[0].ClipHigh, 399);
  EXPECT_EQ(A.Coordinates[1].Stride, 404);
  EXPECT_EQ(A.Coordinates[1].PerBlock[0], 16);
  EXPECT_EQ(A.Coordinates[1].Count, 16);
  EXPECT_EQ(A.Coordinates[1].ClipHigh, 99);
  EXPECT_TRUE(A.Exact);
}

TEST(Evaluate, FirstRowsOfTilesOfAnAntiDiagonal) {
  const BlockAccess A =
      evaluated(diagonalTiles(16 * bx, 96 - 16 * bx + tx)).Accesses.at(0);
  ASSERT_EQ(A.Coordinates.size(), 2u);
  EXPECT_EQ(A.Coordinates[0].PerBlock[0], -64);
  EXPECT_EQ(A.Coordinates[0].ClipHigh, 399);
  EXPECT_EQ(A.Coordinates[1].Stride, 16 * 404);
  EXPECT_EQ(A.Coordinates[1].PerBlock[0], 1);
  EXPECT_EQ(A.Coordinates[1].Count, 1);
  EXPECT_TRUE(A.Exact);
}

/// An atomic reads and writes, before and after.
TEST(Hazards, OfEveryTwoKinds) {
  const AccessKind Kinds[] = {AccessKind::Read, AccessKind::Write,
                              AccessKind::Atomic};
  const uint8_t R = HazardRAW, A = HazardWAR, W = HazardWAW;
  const int Expected[3][3] = {{0, A, A}, {R, W, R | W}, {R, A | W, R | A | W}};
  for (int P = 0; P < 3; ++P)
    for (int C = 0; C < 3; ++C) {
      AccessSpec Earlier = Linear, Later = Linear;
      Earlier.Kind = Kinds[P];
      Later.Kind = Kinds[C];
      const Relation How =
          relateCases(one(Earlier, {4, 1, 1}, {32, 1, 1}),
                      one(Later, {4, 1, 1}, {32, 1, 1}), memory(1 << 20));
      EXPECT_EQ(How.Hazards, Expected[P][C]) << P << ' ' << C;
      EXPECT_EQ(How.independent(), Expected[P][C] == 0);
      for (const Piece &Each : How.Pieces)
        EXPECT_EQ(Each.Hazards, Expected[P][C]);
    }
}
