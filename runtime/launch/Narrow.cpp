// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Projecting out]
// ~~~~~~~~~~~~~~~~~~~~~
// An index x that does not move the address only has to exist. The guards and
// the box bound it by
//
//   a x + f >= 0, a > 0 (lower bounds)      -b x + g >= 0, b > 0 (upper bounds)
//
// and an integer x exists exactly when one exists for each pair of a lower and
// an upper bound, as the integers that meet either are half lines. For a pair:
//
//   a = 1 or b = 1                   exactly when  a g + b f >= 0
//   a = b and f + g a number         always, when f + g >= a - 1: one of a
//                                    integers in a row is a multiple of a
//   else                             a g + b f >= 0 is needed, not enough
//
// Example: if (blockIdx.x * 32 + threadIdx.x < n) out[blockIdx.x] = ..; the
// guard and threadIdx.x >= 0 give blockIdx.x * 32 < n.

#include "Narrow.h"

#include <algorithm>

namespace blockmaestro {

/// Chains of guards that narrow each other are followed this far.
static constexpr unsigned MostRounds = 8;
/// More guards than this are not combined with each other.
static constexpr size_t MostGuards = 32;

/// Uses Guard >= 0, which is worth at most Highest, on index I. All is below
/// LargestValue.
static bool narrowIndex(const Affine &Guard, unsigned I, int64_t Highest,
                        IndexBox &Box) {
  Interval &Of = Box[I];
  const int64_t Slope = Guard.Of[I];
  const int64_t Others = Highest - Slope * (Slope > 0 ? Of.High : Of.Low);
  const Interval Before = Of;
  if (Slope > 0)
    Of.Low = std::clamp(-floorDiv(Others, Slope), Of.Low, Of.High);
  else
    Of.High = std::clamp(floorDiv(Others, -Slope), Of.Low, Of.High);
  return Of.Low != Before.Low || Of.High != Before.High;
}

bool narrow(Guards &Conditions, IndexBox &Box) {
  bool Changed = true;
  for (unsigned Round = 0; Changed && Round < MostRounds; ++Round) {
    Changed = false;
    for (size_t G = 0; G < Conditions.size();) {
      WideInterval Range = rangeOf(Conditions[G], Box);
      if (Range.High < 0)
        return false;
      if (Range.Low >= 0) {
        Conditions.erase(Conditions.begin() + std::ptrdiff_t(G));
        continue;
      }
      const Affine &Guard = Conditions[G++];
      for (unsigned I = 0; I < Box.Count; ++I)
        if (Guard.Of[I] != 0 && !Box[I].single())
          Changed |= narrowIndex(Guard, I, int64_t(Range.High), Box);
    }
  }
  return true;
}

namespace {

/// The guards without one index.
struct Projection {
  Guards Without;
  bool Exact = true;
};

} // namespace

/// Adds what a lower and an upper bound of index I say of the others.
static void combine(const Affine &Lower, const Affine &Upper, unsigned I,
                    const IndexBox &Box, Projection &Out) {
  const int64_t A = Lower.Of[I], B = -Upper.Of[I];
  Affine Both;
  bool Fits = addScaled(Both, B, Lower) && addScaled(Both, A, Upper);
  if (!Fits || !usableFromZero(Both, Box)) {
    Out.Exact = false;
    return;
  }
  const Wide Low = rangeOf(Both, Box).Low;
  if (Low >= Wide(A - 1) * (B - 1))
    return;
  Out.Exact &= A == 1 || B == 1;
  if (Low < 0)
    Out.Without.push_back(Both);
}

/// See Note [Projecting out].
static Projection project(const Guards &Conditions, unsigned I,
                          const IndexBox &Box) {
  Projection Out;
  Guards Lower(1), Upper(1);
  Lower[0].Of[I] = 1;
  Lower[0].Constant = -Box[I].Low;
  Upper[0].Of[I] = -1;
  Upper[0].Constant = Box[I].High;
  for (const Affine &Guard : Conditions)
    (Guard.Of[I] > 0   ? Lower
     : Guard.Of[I] < 0 ? Upper
                       : Out.Without)
        .push_back(Guard);
  if (Lower.size() * Upper.size() + Out.Without.size() > MostGuards) {
    Out.Exact = false;
    return Out;
  }
  for (const Affine &Low : Lower)
    for (const Affine &High : Upper)
      combine(Low, High, I, Box, Out);
  return Out;
}

static bool mentions(const Guards &Conditions, unsigned I) {
  return std::any_of(Conditions.begin(), Conditions.end(),
                     [I](const Affine &Guard) { return Guard.Of[I] != 0; });
}

/// Whether index I may be projected out, and some guard mentions it.
static bool standsBy(const Affine &Offset, const IndexBox &Box,
                     const Guards &Conditions, unsigned I) {
  return !isBlock(I) && !Box[I].single() && Offset.Of[I] == 0 &&
         mentions(Conditions, I);
}

bool projects(const Affine &Offset, const IndexBox &Box,
              const Guards &Conditions) {
  for (unsigned I = 0; I < Box.Count; ++I)
    if (standsBy(Offset, Box, Conditions, I))
      return true;
  return false;
}

Projected projectOut(const Affine &Offset, const IndexBox &Box,
                     Guards &Conditions) {
  Projected Out;
  for (bool OnlyExact : {true, false})
    for (unsigned I = 0; I < Box.Count; ++I) {
      if (!standsBy(Offset, Box, Conditions, I))
        continue;
      Projection Next = project(Conditions, I, Box);
      if (OnlyExact && !Next.Exact)
        continue;
      Out.Exact &= Next.Exact;
      Out.Any = true;
      Conditions = std::move(Next.Without);
    }
  return Out;
}

} // namespace blockmaestro
