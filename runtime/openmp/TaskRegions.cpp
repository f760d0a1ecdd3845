// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskRegions.h"

#include <mutex>
#include <utility>

namespace blockmaestro::openmp {

void TaskRegions::add(const TaskTable &Table) {
  std::unique_lock<std::shared_mutex> Held(Lock);
  for (uint32_t I = 0; I < Table.RegionCount; ++I)
    All[Table.Regions[I].Region] = {&Table, &Table.Regions[I]};
  New.push_back(&Table);
  AnyNew = true;
}

void TaskRegions::remove(const TaskTable &Table) {
  std::unique_lock<std::shared_mutex> Held(Lock);
  for (uint32_t I = 0; I < Table.RegionCount; ++I)
    All.erase(Table.Regions[I].Region);
  std::erase(New, &Table);
}

std::vector<const TaskTable *> TaskRegions::takeNew() {
  if (!AnyNew.load(std::memory_order_relaxed))
    return {};
  std::unique_lock<std::shared_mutex> Held(Lock);
  AnyNew = false;
  return std::exchange(New, {});
}

KnownTaskRegion TaskRegions::find(const void *Region) {
  std::shared_lock<std::shared_mutex> Held(Lock);
  const auto Found = All.find(Region);
  return Found == All.end() ? KnownTaskRegion() : Found->second;
}

} // namespace blockmaestro::openmp
