// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Prelaunch.h"

#include "GpuSerial.h"

#include <algorithm>
#include <utility>

namespace blockmaestro {

Prelaunch::Prelaunch(GpuPort &Port, unsigned Window,
                     std::chrono::nanoseconds Patience,
                     std::unique_ptr<BlockTimes> Times)
    : Port(Port), Window(std::clamp(Window, 1u, GateLine::MaxWindow)),
      Stuck(Port, Patience), Times(std::move(Times)) {
  (void)Stuck.place();
}

Prelaunch::~Prelaunch() {
  for (auto &[Handle, On] : Streams)
    Port.release(On.Memory);
}

Status Prelaunch::drain() {
  for (auto &[Handle, On] : Streams)
    On.Line.end();
  return Stuck.read();
}

void Prelaunch::forgetStream(void *Handle) {
  auto Found = Streams.find(Handle);
  if (Found == Streams.end())
    return;
  Port.retire(Found->second.Memory, Handle);
  Streams.erase(Found);
}

/// Sees to it that one more launch of Blocks blocks fits; where something has
/// to be made anew, a line begins with it.
Status Prelaunch::makeRoom(Stream &On, void *Handle, uint64_t Blocks) {
  constexpr uint64_t LeastCapacity = 4096;
  if (On.Line.fits(Blocks))
    return {};
  const uint64_t Capacity =
      std::max({LeastCapacity, Blocks, On.Line.capacity()});
  Port.retire(On.Memory, Handle);
  On = Stream();
  Result<void *> Made =
      Port.allocate(GateLine::bytesFor(Window, Capacity), Handle);
  if (!Made.ok())
    return Made.status();
  On = {*Made, GateLine(*Made, Window, Capacity)};
  return {};
}

Result<Gate> Prelaunch::gateFor(Stream &On, const Task &Next,
                                const GpuLaunch &Out) {
  Result<uint32_t> Late = firstLate(Port, Out);
  if (!Late.ok())
    return Late.status();
  Result<StuckReport *> Report = Stuck.place();
  if (!Report.ok())
    return Report.status();
  const Launch &What = *Next.What;
  return On.Line.next({What.Id, What.Grid.count(), *Late, *Report}, Next.Needs);
}

Status Prelaunch::submit(Task Next) {
  const Launch &What = *Next.What;
  Stream &On = Streams[Next.Stream];
  Status Room = makeRoom(On, Next.Stream, What.Grid.count());
  if (!Room.ok())
    return Room;
  std::vector<void *> Arguments = argumentPointers(What);
  Arguments.push_back(nullptr);
  GpuLaunch Out = launchOf(Next, KernelVariant::Prelaunch, Arguments);
  Out.Programmatic = !On.Line.isEmpty();
  Result<Gate> Parameter = gateFor(On, Next, Out);
  if (!Parameter.ok())
    return Parameter.status();
  if (Times)
    Parameter->Times = Times->place({{What.Id, What.Grid.count()}});
  Arguments.back() = &*Parameter;
  Status Launched = Port.launch(Out);
  if (Times && !Launched.ok())
    Times->withdraw();
  return Launched;
}

} // namespace blockmaestro
