// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Leaving the allocation]
// Fewer blocks have no more bytes, so of a box of blocks the largest number of
// first ones along a dimension that stay inside is found by halving, and so is
// that of last ones. What is between is taken apart along the other dimensions.
// The dimension that leaves least between goes first: of rows that are too many
// the last rows leave, of rows that are too long one block of the last row.

#include "Leaving.h"

#include "Coordinates.h"
#include "Membership.h"

#include <algorithm>
#include <span>

namespace blockmaestro {

namespace {

bool staysInside(const BlockAccess &A, Dim3 Grid) {
  const WideInterval Hull = hullOf(A, Grid);
  return Hull.Low >= 0 && Hull.High < Wide(A.Where.Bytes);
}

/// The blocks of A along one dimension: those before First and those behind
/// Last stay inside.
struct Between {
  unsigned Dimension = 0;
  int64_t First = 0, Last = 0;
};

BlockAccess cut(BlockAccess A, unsigned D, int64_t Low, int64_t High) {
  A.BlockLow[D] = Low;
  A.BlockHigh[D] = High;
  return A;
}

/// Of the numbers from Good on, in steps of Step up to Bad, the first for which
/// Inside does not hold. It holds for all before that.
template <typename Predicate>
int64_t firstOutside(int64_t Good, int64_t Bad, int64_t Step,
                     Predicate Inside) {
  int64_t Least = 0, Most = (Bad - Good) * Step;
  while (Least < Most) {
    const int64_t Middle = Least + (Most - Least) / 2;
    if (Inside(Good + Step * Middle))
      Least = Middle + 1;
    else
      Most = Middle;
  }
  return Good + Step * Least;
}

Between betweenOf(const BlockAccess &A, unsigned D, Dim3 Grid) {
  const int64_t Low = A.BlockLow[D], High = A.BlockHigh[D];
  const int64_t First = firstOutside(Low, High, 1, [&](int64_t To) {
    return staysInside(cut(A, D, Low, To), Grid);
  });
  const int64_t Last = firstOutside(High, First, -1, [&](int64_t From) {
    return staysInside(cut(A, D, From, High), Grid);
  });
  return {D, First, Last};
}

void split(const BlockAccess &A, Dim3 Grid, std::span<const unsigned> Left,
           std::vector<BlockAccess> &Out) {
  if (staysInside(A, Grid))
    return Out.push_back(A);
  if (Left.empty()) {
    Out.push_back(A);
    Out.back().How = Reach::Everything;
    Out.back().Coordinates.clear();
    notExact(Out.back(), "it leaves the allocation its pointer is in");
    return;
  }
  std::vector<Between> Ways;
  for (unsigned D : Left)
    Ways.push_back(betweenOf(A, D, Grid));
  const auto Share = [&](const Between &Way) {
    return double(Way.Last - Way.First + 1) /
           double(A.BlockHigh[Way.Dimension] - A.BlockLow[Way.Dimension] + 1);
  };
  const Between Best = *std::ranges::min_element(
      Ways, {}, [&](const auto &W) { return Share(W); });
  const unsigned D = Best.Dimension;
  if (Best.First > A.BlockLow[D])
    Out.push_back(cut(A, D, A.BlockLow[D], Best.First - 1));
  if (Best.Last < A.BlockHigh[D])
    Out.push_back(cut(A, D, Best.Last + 1, A.BlockHigh[D]));
  std::vector<unsigned> Others(Left.begin(), Left.end());
  std::erase(Others, D);
  split(cut(A, D, Best.First, Best.Last), Grid, Others, Out);
}

} // namespace

void splitLeaving(const BlockAccess &Part, Dim3 Grid,
                  std::vector<BlockAccess> &Out) {
  constexpr unsigned All[] = {2, 1, 0};
  BlockAccess A = Part;
  for (unsigned D = 0; D < 3; ++D)
    A.BlockHigh[D] = std::min<int64_t>(A.BlockHigh[D], int64_t(Grid[D]) - 1);
  split(A, Grid, All, Out);
}

} // namespace blockmaestro
