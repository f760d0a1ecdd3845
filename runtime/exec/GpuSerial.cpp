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

/// The form whose blocks note when they run; or why there is none.
Result<KernelVariant> GpuSerial::notingForm(const Launch &What) const {
  if (Takes(What, KernelVariant::Timed).ok())
    return KernelVariant::Timed;
  if (Status Can = Takes(What, KernelVariant::Prelaunch); !Can.ok())
    return Can;
  return KernelVariant::Prelaunch;
}

KernelVariant GpuSerial::unheardForm(const Launch &What) const {
  return !Times || Takes(What, Form).ok() ? Form : KernelVariant::Plain;
}

KernelVariant GpuSerial::formOf(const Launch &What) const {
  if (Times)
    if (Result<KernelVariant> Noting = notingForm(What); Noting.ok())
      return *Noting;
  return unheardForm(What);
}

/// Where the blocks of the launch note when they run; null: nowhere.
BlockTime *GpuSerial::placeFor(const Launch &What) {
  BlockTime *Out = Times->place({{What.Id, What.Grid.count()}});
  NotReported = Times->whyNone();
  return Out;
}

Status GpuSerial::launch(const Task &Next, KernelVariant As,
                         std::vector<void *> &Arguments) {
  GpuLaunch Out = launchOf(Next, As, Arguments);
  Out.Programmatic =
      Form == KernelVariant::Pdl &&
      (As == KernelVariant::Pdl || As == KernelVariant::Prelaunch);
  return Port.launch(Out);
}

Status GpuSerial::launchNoting(const Task &Next, KernelVariant As,
                               BlockTime *Notes) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  Gate InOrder{};
  InOrder.Launch = Next.What->Id;
  InOrder.Times = Notes;
  Arguments.push_back(As == KernelVariant::Timed
                          ? static_cast<void *>(&InOrder.Times)
                          : &InOrder);
  Status Launched = launch(Next, As, Arguments);
  if (!Launched.ok())
    Times->withdraw();
  return Launched;
}

Status GpuSerial::submit(Task Next) {
  const Launch &What = *Next.What;
  NotReported.clear();
  if (Times) {
    Result<KernelVariant> Noting = notingForm(What);
    if (!Noting.ok())
      NotReported = Noting.status().message();
    else if (BlockTime *Notes = placeFor(What))
      return launchNoting(Next, *Noting, Notes);
  }
  std::vector<void *> Arguments = argumentPointers(What);
  return launch(Next, unheardForm(What), Arguments);
}

} // namespace blockmaestro
