// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Implied relations]
// ~~~~~~~~~~~~~~~~~~~~~~~~
// If block c of C waits for block b of B, and b has waited for block a of A,
// then c need not ask for a: a was done, and its writes visible to b, before b
// started, and b was done, and all it saw visible to c, before c starts. So AC
// may be dropped when every pair (a, c) of it has such a b. What is looked for:
//
//   b = c    B and C have one grid, BC holds (c, c) for every consumer c of AC,
//            and AB holds every pair of AC. The stencil, element-wise chains.
//   b = a    A and B have one grid, AB holds (a, a) for every producer a of AC,
//            and BC holds every pair of AC.
//   any b    A piece of AB makes a box of b's wait for every producer of AC,
//            and every consumer of AC waits for some b in the box: one block
//            scatters to many.
//   every b  A piece of BC makes every consumer of AC wait for a box of b's,
//            and every producer of AC has some b in the box that waits for it:
//            many gather into one.
//   few      Launches of at most 64 blocks are composed block by block.
//
// A full relation holds every pair, and two full ones in a row imply any. The
// relations used may be implied ones themselves: what they say holds anyway.
// All three launches are in the window of C, so A was in the window of B.

#include "Implied.h"

#include "Affine.h"
#include "PieceBlocks.h"
#include "Simplify.h"

#include <algorithm>
#include <array>
#include <span>

namespace blockmaestro {

static Box wholeGrid(Dim3 Grid) {
  Box All;
  for (unsigned D = 0; D < 3; ++D)
    All.High[D] = int64_t(Grid[D]) - 1;
  return All;
}

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

/// Whether consumer C of the list waits for every block from First to Last.
static bool listHas(const BlockList &List, uint64_t C, uint32_t First,
                    uint32_t Last) {
  for (BlockRun Run : producersOf(List.lists(), uint32_t(C)))
    if (Run.First <= First && First <= Run.Last) {
      if (Last <= Run.Last)
        return true;
      First = Run.Last + 1;
    }
  return false;
}

/// Whether R, of launches of one grid, relates every block of Over to the block
/// of the same number.
static bool holdsSame(const Relation &R, const Box &Over) {
  if (R.Full)
    return true;
  if (R.List)
    return allBlocks(Over, R.ConsumerGrid, [&](uint64_t B) {
      return listHas(*R.List, B, uint32_t(B), uint32_t(B));
    });
  return std::any_of(R.Pieces.begin(), R.Pieces.end(), [&](const Piece &P) {
    bool Inside = boxInside(Over, P.Consumer) && boxInside(Over, P.Producer);
    for (unsigned D = 0; D < 3; ++D)
      Inside = Inside && letsSame(P.Rows[D], D, Over);
    return Inside;
  });
}

static bool listInside(const BlockList &Inner, const BlockList &Outer) {
  if (Inner.Begin.size() != Outer.Begin.size())
    return false;
  for (uint32_t C = 0; C + 1 < Inner.Begin.size(); ++C)
    for (BlockRun Run : producersOf(Inner.lists(), C))
      if (!listHas(Outer, C, Run.First, Run.Last))
        return false;
  return true;
}

/// Whether every pair of Inner is one of Outer.
static bool holdsAll(const Relation &Outer, const Relation &Inner) {
  if (Outer.Full)
    return true;
  if (Inner.List)
    return Outer.List && listInside(*Inner.List, *Outer.List);
  if (Inner.Full || Outer.List)
    return false;
  return std::all_of(
      Inner.Pieces.begin(), Inner.Pieces.end(), [&](const Piece &P) {
        return std::any_of(Outer.Pieces.begin(), Outer.Pieces.end(),
                           [&](const Piece &Q) { return inside(P, Q); });
      });
}

static Piece everyPair(const Relation &R) {
  Piece All;
  All.Consumer = wholeGrid(R.ConsumerGrid);
  All.Producer = wholeGrid(R.ProducerGrid);
  for (unsigned D = 0; D < 3; ++D)
    All.Rows[D].High = All.Producer.High[D];
  return All;
}

namespace {

using Pieces = std::span<const Piece>;

/// The pieces of R; of one that is not made of pieces, All.
class PiecesOf {
public:
  explicit PiecesOf(const Relation &R) : R(R), All(everyPair(R)) {}

