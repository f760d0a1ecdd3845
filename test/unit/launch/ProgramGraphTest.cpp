// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The relations of the three example programs are exactly the true ones, at
// their own sizes and at ragged ones, and their encodings do not grow.

#include "Edges.h"
#include "Encode.h"
#include "Evaluate.h"
#include "Graph.h"
#include "Oracle.h"
#include "Programs.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

static std::string pattern(const Relation &R) {
  Encoding E = encode(R);
  return patternName(viewOf(E, R.ConsumerGrid));
}

/// Every pair, with its hazards, against the oracle.
static void expectTruth(const Case &Producer, const Case &Consumer,
                        const Relation &R) {
  EXPECT_TRUE(R.Exact) << R.Reason;
  EXPECT_EQ(pairsOf(R), truePairs(Producer, Consumer));
  EXPECT_EQ(encodedPairsOf(R), pairsOf(R));
  for (uint8_t Hazard : {HazardRAW, HazardWAR, HazardWAW})
    EXPECT_EQ(pairsOf(R, Hazard), truePairs(Producer, Consumer, Hazard));
}

TEST(ProgramGraph, VectorChainIsOneToOne) {
  const AllocationMap Known = memory(1 << 20);
  const Case Add = vectorMap(A, B, 10000, 256);
  const Case Scale = vectorMap(B, C, 10000, 256);
  const Case InPlace = vectorAddInPlace(A, C, 10000, 256);
  const Relation First = relateCases(Add, Scale, Known);
  expectTruth(Add, Scale, First);
  EXPECT_EQ(encodedPairsOf(First).size(), 40u);
  EXPECT_EQ(First.Hazards, HazardRAW);
  EXPECT_EQ(pattern(First), "1-to-1");
  const Relation Second = relateCases(Scale, InPlace, Known);
  expectTruth(Scale, InPlace, Second);
  EXPECT_EQ(encodedPairsOf(Second).size(), 40u);
  EXPECT_EQ(Second.Hazards, HazardRAW | HazardWAW);
  EXPECT_EQ(Second.Pieces.size(), 1u);
  EXPECT_TRUE(relateCases(Add, InPlace, Known).independent());
}

TEST(ProgramGraph, StencilNeedsItsNeighbours) {
  const AllocationMap Known = memory(1 << 20);
  const Case Even = stencil(A, B, 512, 72, {32, 8, 1});
  const Case Odd = stencil(B, A, 512, 72, {32, 8, 1});
  const Relation R = relateCases(Even, Odd, Known);
  expectTruth(Even, Odd, R);
  EXPECT_EQ(encodedPairsOf(R).size(), 670u);
  EXPECT_EQ(R.Hazards, HazardRAW | HazardWAR);
  EXPECT_EQ(R.Pieces.size(), 2u);
  EXPECT_EQ(pattern(R), "overlapped");
  expectTruth(Even, Even, relateCases(Even, Even, Known));
}

TEST(ProgramGraph, TransposeSwapsXAndY) {
  const AllocationMap Known = memory(1 << 20);
  const Case First = transpose(A, B, 8 * 32, 6 * 32, 32, 8);
  const Case Second = matrixAdd(B, C, C, 6 * 32, 8 * 32, {32, 32, 1});
  const Relation R = relateCases(First, Second, Known);
  expectTruth(First, Second, R);
  EXPECT_EQ(encodedPairsOf(R).size(), 48u);
  EXPECT_EQ(pattern(R), "1-to-1");
  ASSERT_EQ(R.Pieces.size(), 1u);
  EXPECT_EQ(R.Pieces[0].Rows[0].A[1], 1);
  EXPECT_EQ(R.Pieces[0].Rows[1].A[0], 1);
}

TEST(ProgramGraph, RaggedSizes) {
  const AllocationMap Known = memory(1 << 16);
  for (int32_t Width : {5, 7, 8, 9, 15, 16, 17, 23, 24})
    for (int32_t Height : {3, 4, 5, 7, 8, 11}) {
      const Case Even = stencil(A, B, Width, Height, {8, 4, 1});
      const Case Odd = stencil(B, A, Width, Height, {8, 4, 1});
      expectTruth(Even, Odd, relateCases(Even, Odd, Known));
      const Case First = transpose(A, B, Width, Height, 4, 2);
      const Case Second = matrixAdd(B, C, C, Height, Width, {4, 4, 1});
      expectTruth(First, Second, relateCases(First, Second, Known));
    }
}

/// Without looking at blocks one by one.
TEST(ProgramGraph, TilesOnDiagonalsNeedTheTilesBesideThem) {
  const AllocationMap Known = memory(1 << 24);
  auto Related = [&](const Case &Earlier, const Case &Later) {
    const KernelRecord Kernel = Earlier.kernel();
    uint64_t NoEffort = 0;
    return relate(evaluate(Earlier.launch(Kernel), Known),
                  evaluate(Later.launch(Kernel), Known), NoEffort);
  };
  auto Expect = [&](const Case &Earlier, const Case &Later) {
    expectTruth(Earlier, Later, Related(Earlier, Later));
  };
  for (int32_t Pitch : {129, 131, 160}) {
    for (int32_t D : {1, 2, 8, 29})
      Expect(diagonalTiles(A, Pitch, 4, D, 0, uint32_t(D) + 1),
             diagonalTiles(A, Pitch, 4, D + 1, 0, uint32_t(D) + 2));
    Expect(diagonalTiles(A, Pitch, 4, 40, 9, 23),
           diagonalTiles(A, Pitch, 4, 41, 10, 22));
    EXPECT_TRUE(Related(diagonalTiles(A, Pitch, 4, 8, 0, 9),
                        diagonalTiles(A, Pitch, 4, 12, 0, 13))
                    .independent());
  }
}

TEST(ProgramGraph, BytesDoNotDependOnTheGrid) {
  const AllocationMap Known = memory(uint64_t(1) << 40);
  const size_t Small =
      encode(relateCases(stencil(A, B, 512, 64, {32, 8, 1}),
                         stencil(B, A, 512, 64, {32, 8, 1}), Known))
          .bytes();
  for (int Doubling = 1; Doubling <= 10; ++Doubling) {
    const Case Even = stencil(A, B, 512, 64 << Doubling, {32, 8, 1});
    const Case Odd = stencil(B, A, 512, 64 << Doubling, {32, 8, 1});
    EXPECT_EQ(encode(relateCases(Even, Odd, Known)).bytes(), Small);
  }
  EXPECT_LT(Small, 300u);
}

TEST(ProgramGraph, SameInputSameBytes) {
  const AllocationMap Known = memory(1 << 20);
  const Case Even = stencil(A, B, 512, 72, {32, 8, 1});
  const Case Odd = stencil(B, A, 512, 72, {32, 8, 1});
  const Encoding X = encode(relateCases(Even, Odd, Known));
  const Encoding Y = encode(relateCases(Even, Odd, Known));
  ASSERT_EQ(X.Pieces.size(), Y.Pieces.size());
  EXPECT_EQ(std::memcmp(X.Pieces.data(), Y.Pieces.data(),
                        X.Pieces.size() * sizeof(EncodedPiece)),
            0);
}
