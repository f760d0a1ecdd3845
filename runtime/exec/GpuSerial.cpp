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

Status GpuSerial::submit(Task Next) {
  std::vector<void *> Arguments = argumentPointers(*Next.What);
  GpuLaunch Out = launchOf(Next, Form, Arguments);
  Out.Programmatic = Form == KernelVariant::Pdl;
  return Port.launch(Out);
}

} // namespace blockmaestro
