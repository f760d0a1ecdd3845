// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Traffic.h"

namespace blockmaestro::sim {

uint32_t Buffers::fetchList(uint64_t Children) {
  const uint32_t Entries = entriesOf(Children);
  Counted.ListFetches += Entries;
  uint64_t Free = On.DependencyListEntries > ListEntries
                      ? On.DependencyListEntries - ListEntries
                      : 0;
  if (Entries > Free)
    Counted.ListRefetches += Entries - Free;
  ListEntries += Entries;
  return Entries;
}

void Buffers::evictOldest() {
  while (!isResident(ByAge.front()))
    ByAge.pop_front();
  auto [Launch, Block] = ByAge.front();
  ByAge.pop_front();
  Resident[Launch][Block] = 0;
  --Counters;
  ++Counted.CounterEvictions;
}

void Buffers::fetchCounter(uint32_t Launch, uint32_t Block) {
  if (Counters >= On.ParentCounterEntries)
    evictOldest();
  while (!ByAge.empty() && !isResident(ByAge.front()))
    ByAge.pop_front();
  Resident[Launch][Block] = 1;
  ByAge.push_back({Launch, Block});
  ++Counters;
  ++Counted.CounterFetches;
}

void Buffers::drop(uint32_t Launch, uint32_t Block) {
  if (!Resident[Launch][Block])
    return;
  Resident[Launch][Block] = 0;
  --Counters;
}

} // namespace blockmaestro::sim
