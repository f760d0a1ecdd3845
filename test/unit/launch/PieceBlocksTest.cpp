// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PieceBlocks.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace blockmaestro {
namespace {

int64_t between(std::mt19937_64 &Engine, int64_t Low, int64_t High) {
  return Low + int64_t(Engine() % uint64_t(High - Low + 1));
}

Box randomBox(std::mt19937_64 &Engine, Dim3 Grid) {
  Box Out;
  for (unsigned D = 0; D < 3; ++D) {
    Out.Low[D] = between(Engine, 0, Grid[D] - 1);
    Out.High[D] = between(Engine, Out.Low[D], Grid[D] - 1);
  }
  return Out;
}

Piece randomPiece(std::mt19937_64 &Engine, Dim3 Grid) {
  Piece Out;
  Out.Consumer = randomBox(Engine, Grid);
  Out.Producer = randomBox(Engine, Grid);
  for (QuasiAffine &Row : Out.Rows) {
    for (int64_t &Slope : Row.A)
      Slope = between(Engine, -2, 2);
    Row.D = between(Engine, 1, 3);
    Row.Low = between(Engine, -6, 6);
    Row.High = between(Engine, Row.Low, 12);
  }
  return Out;
}

std::set<uint64_t> blocksOf(const Box &Of, Dim3 Grid) {
  std::set<uint64_t> Out;
  allBlocks(Of, Grid, [&](uint64_t B) { return Out.insert(B).second; });
  return Out;
}

/// What the piece says of C, block by block, by BlockGraph.h.
std::set<uint64_t> bySentence(const Piece &P, Dim3 C, Dim3 Grid) {
  std::set<uint64_t> Out;
  for (uint64_t B = 0; B < Grid.count(); ++B) {
    const Dim3 At = blockOf(B, Grid);
    bool In = true;
    for (unsigned D = 0; D < 3; ++D) {
      const QuasiAffine &Row = P.Rows[D];
      const int64_t Dot = Row.A[0] * C.X + Row.A[1] * C.Y + Row.A[2] * C.Z;
      In = In && C[D] >= P.Consumer.Low[D] && C[D] <= P.Consumer.High[D] &&
           At[D] >= P.Producer.Low[D] && At[D] <= P.Producer.High[D] &&
           floorDiv(Dot + Row.Low, Row.D) <= At[D] &&
           At[D] <= floorDiv(Dot + Row.High, Row.D);
    }
    if (In)
      Out.insert(B);
  }
  return Out;
}

TEST(PieceBlocks, AreThoseThePieceLetsThrough) {
  std::mt19937_64 Engine(11);
  const Dim3 Grid{4, 3, 2};
  size_t Some = 0;
  for (int I = 0; I < 400; ++I) {
    const Piece P = randomPiece(Engine, Grid);
    for (uint64_t C = 0; C < Grid.count(); ++C) {
      const Dim3 At = blockOf(C, Grid);
      const std::set<uint64_t> Want = bySentence(P, At, Grid);
      ASSERT_EQ(blocksOf(producersAt(P, At), Grid), Want);
      Some += !Want.empty();
    }
  }
  EXPECT_GT(Some, 100U);
}

TEST(PieceBlocks, StopsWhereTheVisitorSaysSo) {
  Box All;
  All.High[0] = 2;
  All.High[1] = 1;
  std::vector<uint64_t> Seen;
  EXPECT_FALSE(allBlocks(All, {4, 2, 1}, [&](uint64_t B) {
    Seen.push_back(B);
    return B != 4;
  }));
  EXPECT_EQ(Seen, (std::vector<uint64_t>{0, 1, 2, 4}));
}

} // namespace
} // namespace blockmaestro
