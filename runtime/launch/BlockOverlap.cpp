// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Overlap of intervals]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two accesses over the same strides touch a common byte at consumer block c
// and producer block p exactly when their byte ranges meet and in every
// coordinate their intervals meet, since an address has one set of coordinates.
// In one coordinate, with g.c + b .. g.c + b + n - 1 clipped to [l, h] for the
// consumer and q.p + e .. q.p + e + m - 1 clipped to [s, t] for the producer,
// two intervals meet when every lower bound is at most every upper bound:
//
//   numbers only   max(l, s) <= min(h, t)
//   of c alone     g.c + b <= min(h, t)      g.c + b + n - 1 >= max(l, s)
//   of p alone     q.p + e <= min(h, t)      q.p + e + m - 1 >= max(l, s)
//   of both        g.c + b - e - m + 1 <= q.p <= g.c + b - e + n - 1
//
// The ones of c (of p) alone clip the consumer (producer) box when they name
// one dimension. With q naming one dimension of p, q > 0, the last is the row
//
//   floor((g.c + b - e - m + q) / q) <= p <= floor((g.c + b - e + n - 1) / q)
//
// and with q < 0 both sides change sign first. A row's numbers may be divided
// by a common divisor of A and D (Low and High by floor), as
// floor(x / (k d)) = floor(floor(x / k) / d).
//
// Example: the stencil's left neighbour, floats, 32 columns a block. It reads
// bytes 128 cx - 4 .. 128 cx + 123 of a row, the producer wrote 128 px ..
// 128 px + 127: b = -4, n = 128, e = 0, m = 128, so
//   floor((128 cx - 4) / 128) <= px <= floor((128 cx + 123) / 128)
// and, divided by 128, cx - 1 <= px <= cx.
//
// What cannot be said this way is left out (the relation grows, and is not
// exact): a bound of c or p alone on several dimensions, and a second row for
// a producer dimension with another slope. A producer coordinate of several
// dimensions gives each dimension a row with the others anywhere in their box.

#include "BlockOverlap.h"

#include "Affine.h"
#include "Membership.h"
#include "Strides.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro {

namespace {

constexpr const char *SeveralBounds =
    "the edge of what is touched runs across several block dimensions";
constexpr const char *SeveralRows =
    "one block dimension decides where it is in two ways at once";
constexpr const char *OtherShape =
    "the two kernels walk the memory in different shapes: one range of bytes "
    "per block was compared";
constexpr const char *BoundsTooLarge =
    "the bounds between the blocks leave 64 bits";

/// Builds one BlockOverlap.
class Builder {
public:
  Builder(const BlockAccess &Producer, const Box &Producers,
          const BlockAccess &Consumer, const Box &Consumers, Dim3 ProducerGrid);

  void coordinate(const Coordinate &P, const Coordinate &C);
  std::optional<BlockOverlap> finish();

  void notExact(std::string_view Why) {
    if (Out.Exact)
      Out.Reason = Why;
    Out.Exact = false;
  }

private:
  void clip(const Coordinate &Of, Wide Lowest, Wide Highest, Box &In);
  void atMost(const int64_t (&Slope)[3], Wide Limit, Box &In);
  void atLeast(const int64_t (&Slope)[3], Wide Limit, Box &In);
  void row(const Coordinate &P, const Coordinate &C, Wide Low, Wide High);
  void addRow(unsigned Dimension, const int64_t Slope[3], Wide Divisor,
              Wide Low, Wide High);
  bool possible(unsigned Dimension) const;

  BlockOverlap Out;
  Dim3 ProducerGrid;
  bool HasRow[3] = {false, false, false};
  bool Empty = false;
};

} // namespace

QuasiAffine wholeRow(int64_t Size) {
  QuasiAffine Row;
  Row.High = Size - 1;
  return Row;
}

static bool emptyBox(const Box &B) {
  return B.Low[0] > B.High[0] || B.Low[1] > B.High[1] || B.Low[2] > B.High[2];
}

Builder::Builder(const BlockAccess &Producer, const Box &Producers,
                 const BlockAccess &Consumer, const Box &Consumers,
                 Dim3 ProducerGrid)
    : ProducerGrid(ProducerGrid) {
  Out.Where.Producer = Producers;
  Out.Where.Consumer = Consumers;
  for (const BlockAccess *A : {&Producer, &Consumer})
    if (!A->Exact)
      notExact(A->Reason);
}

static void addValues(const std::vector<Coordinate> &Of, const Box &Blocks,
                      std::vector<WideInterval> &To) {
  for (const Coordinate &C : Of)
    To.push_back(valuesOf(C, Blocks));
}

Extent extentOf(const BlockAccess &A, Dim3 Grid,
                std::vector<WideInterval> &Values) {
  const Box Blocks = boxOf(A, Grid);
  const size_t Before = Values.size();
  addValues(A.Coordinates, Blocks, Values);
  return {Blocks, std::span(Values).subspan(Before)};
}

