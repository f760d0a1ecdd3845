// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SideStreams.h"

namespace blockmaestro {

SideStreams::~SideStreams() {
  for (const auto &[Stream, Priority] : Priorities)
    Port.releaseStream(Stream);
}

void *SideStreams::take(void *Own) {
  const Result<int> Priority = Port.priorityOf(Own);
  if (!Priority.ok())
    return nullptr;
  if (auto Found = Free.find(*Priority); Found != Free.end()) {
    void *Stream = Found->second;
    Free.erase(Found);
    return Stream;
  }
  const Result<void *> Made = Port.makeStream(*Priority);
  if (!Made.ok())
    return nullptr;
  Priorities.emplace(*Made, *Priority);
  return *Made;
}

void SideStreams::giveBack(void *Side) {
  Free.emplace(Priorities.at(Side), Side);
}

} // namespace blockmaestro
