// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryState.h"

#include "Machine.h"

namespace blockmaestro {

MemoryState::MemoryState()
    : Heap(emulatedMachine().MemoryBytes,
           emulatedMachine().AllocationGapBytes) {}

MemoryState &memoryState() {
  static auto *State = new MemoryState;
  return *State;
}

} // namespace blockmaestro
