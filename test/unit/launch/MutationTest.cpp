// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A wrong edge in any relation of the example programs fails the comparison
// with the oracle: every number of every piece is changed, every piece is
// dropped, and each change of the pairs must be seen, also in the encoding.

#include "Oracle.h"
#include "Programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

static bool insideGrid(const Box &In, Dim3 Grid) {
  for (unsigned D = 0; D < 3; ++D)
    if (In.Low[D] < 0 || In.High[D] >= int64_t(Grid[D]))
      return false;
  return true;
}

/// Every relation one step away from R whose boxes are still in the grids.
static std::vector<Relation> mutantsOf(const Relation &R) {
  std::vector<Relation> All;
  auto Change = [&](size_t I, const std::function<int64_t &(Piece &)> &Field) {
    for (int64_t Step : {-1, 1}) {
      Relation M = R;
      Field(M.Pieces[I]) += Step;
      if (insideGrid(M.Pieces[I].Consumer, M.ConsumerGrid) &&
          insideGrid(M.Pieces[I].Producer, M.ProducerGrid))
        All.push_back(M);
    }
  };
  for (size_t I = 0; I < R.Pieces.size(); ++I) {
    Relation Dropped = R;
    Dropped.Pieces.erase(Dropped.Pieces.begin() + std::ptrdiff_t(I));
    All.push_back(Dropped);
    for (unsigned D = 0; D < 3; ++D) {
      Change(I, [D](Piece &P) -> auto & { return P.Consumer.Low[D]; });
      Change(I, [D](Piece &P) -> auto & { return P.Consumer.High[D]; });
      Change(I, [D](Piece &P) -> auto & { return P.Producer.Low[D]; });
      Change(I, [D](Piece &P) -> auto & { return P.Producer.High[D]; });
      Change(I, [D](Piece &P) -> auto & { return P.Rows[D].Low; });
      Change(I, [D](Piece &P) -> auto & { return P.Rows[D].High; });
      for (unsigned E = 0; E < 3; ++E)
        Change(I, [D, E](Piece &P) -> auto & { return P.Rows[D].A[E]; });
    }
  }
  return All;
}

/// How many changed relations relate other pairs, all of which must be seen.
static unsigned seen(const Case &Producer, const Case &Consumer) {
  const Relation R = relateCases(Producer, Consumer, memory(1 << 20));
  const Pairs Right = pairsOf(R), Truth = truePairs(Producer, Consumer);
  EXPECT_EQ(Right, Truth);
  unsigned Missing = 0;
  for (const Relation &M : mutantsOf(R)) {
    const Pairs Wrong = pairsOf(M);
    EXPECT_EQ(encodedPairsOf(M), Wrong);
    if (Wrong == Right)
      continue;
    EXPECT_NE(Wrong, Truth);
    Missing +=
        !std::includes(Wrong.begin(), Wrong.end(), Truth.begin(), Truth.end());
  }
  std::printf("changes that lose an edge, all seen: %u\n", Missing);
  return Missing;
}

TEST(Mutation, VectorChain) {
  EXPECT_GE(seen(vectorMap(A, B, 1000, 64), vectorMap(B, C, 1000, 64)), 7u);
  EXPECT_GE(seen(vectorMap(B, C, 1000, 64), vectorAddInPlace(A, C, 1000, 64)),
            7u);
}

TEST(Mutation, Stencil) {
  EXPECT_GE(
      seen(stencil(A, B, 40, 20, {8, 4, 1}), stencil(B, A, 40, 20, {8, 4, 1})),
      30u);
}

TEST(Mutation, Transpose) {
  EXPECT_GE(seen(transpose(A, B, 32, 24, 4, 2),
                 matrixAdd(B, C, C, 24, 32, {4, 4, 1})),
            14u);
}
