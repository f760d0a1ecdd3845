// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checking.h"

#include "Emulator.h"

namespace blockmaestro {

Checking::Checking(unsigned Which, DeviceHeap &Heap, Emulator &Runner,
                   Notes &Reasons)
    : Heap(Heap), Reasons(Reasons),
      Found([&Reasons](const std::string &Text) { Reasons.addFailure(Text); }),
      All(Which, Found) {
  Heap.listen(this);
  Runner.observe(&All);
}

void Checking::allocated(uint64_t Base, uint64_t Bytes, const char *Call) {
  All.areas().add(Base, Bytes, Call);
}

/// Keeps the memory, so that later uses of it are seen, unless it is more than
/// all that may be kept.
bool Checking::released(uint64_t Base, const char *) {
  bool Kept = true;
  for (uint64_t Oldest : All.areas().release(Base))
    if (Oldest == Base)
      Kept = false;
    else
      Heap.reclaim(Oldest);
  return Kept;
}

void Checking::badRelease(uint64_t Address, const char *Call) {
  if (All.which() & CheckMemory) {
    std::string Text = All.areas().badRelease(Address, Call);
    Found.add(Text, Text);
  }
}

void Checking::finish() {
  if (All.which() & CheckMemory)
    for (const std::string &Each : All.areas().leaks())
      Found.add(Each, Each);
  if (std::string Counts = All.graph().summary(); !Counts.empty())
    Reasons.add("", Counts);
  std::string Summary = Found.summary();
  if (!Summary.empty())
    Reasons.addFailure("BLOCKMAESTRO_CHECK: " + Summary);
}

} // namespace blockmaestro
