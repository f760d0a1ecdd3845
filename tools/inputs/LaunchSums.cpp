// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchSums.h"

#include <algorithm>

namespace blockmaestro {

void addEvents(const PackedBlocks<Event> &Of, std::vector<LaunchSum> &To) {
  for (const Event &Each : Of) {
    LaunchSum &Sum = To[Each.Launch];
    ++Sum.Events;
    Sum.Start = std::min(Sum.Start, Each.Start);
    Sum.End = std::max(Sum.End, Each.End);
    Sum.BlockNs += Each.End - Each.Start;
  }
}

void addCosts(const PackedBlocks<RecordedCost> &Of,
              std::vector<LaunchSum> &To) {
  for (const RecordedCost &Each : Of) {
    LaunchSum &Sum = To[Each.Launch];
    ++Sum.Costs;
    for (const CostField &Field : CostFields)
      Sum.Cost.*Field.Value += Each.Cost.*Field.Value;
  }
}

std::vector<LaunchSum> launchTimes(const Recording &Of) {
  std::vector<LaunchSum> Out(Of.Launches.size());
  addEvents(Of.Events, Out);
  return Out;
}

std::vector<LaunchSum> launchSums(const Recording &Of) {
  std::vector<LaunchSum> Out = launchTimes(Of);
  addCosts(Of.Costs, Out);
  return Out;
}

uint64_t firstStart(const std::vector<LaunchSum> &Of) {
  uint64_t First = ~uint64_t(0);
  for (const LaunchSum &Each : Of)
    First = std::min(First, Each.Start);
  return First == ~uint64_t(0) ? 0 : First;
}

const char *placeKind(const Recording &Of) {
  return Of.Device.find("emulated") == std::string::npos ? "SM" : "worker";
}

} // namespace blockmaestro
