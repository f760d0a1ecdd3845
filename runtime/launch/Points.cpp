// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Walking points]
// ~~~~~~~~~~~~~~~~~~~~~
// With blockIdx fixed, the indices that still range are loops in each other.
// Before a loop runs, every guard says what is left of its index when those
// inside it help as much as they can; the innermost loop is then precisely an
// interval, and its bytes are one range where they touch. Indices that do not
// move the address come last, as one value of them is enough.
//
// Example: a[y*m + x] where y*w + x < n. In the row ty the guard leaves
// tx <= n - 1 - w*ty - .., which no coordinate could say for all rows at once.

#include "Points.h"

#include "Narrow.h"

#include <algorithm>
#include <cstdlib>

namespace blockmaestro {

namespace {

enum class Walked { Nothing, Something, TooMuch };

class Walker {
public:
  Walker(const AccessForm &Of, uint64_t &Left, std::vector<OffsetRange> &Out)
      : Of(Of), Conditions(Of.Conditions), Box(Of.Box), Left(Left), Out(Out) {}

  bool walk(Dim3 Block);

private:
  void order();
  void prepare();
  bool mayHold() const;
  Interval valuesAt(size_t Level) const;
  Walked descend(size_t Level, int64_t Offset);
  Walked write(int64_t Offset, int64_t Step, const Interval &Values);

  /// The guards' sums over the constant and the indices outside Level.
  int64_t *sums(size_t Level) { return &Sums[Level * Conditions.size()]; }
  const int64_t *sums(size_t Level) const {
    return &Sums[Level * Conditions.size()];
  }

  const AccessForm &Of;
  Guards Conditions;
  IndexBox Box;
  uint64_t &Left;
  std::vector<OffsetRange> &Out;
  std::vector<unsigned> Order; ///< Of the loops, outermost first.
  size_t Moving = 0;           ///< So many of them move the address.
  std::vector<int64_t> Sums;   ///< By level, then by guard.
  std::vector<int64_t> Best;   ///< The most that indices inside can add.
};

} // namespace

/// The innermost of those that move the address makes the longest ranges.
void Walker::order() {
  auto Ranges = [&](unsigned I) { return !Box[I].single(); };
  auto Length = [&](unsigned I) {
    const bool Touch = std::abs(Of.Offset.Of[I]) <= int64_t(Of.ElementBytes);
    return std::pair(Touch, Box[I].High - Box[I].Low);
  };
  for (unsigned I = 0; I < Box.Count; ++I)
    if (Of.Offset.Of[I] != 0 && Ranges(I))
      Order.push_back(I);
  Moving = Order.size();
  std::sort(Order.begin(), Order.end(),
            [&](unsigned A, unsigned B) { return Length(A) < Length(B); });
  for (unsigned I = 0; I < Box.Count; ++I)
    if (Of.Offset.Of[I] == 0 && Ranges(I) &&
        std::any_of(Conditions.begin(), Conditions.end(),
                    [I](const Affine &Guard) { return Guard.Of[I] != 0; }))
      Order.push_back(I);
}

void Walker::prepare() {
  const size_t Count = Conditions.size();
  Sums.assign((Order.size() + 1) * Count, 0);
  Best.assign((Order.size() + 1) * Count, 0);
  for (size_t G = 0; G < Count; ++G) {
    const Affine &Guard = Conditions[G];
    Sums[G] = Guard.Constant;
    for (unsigned I = 0; I < Box.Count; ++I)
      if (Box[I].single())
        Sums[G] += Guard.Of[I] * Box[I].Low;
    for (size_t K = Order.size(); K-- > 0;) {
      const int64_t Slope = Guard.Of[Order[K]];
      const Interval &Values = Box[Order[K]];
      Best[K * Count + G] = Best[(K + 1) * Count + G] +
                            Slope * (Slope > 0 ? Values.High : Values.Low);
    }
  }
}

/// Whether each guard holds somewhere; narrow() may have ended before it saw
/// that one does not.
bool Walker::mayHold() const {
  for (size_t G = 0; G < Conditions.size(); ++G)
    if (Sums[G] + Best[G] < 0)
      return false;
  return true;
}

/// The values of the index at Level for which the guards, which may hold up to
/// there, still may; with nothing inside it, for which they do.
Interval Walker::valuesAt(size_t Level) const {
  Interval Values = Box[Order[Level]];
  for (size_t G = 0; G < Conditions.size(); ++G) {
    const int64_t Slope = Conditions[G].Of[Order[Level]];
    const int64_t Room =
        sums(Level)[G] + Best[(Level + 1) * Conditions.size() + G];
    if (Slope > 0)
      Values.Low = std::max(Values.Low, -floorDiv(Room, Slope));
    else if (Slope < 0)
      Values.High = std::min(Values.High, floorDiv(Room, -Slope));
  }
  return Values;
}

/// The elements at Offset + Step * each of Values.
Walked Walker::write(int64_t Offset, int64_t Step, const Interval &Values) {
  const int64_t Size = Of.ElementBytes;
  int64_t First = Offset + Step * Values.Low;
  int64_t Last = Offset + Step * Values.High;
  if (First > Last)
    std::swap(First, Last);
  Step = std::abs(Step);
  const bool Touch = Step <= Size;
  const uint64_t Ranges = Touch ? 1 : uint64_t(Values.High - Values.Low) + 1;
  if (Ranges > Left)
    return Walked::TooMuch;
  Left -= Ranges;
  if (Touch)
    Out.push_back({First, Last + Size - 1});
  else
    for (int64_t At = First; At <= Last; At += Step)
      Out.push_back({At, At + Size - 1});
  return Walked::Something;
}

/// The loops from Level inwards, the indices outside being worth Offset.
Walked Walker::descend(size_t Level, int64_t Offset) {
  if (Level == Order.size())
    return write(Offset, 0, {0, 0});
  if (Left == 0)
    return Walked::TooMuch;
  --Left;
  const unsigned Index = Order[Level];
  const int64_t Step = Of.Offset.Of[Index];
  const Interval Values = valuesAt(Level);
  if (Values.Low > Values.High)
    return Walked::Nothing;
  if (Level + 1 == Order.size())
    return write(Offset, Step, Values);
  Walked All = Walked::Nothing;
  for (int64_t V = Values.Low; V <= Values.High; ++V) {
    for (size_t G = 0; G < Conditions.size(); ++G)
      sums(Level + 1)[G] = sums(Level)[G] + Conditions[G].Of[Index] * V;
    const Walked One = descend(Level + 1, Offset + Step * V);
    if (One == Walked::TooMuch)
      return One;
    if (One == Walked::Something)
      All = One;
    if (All == Walked::Something && Level >= Moving)
      return All;
  }
  return All;
}

bool Walker::walk(Dim3 Block) {
  for (unsigned D = 0; D < 3; ++D) {
    Interval &Mine = Box[FirstBlock + D];
    const int64_t At = Block[D];
    if (At < Mine.Low || At > Mine.High)
      return true;
    Mine = {At, At};
  }
  if (!narrow(Conditions, Box))
    return true;
  order();
  prepare();
  int64_t Offset = Of.Offset.Constant;
  for (unsigned I = 0; I < Box.Count; ++I)
    if (Box[I].single())
      Offset += Of.Offset.Of[I] * Box[I].Low;
  if (!mayHold())
    return true;
  return descend(0, Offset) != Walked::TooMuch;
}

bool walkPoints(const AccessForm &Of, Dim3 Block, uint64_t &Left,
                std::vector<OffsetRange> &Out) {
  return Walker(Of, Left, Out).walk(Block);
}

} // namespace blockmaestro
