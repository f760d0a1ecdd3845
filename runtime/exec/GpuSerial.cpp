// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuSerial.h"

namespace blockmaestro {

std::vector<void *> argumentPointers(const Launch &What) {
  std::vector<void *> Pointers;
  Pointers.reserve(What.Kernel->Parameters.size() + 1);
  for (const Parameter &P : What.Kernel->Parameters)
    Pointers.push_back(const_cast<uint8_t *>(What.Arguments.data()) + P.Offset);
  return Pointers;
}

GpuLaunch launchOf(const Task &Next, KernelVariant Form,
                   std::vector<void *> &Arguments) {
  const Launch &What = *Next.What;
  GpuLaunch Out;
  Out.Kernel = What.Kernel;
  Out.Form = Form;
  Out.Grid = What.Grid;
  Out.Block = What.Block;
  Out.SharedBytes = What.DynamicSharedBytes;
  Out.Stream = Next.Stream;
  Out.Arguments = Arguments.data();
  return Out;
}

/// Where the blocks of the launch note when they run; null: nowhere.
BlockTime *GpuSerial::placeFor(const Launch &What) {
  NotReported.clear();
  if (!Times)
    return nullptr;
  if (Status Can = Takes(What, KernelVariant::Prelaunch); !Can.ok()) {
    NotReported = Can.message();
    return nullptr;
  }
  BlockTime *Out = Times->place({{What.Id, What.Grid.count()}});
  NotReported = Times->whyNone();
  return Out;
}

Status GpuSerial::launch(const Task &Next, KernelVariant As,
                         std::vector<void *> &Arguments) {
  GpuLaunch Out = launchOf(Next, As, Arguments);
  Out.Programmatic = Form == KernelVariant::Pdl && As != KernelVariant::Plain;
  return Port.launch(Out);
}

Status GpuSerial::submit(Task Next) {
  const Launch &What = *Next.What;
  std::vector<void *> Arguments = argumentPointers(What);
  Gate InOrder{};
  InOrder.Launch = What.Id;
  InOrder.Times = placeFor(What);
  if (!InOrder.Times) {
    const bool Taken = !Times || Takes(What, Form).ok();
    return launch(Next, Taken ? Form : KernelVariant::Plain, Arguments);
  }
  Arguments.push_back(&InOrder);
  Status Launched = launch(Next, KernelVariant::Prelaunch, Arguments);
  if (!Launched.ok())
    Times->withdraw();
  return Launched;
}

} // namespace blockmaestro
