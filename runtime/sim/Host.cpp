// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Host.h"

#include <algorithm>

namespace blockmaestro::sim {

Host::Host(const Workload &What)
    : Asked(What.Launches.size(), What.HostCalls.empty() ? 0 : NotKnown) {
  for (const HostCall &Each : What.HostCalls)
    Threads[Each.Thread].Calls.push_back(&Each);
  for (auto &[Number, Each] : Threads)
    go(Each, 0, 0);
}

/// Up to the next wait for what has not completed.
void Host::go(Thread &Which, uint32_t First, uint64_t Now) {
  for (; Which.Next < Which.Calls.size(); ++Which.Next) {
    const HostCall &Each = *Which.Calls[Which.Next];
    if (Each.Waits && Each.Launch > First) {
      Waiting.emplace(Each.Launch, &Which);
      return;
    }
    Which.Clock += Each.Ns;
    if (Each.Waits)
      Which.Clock = std::max(Which.Clock, Now);
    else
      Asked[Each.Launch] = Which.Clock;
  }
}

void Host::completed(uint32_t First, uint64_t Now) {
  while (!Waiting.empty() && Waiting.begin()->first <= First) {
    Thread &Next = *Waiting.begin()->second;
    Waiting.erase(Waiting.begin());
    go(Next, First, Now);
  }
}

} // namespace blockmaestro::sim
