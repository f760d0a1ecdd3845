// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Splitting an access]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~
// Two things are said exactly only case by case.
//
//   A quotient of blocks: floor(blockIdx.x / 64) is not affine, but it is a
//   number in each run of 64 blocks. Few such numbers become a part each.
//
//   A guard that follows no single coordinate: the loop
//     for (i = thread of the grid; i < n; i += threads of the grid) a[i]
//   touches all of each round but the last, and of the last a first piece. An
//   index for which the guard holds by itself but at a few values becomes one
//   part for the others and one for each of the few. This is done only when
//   every part then comes out exact.

#include "Parts.h"

#include "Narrow.h"

#include <algorithm>

namespace blockmaestro {

/// A guard may fail at this many values of an index that is split by it.
static constexpr int64_t MostRagged = 2;
/// So often is a split by a guard tried, whether it helps or not.
static constexpr unsigned MostTries = 8;

void setBlocks(const IndexBox &Box, BlockAccess &Out) {
  for (unsigned D = 0; D < 3; ++D) {
    Out.BlockLow[D] = Box[FirstBlock + D].Low;
    Out.BlockHigh[D] = Box[FirstBlock + D].High;
  }
}

namespace {

class Splitter {
public:
  /// Appends to Parts.
  Splitter(const PartsOf &What, std::vector<BlockAccess> &Parts)
      : What(What), Parts(Parts), Before(Parts.size()) {}

  /// All parts; Box is narrowed by Conditions. False when there would be too
  /// many, some of which are then there.
  bool split(const Guards &Conditions, const IndexBox &Box);
  /// One part for all, in place of those there are.
  void together(const Guards &Conditions, const IndexBox &Box);

private:
  void whole(const Guards &Conditions, IndexBox Box);
  void add(const Affine &Offset, const Guards &Conditions, const IndexBox &Box,
           BlockAccess Part);
  bool splitAt(unsigned Index, const Guards &Conditions, const IndexBox &Box,
               Interval Together);
  bool splitRagged(const Guards &Conditions, const IndexBox &Box);
  bool exactSince(size_t First) const;

  const PartsOf &What;
  std::vector<BlockAccess> &Parts;
  const size_t Before; ///< How many Parts were there.
  unsigned Tries = 0;
};

} // namespace

/// A loose quotient has two guards of its own, so it does not become exact
/// unless it is a number.
static int looseIndexOf(const PartsOf &What, const IndexBox &Box) {
  for (const LooseQuotient &Quotient : What.Indices.looseQuotients())
    if (What.Offset.Of[Quotient.Index] != 0 && !Box[Quotient.Index].single())
      return int(Quotient.Index);
  return -1;
}

void Splitter::add(const Affine &Offset, const Guards &Conditions,
                   const IndexBox &Box, BlockAccess Part) {
  setBlocks(Box, Part);
  if (makeCoordinates(Offset, What.ElementBytes, Box, Conditions, Part))
    Parts.push_back(std::move(Part));
}

/// Appends one part.
void Splitter::whole(const Guards &Conditions, IndexBox Box) {
  BlockAccess Out = What.Like;
  Affine Offset = What.Offset;
  if (What.Indices.spread(Offset, What.ElementBytes, Box))
    notExact(Out, "it divides block indices: taken as a range of bytes per "
                  "block");
  if (!projects(Offset, Box, Conditions))
    return add(Offset, Conditions, Box, std::move(Out));
  Guards Left = Conditions;
  const Projected Which = projectOut(Offset, Box, Left);
  if (!Which.Exact)
    notExact(Out, "the conditions around it depend on each other and were "
                  "partly left out");
  if (!Which.Any || narrow(Left, Box))
    add(Offset, Left, Box, std::move(Out));
}

bool Splitter::exactSince(size_t First) const {
  for (size_t I = First; I < Parts.size(); ++I)
    if (!Parts[I].Exact)
      return false;
  return true;
}

/// One part for the values of Index in Together, one for each other value.
bool Splitter::splitAt(unsigned Index, const Guards &Conditions,
                       const IndexBox &Box, Interval Together) {
  auto Part = [&](Interval Values) {
    IndexBox Smaller = Box;
    Smaller[Index] = Values;
    Guards Left = Conditions;
    return !narrow(Left, Smaller) || split(Left, Smaller);
  };
  bool Fits = true;
  for (int64_t V = Box[Index].Low; Fits && V <= Box[Index].High; ++V) {
    bool Many = V >= Together.Low && V <= Together.High;
    Fits = Part(Many ? Together : Interval{V, V});
    V = Many ? Together.High : V;
  }
  return Fits;
}

/// The values of index I for which Guard holds whatever the others are.
static Interval alwaysHolds(const Affine &Guard, unsigned I,
                            const IndexBox &Box) {
  Affine Others = Guard;
  Others.Of[I] = 0;
  const Wide Least = rangeOf(Others, Box).Low, Slope = Guard.Of[I];
  Interval Values = Box[I];
  if (Slope > 0)
    Values.Low =
        int64_t(std::max<Wide>(Values.Low, ceilDivWide(-Least, Slope)));
  else
    Values.High =
        int64_t(std::min<Wide>(Values.High, floorDivWide(Least, -Slope)));
  return Values;
}

/// See Note [Splitting an access]. False when no index will do; Parts is then
/// as before.
bool Splitter::splitRagged(const Guards &Conditions, const IndexBox &Box) {
  const size_t First = Parts.size();
  for (const Affine &Guard : Conditions)
    for (unsigned I = 0; I < Box.Count && Tries < MostTries; ++I) {
      if (Guard.Of[I] == 0 || What.Offset.Of[I] == 0 || isBlock(I) ||
          Box[I].single())
        continue;
      const Interval Always = alwaysHolds(Guard, I, Box);
      const int64_t All = Box[I].High - Box[I].Low;
      if (Always.Low > Always.High ||
          All - (Always.High - Always.Low) > MostRagged)
        continue;
      ++Tries;
      if (splitAt(I, Conditions, Box, Always) && exactSince(First))
        return true;
      Parts.resize(First);
    }
  return false;
}

bool Splitter::split(const Guards &Conditions, const IndexBox &Box) {
  if (int Index = looseIndexOf(What, Box); Index >= 0) {
    const Interval &Values = Box[size_t(Index)];
    return Values.High - Values.Low < int64_t(What.Most) &&
           splitAt(unsigned(Index), Conditions, Box, {Values.Low, Values.Low});
  }
  const size_t First = Parts.size();
  whole(Conditions, Box);
  if (What.Like.Exact && !exactSince(First)) {
    BlockAccess Simple = std::move(Parts.back());
    Parts.pop_back();
    if (!splitRagged(Conditions, Box))
      Parts.push_back(std::move(Simple));
  }
  return Parts.size() - Before <= What.Most;
}

void Splitter::together(const Guards &Conditions, const IndexBox &Box) {
  Parts.resize(Before);
  whole(Conditions, Box);
}

void makeParts(const PartsOf &What, const Guards &Conditions,
               const IndexBox &Box, std::vector<BlockAccess> &Out) {
  Splitter Cases(What, Out);
  if (!Cases.split(Conditions, Box))
    Cases.together(Conditions, Box);
}

} // namespace blockmaestro
