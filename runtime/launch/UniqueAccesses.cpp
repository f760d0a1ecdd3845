// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "UniqueAccesses.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

/// Whether the two touch the same bytes, as far as is known.
static bool sameSet(const BlockAccess &A, const BlockAccess &B) {
  static_assert(std::has_unique_object_representations_v<Coordinate>);
  const size_t Count = A.Coordinates.size();
  return A.Where.Base == B.Where.Base && A.Where.Bytes == B.Where.Bytes &&
         A.How == B.How && A.Exact == B.Exact && A.Narrows == B.Narrows &&
         Count == B.Coordinates.size() &&
         (Count == 0 || std::memcmp(A.Coordinates.data(), B.Coordinates.data(),
                                    Count * sizeof(Coordinate)) == 0) &&
         A.ByteLow == B.ByteLow && A.ByteHigh == B.ByteHigh &&
         std::equal(A.BlockLow, A.BlockLow + 3, B.BlockLow) &&
         std::equal(A.BlockHigh, A.BlockHigh + 3, B.BlockHigh) &&
         A.Reason == B.Reason;
}

TouchedSets touchesOf(const LaunchAccesses &Of) {
  TouchedSets Out;
  Out.Sets.reserve(Of.Accesses.size());
  size_t Coordinates = 0;
  for (const BlockAccess &A : Of.Accesses)
    Coordinates += A.Coordinates.size();
  Out.Values.reserve(Coordinates);
  for (uint32_t I = 0; I < Of.Accesses.size(); ++I) {
    const BlockAccess &A = Of.Accesses[I];
    auto Same = std::find_if(Out.Sets.begin(), Out.Sets.end(),
                             [&](const UniqueAccess &Each) {
                               return sameSet(Of.Accesses[Each.First], A);
                             });
    if (Same == Out.Sets.end())
      Same = Out.Sets.insert(
          Same, {I, false, false, extentOf(A, Of.Grid, Out.Values)});
    Same->Reads |= reads(A.Kind);
    Same->Writes |= writes(A.Kind);
  }
  return Out;
}

} // namespace blockmaestro
