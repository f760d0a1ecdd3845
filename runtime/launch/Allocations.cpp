// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Allocations.h"

namespace blockmaestro {

static bool overlap(const Allocation &A, const Allocation &B) {
  return A.Base - B.Base < B.Bytes || B.Base - A.Base < A.Bytes;
}

void AllocationMap::add(const Allocation &What, bool Own) {
  if (What.Bytes == 0)
    return;
  ++Version;
  auto Next = ByBase.lower_bound(What.Base);
  if (Next != ByBase.begin() && overlap(std::prev(Next)->second, What))
    --Next;
  while (Next != ByBase.end() && overlap(Next->second, What))
    Next = ByBase.erase(Next);
  ByBase.emplace(What.Base, Known{What, Own});
}

bool AllocationMap::remove(uint64_t Base) {
  ++Version;
  return ByBase.erase(Base) != 0;
}

const AllocationMap::Known *AllocationMap::holding(uint64_t Address) const {
  auto After = ByBase.upper_bound(Address);
  if (After == ByBase.begin())
    return nullptr;
  const Known &Before = std::prev(After)->second;
  return Address - Before.Base < Before.Bytes ? &Before : nullptr;
}

const Allocation *AllocationMap::find(uint64_t Address) const {
  return holding(Address);
}

bool AllocationMap::owns(uint64_t Address, uint64_t Bytes) const {
  const Known *In = holding(Address);
  return In && In->Own && Bytes <= In->Bytes - (Address - In->Base);
}

Neighbourhood AllocationMap::around(uint64_t Address) const {
  Neighbourhood Found;
  auto At = ByBase.upper_bound(Address);
  const auto IsNear = [&](auto Which) {
    return Which != ByBase.end() && Which->second.Base - Address <= NearBytes;
  };
  if (IsNear(At)) {
    Found.Behind = &At->second;
    Found.Crowded = IsNear(std::next(At));
  }
  if (At == ByBase.begin())
    return Found;
  const Allocation *Before = &std::prev(At)->second;
  if (Address - Before->Base < Before->Bytes) {
    Found.Inside = Before;
    if (Before->Base != Address || std::prev(At) == ByBase.begin())
      return Found;
    Before = &std::prev(At, 2)->second;
  }
  if (Address - Before->Base == Before->Bytes)
    Found.Ending = Before;
  return Found;
}

void AllocationMap::addGlobal(const std::string &Symbol, const Allocation &What,
                              bool Own) {
  ++Version;
  add(What, Own);
  auto [Where, New] = Globals.emplace(Symbol, What);
  if (!New && Where->second.Base != What.Base)
    Where->second.Bytes = 0;
}

const Allocation *AllocationMap::findGlobal(const std::string &Symbol) const {
  auto Where = Globals.find(Symbol);
  if (Where == Globals.end() || Where->second.Bytes == 0)
    return nullptr;
  return &Where->second;
}

void AllocationMap::clear() {
  ++Version;
  ByBase.clear();
  Globals.clear();
}

} // namespace blockmaestro
