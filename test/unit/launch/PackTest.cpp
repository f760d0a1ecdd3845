// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A packed relation unpacks to its pairs; its bytes do not depend on the grid
// for any regular pattern; damaged bytes are refused or stay inside the grids.

#include "Pack.h"
#include "Encode.h"
#include "Graph.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

static constexpr uint64_t A = MemoryA, B = MemoryB, C = MemoryC;

static std::vector<uint8_t> packed(const Relation &R) {
  return pack(viewOf(encode(R), R.ConsumerGrid));
}

static Pairs pairsOf(const Unpacked &Of, Dim3 ConsumerGrid) {
  Pairs All;
  forEachEdge(viewOf(Of, ConsumerGrid),
              [&](uint64_t To, uint64_t From) { All.emplace(To, From); });
  return All;
}

static void expectKept(const Relation &R) {
  const auto Back = unpack(packed(R), R.ProducerGrid, R.ConsumerGrid);
  ASSERT_TRUE(Back);
  EXPECT_EQ(pairsOf(*Back, R.ConsumerGrid), encodedPairsOf(R));
}

TEST(Pack, RandomRelationsKeepTheirPairs) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(21);
  for (unsigned I = 0; I < 1500 && !testing::Test::HasFailure(); ++I) {
    SCOPED_TRACE(I);
    const Case P = I % 2 ? Cases.next() : Cases.nextComputed();
    expectKept(relateCases(P, I % 4 < 2 ? P : Cases.next(), Known));
  }
}

/// Block b waits for b XOR 1, in a row of blocks.
static Relation listed(uint32_t Blocks) {
  Relation R;
  R.ProducerGrid = R.ConsumerGrid = {Blocks, 1, 1};
  auto List = std::make_shared<BlockList>();
  List->Begin.push_back(0);
  for (uint32_t I = 0; I < Blocks; ++I) {
    List->Runs.push_back({I ^ 1, I ^ 1});
    List->Hazards.push_back(HazardRAW);
    List->Begin.push_back(I + 1);
  }
  R.List = std::move(List);
  return R;
}

TEST(Pack, ListsKeepTheirPairs) {
  expectKept(listed(64));
  Relation Shared = listed(4);
  auto List = std::make_shared<BlockList>(*Shared.List);
  List->Begin = {0, 0, 2, 2, 4};
  List->Runs = {{0, 0}, {2, 3}, {1, 1}, {3, 3}};
  Shared.List = List;
  expectKept(Shared);
}

/// Every cut and every changed byte is refused or names blocks of the grid.
static void expectSafe(const Relation &R) {
  const std::vector<uint8_t> Whole = packed(R);
  for (size_t Size = 0; Size < Whole.size(); ++Size)
    EXPECT_FALSE(
        unpack(std::span(Whole).first(Size), R.ProducerGrid, R.ConsumerGrid));
  for (size_t At = 0; At < Whole.size(); ++At)
    for (unsigned Value = 0; Value < 256; ++Value) {
      std::vector<uint8_t> Changed = Whole;
      Changed[At] = uint8_t(Value);
      const auto Back = unpack(Changed, R.ProducerGrid, R.ConsumerGrid);
      if (Back)
        for (const auto &[To, From] : pairsOf(*Back, R.ConsumerGrid))
          ASSERT_LT(From, R.ProducerGrid.count());
    }
}

TEST(Pack, DamageIsRefusedOrHarmless) {
  expectSafe(listed(16));
  expectSafe(relateCases(stencil(A, B, 40, 20, {8, 4, 1}),
                         stencil(B, A, 40, 20, {8, 4, 1}), memory(1 << 20)));
  expectSafe(relateCases(transpose(A, B, 32, 24, 4, 2),
                         matrixAdd(B, C, C, 24, 32, {4, 4, 1}),
                         memory(1 << 20)));
}

/// A kernel of one block that reads or writes everything.
static Case single(AccessKind Kind, int32_t Size) {
  Case One = vectorMap(A, B, Size, 32);
  One.Accesses = {{Kind, 0, 4, counter0, {}, false}};
  One.Extents[0] = int0;
  One.Grid = {1, 1, 1};
  return One;
}

/// Each block of a row of blocks reads or writes the whole row.
static Case wholeRows(int32_t Width, int32_t Height) {
  Case Rows = matrixAdd(A, A, A, Width, Height, {32, 1, 1});
  Rows.Accesses = {{AccessKind::Write, 0, 4, by * int0 + counter0, {}, false}};
  Rows.Extents[0] = int0;
  return Rows;
}

/// The relation of each pattern of Table I, on Factor times as many blocks.
static std::vector<std::pair<const char *, Relation>> patterns(int32_t Factor) {
  const int32_t Size = 128 * Factor;
  const AllocationMap Known = memory(uint64_t(1) << 32);
  auto Map = [&](uint64_t From, uint64_t To, int32_t Threads) {
    return vectorMap(From, To, Size, uint32_t(Threads));
  };
  const Case Stencil = stencil(A, B, Size, 32, {8, 8, 1});
  const Case Back = stencil(B, A, Size, 32, {8, 8, 1});
  auto Write = single(AccessKind::Write, Size),
       Read = single(AccessKind::Read, Size);
  return {
      {"1-to-1", relateCases(Map(A, B, 32), Map(B, C, 32), Known)},
      {"1-to-n", relateCases(Map(A, B, 64), Map(B, C, 32), Known)},
      {"1-to-n", relateCases(Write, Map(A, B, 32), Known)},
      {"n-to-1", relateCases(Map(A, B, 32), Map(B, C, 64), Known)},
      {"n-to-1", relateCases(Map(B, A, 32), Read, Known)},
      {"n-group", relateCases(wholeRows(128, 2 * Factor),
                              wholeRows(128, 2 * Factor), Known)},
      {"overlapped", relateCases(Stencil, Back, Known)},
      {"independent", relateCases(Map(A, B, 32), Map(A, C, 32), Known)},
  };
}

/// Ten times twice as many blocks take the same bytes, read and packed.
TEST(Pack, BytesDoNotGrowWithTheGrid) {
  const auto First = patterns(1);
  for (int32_t Doubled = 1; Doubled <= 10; ++Doubled) {
    const auto Now = patterns(1 << Doubled);
    for (size_t I = 0; I < First.size(); ++I) {
      SCOPED_TRACE(First[I].first);
      const Relation &Small = First[I].second, &Large = Now[I].second;
      EXPECT_TRUE(Large.Exact) << Large.Reason;
      EXPECT_EQ(encode(Large).bytes(), encode(Small).bytes());
      EXPECT_EQ(packed(Large).size(), packed(Small).size());
      if (Doubled <= 2)
        EXPECT_STREQ(patternName(viewOf(encode(Large), Large.ConsumerGrid)),
                     First[I].first);
    }
  }
}

TEST(Pack, AFullRelationIsOneByte) {
  Relation R;
  R.ProducerGrid = {1 << 20, 4, 1};
  R.ConsumerGrid = {7, 1, 1};
  R.Full = true;
  EXPECT_EQ(packed(R).size(), 1u);
}
