// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Accesses of one launch to the same bytes are related once; accesses that
// differ in anything are not taken for each other.

#include "Encode.h"
#include "Graph.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

namespace blockmaestro {
namespace {

using namespace test;

constexpr Dim3 Grid{4, 1, 1};

/// Every block's own 64 bytes.
BlockAccess own(AccessKind Kind) {
  BlockAccess A;
  A.Kind = Kind;
  A.How = Reach::Coordinates;
  A.Exact = true;
  A.Where = {4096, 4096};
  A.Coordinates.resize(1);
  A.Coordinates[0].PerBlock[0] = 64;
  A.Coordinates[0].Base = 256;
  A.Coordinates[0].Count = 64;
  return A;
}

LaunchAccesses launch(std::vector<BlockAccess> Accesses) {
  return {Grid, std::move(Accesses)};
}

void expectSame(const Relation &A, const Relation &B) {
  EXPECT_EQ(A.Full, B.Full);
  EXPECT_EQ(A.Exact, B.Exact);
  EXPECT_EQ(A.Reason, B.Reason);
  EXPECT_EQ(A.Hazards, B.Hazards);
  const Encoding X = encode(A), Y = encode(B);
  ASSERT_EQ(X.Pieces.size(), Y.Pieces.size());
  if (!X.Pieces.empty()) {
    EXPECT_EQ(std::memcmp(X.Pieces.data(), Y.Pieces.data(),
                          X.Pieces.size() * sizeof(EncodedPiece)),
              0);
  }
}

using Change = std::function<void(BlockAccess &)>;

const std::pair<const char *, Change> Changes[] = {
    {"base", [](BlockAccess &A) { A.Coordinates[0].Base += 64; }},
    {"count", [](BlockAccess &A) { A.Coordinates[0].Count += 64; }},
    {"step", [](BlockAccess &A) { A.Coordinates[0].PerBlock[0] = 128; }},
    {"clip", [](BlockAccess &A) { A.Coordinates[0].ClipHigh = 300; }},
    {"coordinates", [](BlockAccess &A) { A.Coordinates.clear(); }},
    {"first block", [](BlockAccess &A) { A.BlockLow[0] = 1; }},
    {"last block", [](BlockAccess &A) { A.BlockHigh[0] = 1; }},
    {"allocation", [](BlockAccess &A) { A.Where.Base += 8192; }},
    {"size",
     [](BlockAccess &A) {
       A.How = Reach::Range;
       A.Exact = false;
       A.Where.Bytes = 64;
     }},
    {"reach",
     [](BlockAccess &A) {
       A.How = Reach::Everything;
       A.Exact = false;
     }},
    {"exact", [](BlockAccess &A) { A.Exact = false; }},
    {"reason",
     [](BlockAccess &A) {
       A.Exact = false;
       A.Reason = "a reason";
     }},
};

TEST(SameSet, ReadAndWrittenIsOnePiece) {
  const LaunchAccesses Both =
      launch({own(AccessKind::Read), own(AccessKind::Write)});
  const Relation R = relate(Both, Both);
  EXPECT_EQ(R.Hazards, HazardRAW | HazardWAR | HazardWAW);
  EXPECT_TRUE(R.Exact);
  ASSERT_EQ(R.Pieces.size(), 1U);
  EXPECT_EQ(R.Pieces[0].Hazards, R.Hazards);
  expectSame(R, relate(launch({own(AccessKind::Atomic)}), Both));
}

/// Beside a read of the blocks' own bytes, which no reader waits for.
TEST(SameSet, WhatDiffersIsNotTakenForIt) {
  const LaunchAccesses Reader = launch({own(AccessKind::Read)});
  for (const auto &[Name, Apply] : Changes) {
    SCOPED_TRACE(Name);
    BlockAccess Other = own(AccessKind::Write);
    Apply(Other);
    expectSame(relate(launch({own(AccessKind::Read), Other}), Reader),
               relate(launch({Other}), Reader));
    expectSame(relate(Reader, launch({own(AccessKind::Read), Other})),
               relate(Reader, launch({Other})));
  }
}

/// So many bytes, so far into every thread's 16.
struct Member {
  uint32_t Bytes;
  int64_t At;
};

AccessSpec each(AccessKind Kind, Member What) {
  const int64_t Bytes = What.Bytes;
  const Poly Index = 16 / Bytes * (32 * bx + tx) + What.At / Bytes;
  return {Kind, 0, What.Bytes, Index, {}, false};
}

/// Structs of which one member is read, and others written that a later launch
/// reads.
TEST(SameSet, MembersWrittenBesideOneThatIsReadAreWaitedFor) {
  const struct {
    Member Read, Written, ReadLater;
  } Table[] = {
      {{4, 0}, {4, 4}, {4, 4}},
      {{4, 0}, {8, 0}, {4, 4}},
      {{4, 4}, {8, 0}, {4, 0}},
  };
  for (const auto &[Read, Written, ReadLater] : Table) {
    Case P = one(each(AccessKind::Read, Read), Grid, {32, 1, 1});
    P.Accesses.push_back(each(AccessKind::Write, Written));
    const Case C = one(each(AccessKind::Read, ReadLater), Grid, {32, 1, 1});
    const Relation R = relateCases(P, C, memory(4096));
    EXPECT_EQ(pairsOf(R), truePairs(P, C));
    EXPECT_EQ(pairsOf(R).size(), Grid.count());
  }
}

/// A launch that may read all of its memory and write any is waited for by who
/// reads other memory.
TEST(SameSet, AnythingWrittenBesideARangeIsWaitedFor) {
  BlockAccess Range = own(AccessKind::Read);
  Range.How = Reach::Range;
  Range.Exact = false;
  Range.Reason = "declared";
  Range.Coordinates.clear();
  BlockAccess Anywhere = Range;
  Anywhere.Kind = AccessKind::Write;
  Anywhere.How = Reach::Everything;
  BlockAccess Elsewhere = own(AccessKind::Read);
  Elsewhere.Where.Base += 8192;
  const LaunchAccesses Reader = launch({Elsewhere});
  EXPECT_TRUE(relate(launch({Range, Anywhere}), Reader).Full);
  EXPECT_TRUE(relate(launch({Anywhere, Range}), Reader).Full);
}

} // namespace
} // namespace blockmaestro