/// False when in one of the coordinates, over the same strides, no blocks have
/// a value in common.
static bool mayMeet(std::span<const WideInterval> P,
                    std::span<const WideInterval> C) {
  for (size_t K = 0; K < P.size(); ++K)
    if (P[K].Low > C[K].High || C[K].Low > P[K].High)
      return false;
  return true;
}

/// Slope . b <= Limit for the blocks of In.
void Builder::atMost(const int64_t (&Slope)[3], Wide Limit, Box &In) {
  WideInterval Range = dotOver(Slope, In);
  if (Empty || Range.High <= Limit)
    return;
  if (Range.Low > Limit) {
    Empty = true;
    return;
  }
  unsigned Only = 0, Count = 0;
  for (unsigned D = 0; D < 3; ++D) {
    if (Slope[D] == 0)
      continue;
    if (In.Low[D] == In.High[D]) {
      Limit -= Wide(Slope[D]) * In.Low[D];
      continue;
    }
    Only = D;
    ++Count;
  }
  if (Count > 1)
    return notExact(SeveralBounds);
  if (Slope[Only] > 0)
    In.High[Only] = int64_t(floorDivWide(Limit, Slope[Only]));
  else
    In.Low[Only] = int64_t(-floorDivWide(Limit, -Wide(Slope[Only])));
}

void Builder::atLeast(const int64_t (&Slope)[3], Wide Limit, Box &In) {
  int64_t Negated[3] = {-Slope[0], -Slope[1], -Slope[2]};
  atMost(Negated, -Limit, In);
}

/// Leaves the blocks of In whose values may be in Lowest to Highest.
void Builder::clip(const Coordinate &Of, Wide Lowest, Wide Highest, Box &In) {
  const WideInterval Dot = dotOver(Of.PerBlock, In);
  if (Dot.High > Highest - Of.Base)
    atMost(Of.PerBlock, Highest - Of.Base, In);
  if (Dot.Low < Lowest - Of.Base - Of.Count + 1)
    atLeast(Of.PerBlock, Lowest - Of.Base - Of.Count + 1, In);
}

/// See Note [Overlap of intervals].
void Builder::coordinate(const Coordinate &P, const Coordinate &C) {
  Wide Lowest = std::max(P.ClipLow, C.ClipLow);
  Wide Highest = std::min(P.ClipHigh, C.ClipHigh);
  Empty |= Lowest > Highest;
  clip(C, Lowest, Highest, Out.Where.Consumer);
  clip(P, Lowest, Highest, Out.Where.Producer);
  Wide Apart = Wide(C.Base) - P.Base;
  row(P, C, Apart - P.Count + 1, Apart + C.Count - 1);
}

/// C.PerBlock . c + Low <= P.PerBlock . p <= C.PerBlock . c + High.
void Builder::row(const Coordinate &P, const Coordinate &C, Wide Low,
                  Wide High) {
  const Box &In = Out.Where.Producer;
  int64_t Steps[3] = {P.PerBlock[0], P.PerBlock[1], P.PerBlock[2]};
  unsigned Named = 0;
  for (unsigned D = 0; D < 3; ++D) {
    if (In.Low[D] == In.High[D]) {
      Low -= Wide(Steps[D]) * In.Low[D];
      High -= Wide(Steps[D]) * In.Low[D];
      Steps[D] = 0;
    }
    Named += Steps[D] != 0;
  }
  if (Named == 0) {
    atMost(C.PerBlock, -Low, Out.Where.Consumer);
    atLeast(C.PerBlock, -High, Out.Where.Consumer);
    return;
  }
  if (Named > 1)
    notExact(SeveralBounds);
  for (unsigned D = 0; D < 3 && !Empty; ++D) {
    if (Steps[D] == 0)
      continue;
    int64_t Others[3] = {Steps[0], Steps[1], Steps[2]};
    Others[D] = 0;
    WideInterval Rest = dotOver(Others, In);
    Wide From = Low - Rest.High, To = High - Rest.Low;
    Wide Divisor = Steps[D];
    int64_t Slope[3] = {C.PerBlock[0], C.PerBlock[1], C.PerBlock[2]};
    if (Divisor < 0) {
      Divisor = -Divisor;
      for (int64_t &S : Slope)
        S = -S;
      std::swap(From, To);
      From = -From;
      To = -To;
    }
    addRow(D, Slope, Divisor, From + Divisor - 1, To);
  }
}

/// Whether its upper bound lies below its lower one for every c.
static bool passesNone(const QuasiAffine &Row) {
  return Wide(Row.Low) - Row.High >= Row.D;
}

