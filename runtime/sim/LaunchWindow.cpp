// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchWindow.h"

#include <algorithm>

namespace blockmaestro::sim {

LaunchWindow::LaunchWindow(const Workload &What, const Machine &On,
                           const Scheduler &By)
    : What(What), On(On), By(By), Left(What.Launches.size()) {}

uint32_t LaunchWindow::mostInFlight() const {
  const bool All = What.Window == ~uint32_t(0);
  return All ? By.KernelsInFlight
             : std::min(By.KernelsInFlight, What.Window + 1);
}

bool LaunchWindow::mayIssue() const {
  if (Checking || Next == What.Launches.size())
    return false;
  const uint32_t InFlight = leavesInAnyOrder() ? InWindow : Next - First;
  return InFlight < By.KernelsInFlight && Next - First <= What.Window &&
         (launchesWhenReady() || Launching < On.LaunchesAtOnce) &&
         (First == Next || !What.Launches[Next].Barrier);
}

uint32_t LaunchWindow::issue() {
  Checking = false;
  ++InWindow;
  return Next++;
}

bool LaunchWindow::takeReady(uint32_t &Launch) {
  if (Ready.empty() || InStreams >= On.SchedulerStreams ||
      Launching >= On.LaunchesAtOnce)
    return false;
  Launch = *Ready.begin();
  Ready.erase(Ready.begin());
  ++InStreams;
  return true;
}

void LaunchWindow::leave(uint32_t Launch) {
  Left[Launch] = 1;
  --InWindow;
  if (launchesWhenReady())
    --InStreams;
}

bool LaunchWindow::complete(uint32_t &Launch) {
  if (First == Next || !Left[First])
    return false;
  Launch = First++;
  return true;
}

} // namespace blockmaestro::sim
