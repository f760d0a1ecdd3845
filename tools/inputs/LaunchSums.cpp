// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSums.h"

#include <algorithm>

namespace blockmaestro {

std::vector<LaunchSum> launchSums(const Recording &Of) {
  std::vector<LaunchSum> Out(Of.Launches.size());
  for (const Event &Each : Of.Events) {
    LaunchSum &Sum = Out[Each.Launch];
    ++Sum.Events;
    Sum.Start = std::min(Sum.Start, Each.Start);
    Sum.End = std::max(Sum.End, Each.End);
    Sum.BlockNs += Each.End - Each.Start;
  }
  for (const RecordedCost &Each : Of.Costs) {
    LaunchSum &Sum = Out[Each.Launch];
    ++Sum.Costs;
    for (const CostField &Field : CostFields)
      Sum.Cost.*Field.Value += Each.Cost.*Field.Value;
  }
  return Out;
}

uint64_t firstStart(const std::vector<LaunchSum> &Of) {
  uint64_t First = ~uint64_t(0);
  for (const LaunchSum &Each : Of)
    First = std::min(First, Each.Start);
  return First == ~uint64_t(0) ? 0 : First;
}

} // namespace blockmaestro
