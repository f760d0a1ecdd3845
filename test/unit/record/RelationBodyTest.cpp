// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A relation's bytes give its pairs and hazards back, piece by piece and run by
// run; they do not grow with the grid for any regular pattern; damaged ones are
// refused or stay inside the grids.

#include "RelationBody.h"

#include "Edges.h"
#include "Encode.h"
#include "Graph.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

static constexpr uint64_t A = MemoryA, B = MemoryB, C = MemoryC;

/// As runtime/cuda records it.
static RecordedRelation recorded(const Relation &R) {
  Encoding Form = encode(R);
  RecordedRelation Out;
  Out.Hazards = R.Hazards;
  Out.Exact = R.Exact;
  Out.Header = Form.Header;
  Out.Pieces = Form.Pieces;
  for (size_t I = 0; I < Form.Pieces.size(); ++I)
    Out.PieceHazards.push_back(R.Pieces[I].Hazards);
  Out.List = Form.List;
  return Out;
}

static std::string packed(const Relation &R) {
  return record::packRelation(recorded(R), R.ConsumerGrid);
}

/// What the bytes say, or null.
static std::unique_ptr<RecordedRelation> unpacked(const std::string &Body,
                                                  const Relation &R) {
  auto Out = std::make_unique<RecordedRelation>();
  bool HasReason = false;
  return record::unpackRelation(Body, R.ProducerGrid, R.ConsumerGrid, *Out,
                                HasReason)
             ? nullptr
             : std::move(Out);
}

static bool isEmpty(const ProducerBox &Box) {
  return Box.Low[0] > Box.High[0] || Box.Low[1] > Box.High[1] ||
         Box.Low[2] > Box.High[2];
}

static bool sameBox(const ProducerBox &P, const ProducerBox &Q) {
  return (isEmpty(P) && isEmpty(Q)) || (std::equal(P.Low, P.Low + 3, Q.Low) &&
                                        std::equal(P.High, P.High + 3, Q.High));
}

/// Both give every consumer block the same producers.
static void expectSamePiece(const EncodedPiece &P, const EncodedPiece &Q,
                            Dim3 ConsumerGrid) {
  for (uint64_t I = 0; I < ConsumerGrid.count(); ++I) {
    const Dim3 At = blockOf(I, ConsumerGrid);
    const int32_t Block[3] = {int32_t(At.X), int32_t(At.Y), int32_t(At.Z)};
    EXPECT_TRUE(sameBox(producersOf(P, Block), producersOf(Q, Block))) << I;
  }
}

static void expectSameList(const BlockList &P, const BlockList &Q) {
  EXPECT_EQ(P.Begin, Q.Begin);
  EXPECT_EQ(P.Hazards, Q.Hazards);
  ASSERT_EQ(P.Runs.size(), Q.Runs.size());
  for (size_t I = 0; I < P.Runs.size(); ++I) {
    EXPECT_EQ(P.Runs[I].First, Q.Runs[I].First);
    EXPECT_EQ(P.Runs[I].Last, Q.Runs[I].Last);
  }
}

/// Comes back, and has the same bytes when it is written again.
static void expectComesBack(const Relation &R) {
  const RecordedRelation Before = recorded(R);
  const std::string Body = packed(R);
  const auto Back = unpacked(Body, R);
  ASSERT_TRUE(Back);
  EXPECT_EQ(Back->Header.Kind, Before.Header.Kind);
  EXPECT_EQ(Back->Hazards, Before.Hazards);
  EXPECT_EQ(Back->Exact, Before.Exact);
  EXPECT_EQ(Back->PieceHazards, Before.PieceHazards);
  ASSERT_EQ(Back->Pieces.size(), Before.Pieces.size());
  EXPECT_EQ(Back->Header.PieceCount, Before.Pieces.size());
  for (size_t I = 0; I < Before.Pieces.size(); ++I)
    expectSamePiece(Back->Pieces[I], Before.Pieces[I], R.ConsumerGrid);
  ASSERT_EQ(!Back->List, !Before.List);
  if (Before.List)
    expectSameList(*Back->List, *Before.List);
  EXPECT_EQ(record::packRelation(*Back, R.ConsumerGrid), Body);
}