/// floor((Slope . c + Low) / Divisor) <= p_d <= floor((... High) / Divisor).
void Builder::addRow(unsigned D, const int64_t Slope[3], Wide Divisor, Wide Low,
                     Wide High) {
  int64_t Common = int64_t(Divisor);
  for (unsigned I = 0; I < 3; ++I)
    if (Slope[I] % Common != 0)
      Common = std::gcd(Common, Slope[I]);
  Low = floorDivWide(Low, Common);
  High = floorDivWide(High, Common);
  if (!WideInterval{std::min(Low, High), std::max(Low, High)}.usable())
    return notExact(BoundsTooLarge);
  QuasiAffine New;
  New.D = int64_t(Divisor) / Common;
  New.Low = int64_t(Low);
  New.High = int64_t(High);
  for (unsigned I = 0; I < 3; ++I)
    New.A[I] = Slope[I] / Common;
  Empty |= passesNone(New);
  Box &Clip = Out.Where.Producer;
  if (New.A[0] == 0 && New.A[1] == 0 && New.A[2] == 0) {
    Clip.Low[D] = std::max(Clip.Low[D], floorDiv(New.Low, New.D));
    Clip.High[D] = std::min(Clip.High[D], floorDiv(New.High, New.D));
    Empty |= emptyBox(Clip);
    return;
  }
  QuasiAffine &Old = Out.Where.Rows[D];
  if (!HasRow[D]) {
    Old = New;
    HasRow[D] = true;
    return;
  }
  if (Old.D == New.D && std::equal(Old.A, Old.A + 3, New.A)) {
    Old.Low = std::max(Old.Low, New.Low);
    Old.High = std::min(Old.High, New.High);
    Empty |= passesNone(Old);
    return;
  }
  notExact(SeveralRows);
  if (Wide(New.High - New.Low) * Old.D < Wide(Old.High - Old.Low) * New.D)
    Old = New;
}

/// Whether some c of the consumer box lets some p of the producer box through
/// row D.
bool Builder::possible(unsigned D) const {
  const QuasiAffine &Row = Out.Where.Rows[D];
  const Box &P = Out.Where.Producer;
  WideInterval Dot = dotOver(Row.A, Out.Where.Consumer);
  return floorDivWide(Dot.Low + Row.Low, Row.D) <= P.High[D] &&
         floorDivWide(Dot.High + Row.High, Row.D) >= P.Low[D];
}

/// Whether every c of the consumer box lets every p through.
static bool passesAll(const Piece &Where, unsigned D) {
  const QuasiAffine &Row = Where.Rows[D];
  WideInterval Dot = dotOver(Row.A, Where.Consumer);
  return floorDivWide(Dot.High + Row.Low, Row.D) <= Where.Producer.Low[D] &&
         floorDivWide(Dot.Low + Row.High, Row.D) >= Where.Producer.High[D];
}

std::optional<BlockOverlap> Builder::finish() {
  for (unsigned D = 0; D < 3 && !Empty; ++D) {
    if (HasRow[D] && !possible(D))
      return std::nullopt;
    if (!HasRow[D] || passesAll(Out.Where, D))
      Out.Where.Rows[D] = wholeRow(ProducerGrid[D]);
  }
  if (Empty)
    return std::nullopt;
  return Out;
}

/// Whether the memory the two may touch has nothing in common.
static bool apart(const BlockAccess &A, const BlockAccess &B) {
  if (A.How == Reach::Everything || B.How == Reach::Everything)
    return false;
  return B.Where.Base - A.Where.Base >= A.Where.Bytes &&
         A.Where.Base - B.Where.Base >= B.Where.Bytes;
}

static bool bytesMeet(const auto &P, const auto &C) {
  return P.ByteLow <= C.ByteHigh && C.ByteLow <= P.ByteHigh;
}

/// Of two sets over one list of strides that may meet.
static std::optional<BlockOverlap> build(const std::vector<Coordinate> &P,
                                         const std::vector<Coordinate> &C,
                                         Builder &Out) {
  for (size_t K = 0; K < P.size(); ++K)
    Out.coordinate(P[K], C[K]);
  return Out.finish();
}

std::optional<BlockOverlap> meet(const BlockAccess &Producer, const Extent &OfP,
                                 const BlockAccess &Consumer, const Extent &OfC,
                                 Dim3 ProducerGrid) {
  if (apart(Producer, Consumer) || emptyBox(OfP.Blocks) || emptyBox(OfC.Blocks))
    return std::nullopt;
  const bool Comparable = Producer.How == Reach::Coordinates &&
                          Consumer.How == Reach::Coordinates &&
                          Producer.Where.Base == Consumer.Where.Base;
  const bool Same =
      Comparable && sameStrides(Producer.Coordinates, Consumer.Coordinates);
  if (Same &&
      (!bytesMeet(Producer, Consumer) || !mayMeet(OfP.Values, OfC.Values)))
    return std::nullopt;
  Builder Out(Producer, OfP.Blocks, Consumer, OfC.Blocks, ProducerGrid);
  if (Same)
    return build(Producer.Coordinates, Consumer.Coordinates, Out);
  if (!Comparable) {
    Out.notExact("the two allocations overlap");
    return Out.finish();
  }
  StridedSet P, C;
  unifyStrides(Producer, Consumer, P, C);
  std::vector<WideInterval> ValuesP, ValuesC;
  addValues(P.Coordinates, OfP.Blocks, ValuesP);
  addValues(C.Coordinates, OfC.Blocks, ValuesC);
  if (!bytesMeet(P, C) || !mayMeet(ValuesP, ValuesC))
    return std::nullopt;
  if (!P.Exact || !C.Exact)
    Out.notExact(OtherShape);
  return build(P.Coordinates, C.Coordinates, Out);
}

} // namespace blockmaestro
