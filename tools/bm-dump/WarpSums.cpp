// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpSums.h"

#include "blockmaestro/WarpCosts.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

using Number = uint64_t BlockCost::*;

struct AccessNumbers {
  Number Global, Sectors, Shared;
};

/// Of a class with isAccess().
AccessNumbers numbersOf(WarpClass Class) {
  switch (Class) {
  case WarpClass::Read:
    return {&BlockCost::GlobalReads, &BlockCost::GlobalReadSectors,
            &BlockCost::SharedReads};
  case WarpClass::Write:
    return {&BlockCost::GlobalWrites, &BlockCost::GlobalWriteSectors,
            &BlockCost::SharedWrites};
  default:
    return {&BlockCost::GlobalAtomics, &BlockCost::GlobalAtomicSectors,
            &BlockCost::SharedAtomics};
  }
}

/// As costs have it, an access of nothing is none.
void addAccess(BlockCost &To, WarpClass Class, const WarpAccess &What) {
  if (What.Count == 0)
    return;
  const AccessNumbers Numbers = numbersOf(Class);
  ++(To.*(What.Shared ? Numbers.Shared : Numbers.Global));
  To.*(What.Shared ? &BlockCost::SharedWavefronts : Numbers.Sectors) +=
      What.Count;
}

} // namespace

void WarpSums::add(const WarpPath &Path, const WarpCode &Code) {
  const WarpRoute &Route = *Path.Route;
  ++Warps;
  Visits += Route.Visits.size();
  auto Access = Route.Accesses.begin();
  for (const WarpVisit &V : Route.Visits)
    for (const WarpInstruction &I : Code.Steps[V.Step].Instructions) {
      Lanes += uint64_t(popcount(V.Lanes));
      if (isAccess(I.Class))
        addAccess(Cost, I.Class, *Access++);
      else
        ++(Cost.*costFieldOf(I.Class));
    }
}

void WarpSums::add(const WarpSums &Other) {
  Warps += Other.Warps;
  Visits += Other.Visits;
  Lanes += Other.Lanes;
  for (const CostField &F : CostFields)
    Cost.*F.Value += Other.Cost.*F.Value;
}

std::string toText(const WarpSums &Sums) {
  const BlockCost &C = Sums.Cost;
  const uint64_t Count = C.instructions();
  std::string Out;
  raw_string_ostream(Out) << Count << " instructions of "
                          << format("%.1f",
                                    Count ? double(Sums.Lanes) / double(Count)
                                          : 0)
                          << " lanes, " << C.globalAccesses()
                          << " global accesses of " << C.globalSectors()
                          << " sectors, " << C.sharedAccesses()
                          << " shared accesses of " << C.SharedWavefronts
                          << " wavefronts, " << C.Barriers << " barriers";
  return Out;
}

json::Object toJson(const WarpSums &Sums) {
  json::Object Out{{"warps", Sums.Warps},
                   {"visits", Sums.Visits},
                   {"lanes", Sums.Lanes},
                   {"instructions", Sums.Cost.instructions()}};
  constexpr StringLiteral Last = "shared_wavefronts";
  for (const CostField &F : CostFields) {
    Out[F.Name] = Sums.Cost.*F.Value;
    if (F.Name == Last)
      break;
  }
  return Out;
}

} // namespace blockmaestro