TEST(RelationBody, RandomRelationsComeBack) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(21);
  for (unsigned I = 0; I < 1500 && !testing::Test::HasFailure(); ++I) {
    SCOPED_TRACE(I);
    const Case P = I % 2 ? Cases.next() : Cases.nextComputed();
    expectComesBack(relateCases(P, I % 4 < 2 ? P : Cases.next(), Known));
  }
}

/// Block b waits for b XOR 1, in a row of blocks.
static Relation listed(uint32_t Blocks) {
  Relation R;
  R.Hazards = HazardRAW;
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

TEST(RelationBody, ListsComeBack) {
  expectComesBack(listed(64));
  Relation Mixed = listed(40);
  Mixed.ConsumerGrid = {2, 2, 1};
  auto List = std::make_shared<BlockList>();
  List->Begin = {0, 0, 3, 3, 4};
  List->Runs = {{0, 0}, {2, 3}, {4, 39}, {1, 1}};
  List->Hazards = {HazardRAW, HazardWAR | HazardWAW, HazardRAW, HazardWAW};
  Mixed.List = List;
  expectComesBack(Mixed);
}

/// Of one piece between grids of 16x9x4 blocks, with other numbers than
/// encoding would choose.
TEST(RelationBody, EveryFormOfARowComesBack) {
  Relation R;
  R.ProducerGrid = R.ConsumerGrid = {16, 9, 4};
  const QuasiAffine Rows[] = {
      {{0, 0, 0}, 2, -7, 11},  {{0, 0, 0}, 1, 5, 4},   {{1, 0, 0}, 1, -3, -3},
      {{1, 0, 0}, 1, -3, 2},   {{2, 0, 0}, 1, 0, 1},   {{1, 1, 0}, 3, -1, 4},
      {{-1, 0, 0}, 1, 15, 15}, {{0, 0, -4}, 7, 9, 30},
  };
  for (const QuasiAffine &Row : Rows)
    for (Box Where : {Box{{0, 0, 0}, {15, 8, 3}}, Box{{3, 0, 1}, {9, 8, 1}},
                      Box{{4, 0, 0}, {3, 8, 3}}}) {
      Piece P;
      P.Consumer = P.Producer = Where;
      P.Rows[0] = Row;
      P.Rows[1] = P.Rows[2] = {{0, 0, 0}, 1, 0, 8};
      P.Hazards = HazardWAR;
      R.Pieces = {P};
      expectComesBack(R);
    }
}

/// Every cut and every changed byte is refused or names blocks of the grid.
static void expectSafe(const Relation &R) {
  const std::string Whole = packed(R);
  for (size_t Size = 0; Size < Whole.size(); ++Size)
    EXPECT_FALSE(unpacked(Whole.substr(0, Size), R)) << Size;
  for (size_t At = 0; At < Whole.size(); ++At)
    for (unsigned Value = 0; Value < 256; ++Value) {
      std::string Changed = Whole;
      Changed[At] = char(Value);
      if (const auto Back = unpacked(Changed, R))
        forEachEdge(viewOf(*Back, R.ConsumerGrid),
                    [&](uint64_t, uint64_t From) {
                      EXPECT_LT(From, R.ProducerGrid.count());
                    });
    }
}

TEST(RelationBody, DamageIsRefusedOrHarmless) {
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

/// Ten times twice as many blocks take the same bytes, read and stored: even
/// the same bytes, so that a recording has them once.
TEST(RelationBody, BytesDoNotGrowWithTheGrid) {
  const auto First = patterns(1);
  for (int32_t Doubled = 1; Doubled <= 10; ++Doubled) {
    const auto Now = patterns(1 << Doubled);
    for (size_t I = 0; I < First.size(); ++I) {
      SCOPED_TRACE(First[I].first);
      const Relation &Small = First[I].second, &Large = Now[I].second;
      EXPECT_TRUE(Large.Exact) << Large.Reason;
      EXPECT_EQ(encode(Large).bytes(), encode(Small).bytes());
      EXPECT_EQ(packed(Large), packed(Small));
      if (Doubled <= 2)
        EXPECT_STREQ(patternName(viewOf(encode(Large), Large.ConsumerGrid)),
                     First[I].first);
    }
  }
}

TEST(RelationBody, AFullRelationIsTwoBytes) {
  Relation R;
  R.ProducerGrid = {1 << 20, 4, 1};
  R.ConsumerGrid = {7, 1, 1};
  R.Full = true;
  EXPECT_EQ(packed(R).size(), 2u);
  expectComesBack(R);
}
