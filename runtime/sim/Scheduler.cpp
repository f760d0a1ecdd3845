// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scheduler.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <utility>

namespace blockmaestro::sim {

static uint64_t cyclesInNs(uint64_t Cycles, const Machine &On) {
  return (Cycles * 1000 + On.ClockMHz - 1) / On.ClockMHz;
}

static uint64_t overheadOf(Launcher By, const Machine &On) {
  switch (By) {
  case Launcher::Nobody:
    return 0;
  case Launcher::Host:
    return On.LaunchOverheadNs;
  case Launcher::Device:
    return On.DeviceLaunchNs;
  case Launcher::Stream:
    return On.StreamGapNs;
  case Launcher::Graph:
    return On.GraphGapNs;
  case Launcher::EarlyGraph:
    return On.EarlyGapNs;
  }
  return 0;
}

/// ACS-HW takes a cycle for each of a window's slots to insert a kernel with
/// what it waits for, and one less to take it out of all others.
LaunchCosts launchCosts(const Scheduler &By, const Machine &On) {
  LaunchCosts Out;
  Out.Overhead = overheadOf(By.Launches, On);
  if (By.Launches == Launcher::Stream) {
    Out.Call = On.LaunchOverheadNs;
    Out.Hearing = On.StreamSyncNs;
  }
  if (By.Knows == Tracking::Queue)
    return Out;
  Out.Check = On.DependencyCheckNs;
  if (By.Knows == Tracking::HostWindow) {
    Out.Leaving = On.StreamSyncNs;
    return Out;
  }
  Out.Overhead += cyclesInNs(By.KernelsInFlight, On);
  Out.Leaving = cyclesInNs(By.KernelsInFlight - 1, On);
  return Out;
}

const std::vector<Scheduler> &schedulerFamilies() {
  using enum Launcher;
  using enum Tracking;
  constexpr auto Kernel = Granularity::Kernel, Block = Granularity::Block;
  constexpr auto Producer = Priority::Producer, Consumer = Priority::Consumer;
  static const std::vector<Scheduler> Table = {
      {"baseline", 1, false, Host, Queue, Kernel, Producer,
       "one launch after the other, each with its launch overhead"},
      {"ideal", 1, false, Nobody, Queue, Kernel, Producer,
       "the same without launch overhead; still waits for whole launches"},
      {"prelaunch", 2, true, Host, Queue, Kernel, Producer,
       "the next launch is prepared meanwhile, waits for whole launches"},
      {"producer", 2, true, Host, Queue, Block, Producer,
       "blocks wait for their parents, earlier launch first"},
      {"consumer", 2, true, Host, Queue, Block, Consumer,
       "blocks wait for their parents, later launch first"},
      {"cdp", 1, false, Device, Queue, Kernel, Producer,
       "one launch after the other, each by the kernel before it"},
      {"wireframe", 4, true, Nobody, Queue, Block, Producer,
       "one grid; blocks run ahead while pending updates have room", true},
      {"acs-sw", 32, true, Host, HostWindow, Kernel, Producer,
       "the host launches what waits for nothing in a window, into streams"},
      {"acs-hw", 32, true, Host, DeviceWindow, Kernel, Producer,
       "a window in hardware starts what waits for nothing in it"},
      {"stream", 1, false, Stream, Queue, Kernel, Producer,
       "what a GPU does today: the host launches on while kernels run"},
      {"graph", 1, false, Graph, Queue, Kernel, Producer,
       "the same of a CUDA graph, whose launches are all there"},
      {"graph-pdl", 1, false, EarlyGraph, Queue, Kernel, Producer,
       "the same of a graph whose kernels are launched programmatically"},
  };
  return Table;
}

static std::vector<Scheduler>
named(std::initializer_list<std::string_view> Names) {
  std::vector<Scheduler> Out;
  for (std::string_view Name : Names)
    Out.push_back(*findScheduler(Name));
  return Out;
}

std::vector<Scheduler> paperSchedulers() {
  return named({"baseline", "ideal", "prelaunch", "producer", "consumer2",
                "consumer3", "consumer4"});
}

std::vector<Scheduler> schedulers() {
  std::vector<Scheduler> Out = paperSchedulers();
  for (Scheduler &Each : named({"cdp", "wireframe", "acs-sw", "acs-hw",
                                "stream", "graph", "graph-pdl"}))
    Out.push_back(std::move(Each));
  return Out;
}

/// The number that is all of Text, from 1 to MostInFlight.
static std::optional<uint32_t> numberIn(std::string_view Text) {
  uint32_t Number = 0;
  const char *const End = Text.data() + Text.size();
  const auto [Read, Problem] = std::from_chars(Text.data(), End, Number);
  if (Problem != std::errc() || Read != End || Text.front() == '0' ||
      Number > MostInFlight)
    return std::nullopt;
  return Number;
}

static constexpr std::string_view ReorderSuffix = "+reorder";

static std::optional<Scheduler> findInOrder(std::string_view Name) {
  for (const Scheduler &Each : schedulerFamilies()) {
    if (Name == Each.Name)
      return Each;
    if (!Each.IsNumbered || !Name.starts_with(Each.Name))
      continue;
    if (const auto Number = numberIn(Name.substr(Each.Name.size())))
      return withInFlight(Each, *Number);
  }
  return std::nullopt;
}

std::optional<Scheduler> findScheduler(std::string_view Name) {
  const bool Reorders = Name.ends_with(ReorderSuffix);
  if (Reorders)
    Name.remove_suffix(ReorderSuffix.size());
  std::optional<Scheduler> Out = findInOrder(Name);
  if (Out && Reorders) {
    Out->Name += ReorderSuffix;
    Out->Reorders = true;
  }
  return Out;
}

std::vector<Scheduler> schedulersNamed(std::string_view Name) {
  if (Name == "paper")
    return paperSchedulers();
  if (Name == "all")
    return schedulers();
  const std::optional<Scheduler> One = findScheduler(Name);
  return One ? std::vector<Scheduler>{*One} : std::vector<Scheduler>();
}

void addOnce(std::vector<Scheduler> &To, Scheduler Next) {
  const auto HasItsName = [&](const Scheduler &Each) {
    return Each.Name == Next.Name;
  };
  if (std::none_of(To.begin(), To.end(), HasItsName))
    To.push_back(std::move(Next));
}

Scheduler withInFlight(const Scheduler &Of, uint32_t Count) {
  Scheduler Out = Of;
  if (!Of.IsNumbered)
    return Out;
  const std::string_view Suffix = Of.Reorders ? ReorderSuffix : "";
  Out.Name.resize(Out.Name.size() - Suffix.size());
  while (std::isdigit(static_cast<unsigned char>(Out.Name.back())))
    Out.Name.pop_back();
  Out.Name += std::to_string(Count);
  Out.Name += Suffix;
  Out.KernelsInFlight = Count;
  return Out;
}

} // namespace blockmaestro::sim
