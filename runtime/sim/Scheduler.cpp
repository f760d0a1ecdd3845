// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scheduler.h"

namespace blockmaestro::sim {

static constexpr Scheduler Table[] = {
    {"baseline", 1, true, Granularity::Kernel, Priority::Producer,
     "one launch after the other, each with its launch overhead"},
    {"ideal", 1, false, Granularity::Kernel, Priority::Producer,
     "the same without launch overhead; still waits for whole launches"},
    {"prelaunch", 2, true, Granularity::Kernel, Priority::Producer,
     "the next launch is prepared meanwhile, waits for whole launches"},
    {"producer", 2, true, Granularity::Block, Priority::Producer,
     "blocks wait for their parents, earlier launch first"},
    {"consumer2", 2, true, Granularity::Block, Priority::Consumer,
     "blocks wait for their parents, later launch first, 2 in flight"},
    {"consumer3", 3, true, Granularity::Block, Priority::Consumer,
     "the same with 3 in flight"},
    {"consumer4", 4, true, Granularity::Block, Priority::Consumer,
     "the same with 4 in flight"},
};

SchedulerTable schedulers() {
  return {Table, sizeof(Table) / sizeof(Table[0])};
}

const Scheduler *findScheduler(const std::string &Name) {
  for (const Scheduler &S : Table)
    if (Name == S.Name)
      return &S;
  return nullptr;
}

} // namespace blockmaestro::sim
