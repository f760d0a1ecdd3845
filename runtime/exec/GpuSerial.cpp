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
BlockTime *GpuSerial::placeFor(const Launch &What, const FormChoice &Chosen) {
  NotReported = Chosen.WhyNot;
  if (Chosen.Noting == KernelVariant::Plain)
    return nullptr;
  BlockTime *Out = Times->place({{What.Id, What.Grid.count()}});
  NotReported = Times->whyNone();
  return Out;
}

Status GpuSerial::submitHeard(const Task &Next) {
  const Launch &What = *Next.What;
  const FormChoice Chosen = Choose(What);
  BlockTime *Place = placeFor(What, Chosen);
  const KernelVariant As = Place ? Chosen.Noting : Chosen.Otherwise;
  std::vector<void *> Arguments = argumentPointers(What);
  Gate InOrder{};
  if (As == KernelVariant::Prelaunch) {
    InOrder.Launch = What.Id;
    InOrder.Times = Place;
    Arguments.push_back(&InOrder);
  }
  if (As == KernelVariant::Pdl)
    Arguments.push_back(&Place);
  GpuLaunch Out = launchOf(Next, As, Arguments);
  Out.Programmatic = Form == KernelVariant::Pdl && As != KernelVariant::Plain;
  Status Launched = Port.launch(Out);
  if (Place && !Launched.ok())
    Times->withdraw();
  return Launched;
}

Status GpuSerial::submit(Task Next) {
  if (Times)
    return submitHeard(Next);
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  if (Form == KernelVariant::Pdl)
    Arguments.push_back(&Nowhere);
  GpuLaunch Out = launchOf(Next, Form, Arguments);
  Out.Programmatic = Form == KernelVariant::Pdl;
  return Port.launch(Out);
}

} // namespace blockmaestro
