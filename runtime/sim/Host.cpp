// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Host.h"

#include <algorithm>

namespace blockmaestro::sim {

Host::Host(const Workload &What, const LaunchCosts &Costs)
    : Hearing(Costs.Hearing), Asked(What.Launches.size(), 0) {
  if (!What.HostTakesTime && Costs.Call == 0 && Costs.Hearing == 0)
    return;
  std::fill(Asked.begin(), Asked.end(), NotKnown);
  for (HostCall Each : What.HostCalls) {
    if (!Each.Waits && What.Launches[Each.Launch].takesTime())
      Each.Ns += Costs.Call;
    Threads[Each.Thread].Calls.push_back(Each);
  }
  for (auto &[Number, Each] : Threads)
    go(Each, 0, 0);
}

/// Up to the next wait for what has not completed.
void Host::go(Thread &Which, uint32_t First, uint64_t Now) {
  for (; Which.Next < Which.Calls.size(); ++Which.Next) {
    const HostCall &Each = Which.Calls[Which.Next];
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
    go(Next, First, Now + Hearing);
  }
}

} // namespace blockmaestro::sim