  /// With every pair of R, and maybe more.
  Pieces over() const {
    return R.Full || R.List ? Pieces(&All, 1) : Pieces(R.Pieces);
  }
  /// With pairs of R, and no others.
  Pieces in() const { return R.List ? Pieces() : over(); }

private:
  const Relation &R;
  Piece All;
};

} // namespace

/// Whether R relates every block on the side Side picks to its own number.
static bool holdsSameOn(const Relation &R, Pieces Of, Box Piece::*Side) {
  return std::all_of(Of.begin(), Of.end(),
                     [&](const Piece &P) { return holdsSame(R, P.*Side); });
}

/// Whether the piece makes every consumer of Consumers wait for every producer
/// of Producers.
static bool holdsBoxes(const Piece &P, const Box &Consumers,
                       const Box &Producers) {
  if (!boxInside(Consumers, P.Consumer) || !boxInside(Producers, P.Producer))
    return false;
  for (unsigned D = 0; D < 3; ++D) {
    const QuasiAffine &Row = P.Rows[D];
    const WideInterval Dot = dotOver(Row.A, Consumers);
    if (floorDivWide(Dot.High + Row.Low, Row.D) > Producers.Low[D] ||
        floorDivWide(Dot.Low + Row.High, Row.D) < Producers.High[D])
      return false;
  }
  return true;
}

/// Whether the piece makes every consumer of Consumers wait for some producer
/// of Among, a box that is not empty.
static bool waitForSome(const Piece &P, const Box &Consumers, Box Among) {
  if (!boxInside(Consumers, P.Consumer))
    return false;
  for (unsigned D = 0; D < 3; ++D) {
    const QuasiAffine &Row = P.Rows[D];
    const WideInterval Dot = dotOver(Row.A, Consumers);
    Among.Low[D] = std::max(Among.Low[D], P.Producer.Low[D]);
    Among.High[D] = std::min(Among.High[D], P.Producer.High[D]);
    if (Among.Low[D] > Among.High[D] || Row.High - Row.Low < Row.D - 1 ||
        floorDivWide(Dot.High + Row.Low, Row.D) > Among.High[D] ||
        floorDivWide(Dot.Low + Row.High, Row.D) < Among.Low[D])
      return false;
  }
  return true;
}

/// The only dimension the row depends on; 3 when there is none, 4 when there
/// are several.
static unsigned dimensionOf(const QuasiAffine &Row) {
  unsigned Which = 3;
  for (unsigned I = 0; I < 3; ++I)
    if (Row.A[I] != 0)
      Which = Which == 3 ? I : 4;
  return Which;
}

/// Whether for each value in Values of the producer's dimension there is a
/// consumer in Among, by the row's own dimension I, that the row lets it
/// through for: D v - High <= A_I b <= D v + D - 1 - Low.
static bool someLetThrough(const QuasiAffine &Row, unsigned I, Interval Values,
                           const Box &Among) {
  const Wide Step = Row.A[I], D = Row.D;
  if (Step <= 0 || D - 1 - Row.Low + Row.High < Step - 1)
    return false;
  const Wide Least = ceilDivWide(D * Values.High - Row.High, Step);
  const Wide Most = floorDivWide(D * Values.Low + D - 1 - Row.Low, Step);
  return Least <= Among.High[I] && Most >= Among.Low[I];
}

/// Whether the piece makes some consumer of Among wait for every single
/// producer of Producers.
static bool someWaitFor(const Piece &P, const Box &Producers, Box Among) {
  if (!boxInside(Producers, P.Producer))
    return false;
  bool Used[3] = {};
  for (unsigned D = 0; D < 3; ++D) {
    Among.Low[D] = std::max(Among.Low[D], P.Consumer.Low[D]);
    Among.High[D] = std::min(Among.High[D], P.Consumer.High[D]);
    if (Among.Low[D] > Among.High[D])
      return false;
  }
  for (unsigned D = 0; D < 3; ++D) {
    const QuasiAffine &Row = P.Rows[D];
    const Interval Values{Producers.Low[D], Producers.High[D]};
    const unsigned I = dimensionOf(Row);
    if (I == 3 && floorDiv(Row.Low, Row.D) <= Values.Low &&
        Values.High <= floorDiv(Row.High, Row.D))
      continue;
    if (I >= 3 || Used[I] || !someLetThrough(Row, I, Values, Among))
      return false;
    Used[I] = true;
  }
  return true;
}

/// "any b" and "every b" for one piece of AC.
static bool composes(const Piece &AC, Pieces AB, Pieces BC) {
  for (const Piece &First : AB)
    for (const Piece &Second : BC)
      if ((holdsBoxes(First, First.Consumer, AC.Producer) &&
           waitForSome(Second, AC.Consumer, First.Consumer)) ||
          (holdsBoxes(Second, AC.Consumer, Second.Producer) &&
           someWaitFor(First, AC.Producer, Second.Producer)))
        return true;
  return false;
}

static constexpr uint64_t FewBlocks = 64;

static uint64_t bitsFrom(uint64_t First, uint64_t Last) {
  return (~uint64_t(0) >> (FewBlocks - 1 - (Last - First))) << First;
}

/// The producers of block C of R, whose grids have few blocks.
static uint64_t maskOf(const Relation &R, uint64_t C) {
  uint64_t Mask = R.Full ? bitsFrom(0, R.ProducerGrid.count() - 1) : 0;
  if (R.List)
    for (BlockRun Run : producersOf(R.List->lists(), uint32_t(C)))
      Mask |= bitsFrom(Run.First, Run.Last);
  const Dim3 At = blockOf(C, R.ConsumerGrid);
  for (const Piece &P : R.Pieces)
    allBlocks(producersAt(P, At), R.ProducerGrid, [&](uint64_t B) {
      Mask |= uint64_t(1) << B;
      return true;
    });
  return Mask;
}

/// Whether every pair of AC has a b, block by block; a mask is made when it is
/// asked for, as most cases fail at the first block.
static bool composesFew(const Relation &AC, const Relation &AB,
                        const Relation &BC) {
  std::array<uint64_t, FewBlocks> MaskAB;
  uint64_t Made = 0;
  for (uint64_t C = 0; C < AC.ConsumerGrid.count(); ++C) {
    uint64_t Left = maskOf(AC, C);
    for (uint64_t B = Left ? maskOf(BC, C) : 0; B != 0 && Left != 0;
         B &= B - 1) {
      const auto At = size_t(__builtin_ctzll(B));
      if (!(Made >> At & 1))
        MaskAB[At] = maskOf(AB, At);
      Made |= uint64_t(1) << At;
      Left &= ~MaskAB[At];
    }
    if (Left != 0)
      return false;
  }
  return true;
}

static bool few(const Relation &R) {
  return R.ConsumerGrid.count() <= FewBlocks &&
         R.ProducerGrid.count() <= FewBlocks;
}

bool follows(const Relation &AC, const Relation &AB, const Relation &BC) {
  if (AB.Full && BC.Full)
    return true;
  const PiecesOf OfAC(AC), OfAB(AB), OfBC(BC);
  const Pieces Over = OfAC.over();
  if (AB.ConsumerGrid == AC.ConsumerGrid && holdsAll(AB, AC) &&
      holdsSameOn(BC, Over, &Piece::Consumer))
    return true;
  if (BC.ProducerGrid == AC.ProducerGrid && holdsAll(BC, AC) &&
      holdsSameOn(AB, Over, &Piece::Producer))
    return true;
  if (std::all_of(Over.begin(), Over.end(), [&](const Piece &P) {
        return composes(P, OfAB.in(), OfBC.in());
      }))
    return true;
  return few(AB) && few(BC) && composesFew(AC, AB, BC);
}

} // namespace blockmaestro
