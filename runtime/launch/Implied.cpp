// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Implied relations]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// If block c of C waits for block b of B, and b has waited for block a of A,
// then c need not ask for a: a was done, and its writes visible to b, before b
// started, and b was done, and all it saw visible to c, before c starts. So AC
// may be dropped when every pair (a, c) of it has such a b. Two cases are
// looked for; the stencil and every element-wise chain are the first.
//
//   b = c   B and C have one grid, BC holds (c, c) for every consumer c of AC,
//           and AB holds every pair of AC.
//   b = a   A and B have one grid, AB holds (a, a) for every producer a of AC,
//           and BC holds every pair of AC.
//
// A full relation holds every pair, and two full ones in a row imply any. The
// relations used may be implied ones themselves: what they say holds anyway.
// All three launches are in the window of C, so A was in the window of B.

#include "Implied.h"

#include "Simplify.h"

#include <algorithm>

namespace blockmaestro {

/// Whether row D lets producer coordinate c_D through for every c in Over.
static bool letsSame(const QuasiAffine &Row, unsigned D, const Box &Over) {
  if (Row.D != 1)
    return false;
  bool Constant = true, Unit = true;
  for (unsigned I = 0; I < 3; ++I) {
    Constant &= Row.A[I] == 0;
    Unit &= Row.A[I] == (I == D ? 1 : 0);
  }
  if (Unit)
    return Row.Low <= 0 && 0 <= Row.High;
  return Constant && Row.Low <= Over.Low[D] && Over.High[D] <= Row.High;
}

/// Whether R relates every block of Over to the block of the same number.
static bool holdsSame(const Relation &R, const Box &Over) {
  if (R.ProducerGrid != R.ConsumerGrid)
    return false;
  if (R.Full)
    return true;
  return std::any_of(R.Pieces.begin(), R.Pieces.end(), [&](const Piece &P) {
    bool Inside = boxInside(Over, P.Consumer) && boxInside(Over, P.Producer);
    for (unsigned D = 0; D < 3; ++D)
      Inside = Inside && letsSame(P.Rows[D], D, Over);
    return Inside;
  });
}

/// Whether every pair of Inner is one of Outer.
static bool holdsAll(const Relation &Outer, const Relation &Inner) {
  if (Outer.Full)
    return true;
  if (Inner.Full)
    return false;
  return std::all_of(
      Inner.Pieces.begin(), Inner.Pieces.end(), [&](const Piece &P) {
        return std::any_of(Outer.Pieces.begin(), Outer.Pieces.end(),
                           [&](const Piece &Q) { return inside(P, Q); });
      });
}

static Box wholeGrid(Dim3 Grid) {
  Box All;
  for (unsigned D = 0; D < 3; ++D)
    All.High[D] = int64_t(Grid[D]) - 1;
  return All;
}

/// Whether R relates every block on the side Side picks to its own number.
static bool holdsSameOn(const Relation &R, const Relation &Of, Box Piece::*Side,
                        Dim3 Grid) {
  if (Of.Full)
    return holdsSame(R, wholeGrid(Grid));
  return std::all_of(Of.Pieces.begin(), Of.Pieces.end(),
                     [&](const Piece &P) { return holdsSame(R, P.*Side); });
}

bool follows(const Relation &AC, const Relation &AB, const Relation &BC) {
  if (AB.Full && BC.Full)
    return true;
  bool SameAsConsumer = AB.ConsumerGrid == AC.ConsumerGrid &&
                        holdsAll(AB, AC) &&
                        holdsSameOn(BC, AC, &Piece::Consumer, AC.ConsumerGrid);
  return SameAsConsumer ||
         (BC.ProducerGrid == AC.ProducerGrid && holdsAll(BC, AC) &&
          holdsSameOn(AB, AC, &Piece::Producer, AC.ProducerGrid));
}

} // namespace blockmaestro
