// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sms.h"

#include <algorithm>

namespace blockmaestro::sim {

uint32_t Sms::take(const WorkLaunch &What) {
  for (uint32_t Tried = 0; Tried < On.Sms; ++Tried) {
    uint32_t Sm = Next;
    Next = Next + 1 == On.Sms ? 0 : Next + 1;
    One &Candidate = State[Sm];
    if (!fits(Candidate, What))
      continue;
    ++Candidate.Blocks;
    Candidate.Threads += What.Threads;
    Candidate.SharedBytes += What.SharedBytes;
    Candidate.Registers += What.Registers;
    return Sm;
  }
  return None;
}

uint64_t Sms::startOn(uint32_t Sm, uint64_t Now) {
  One &Taken = State[Sm];
  uint64_t Start = std::max(Now, Taken.NextStart);
  Taken.NextStart = Start + On.BlockIssueNs;
  if (Taken.Blocks == 1)
    Taken.BusySince = Start;
  return Start;
}

void Sms::give(uint32_t Sm, const WorkLaunch &What, uint64_t Now) {
  One &Given = State[Sm];
  Given.Threads -= What.Threads;
  Given.SharedBytes -= What.SharedBytes;
  Given.Registers -= What.Registers;
  if (--Given.Blocks == 0)
    BusyNs += Now - Given.BusySince;
}

} // namespace blockmaestro::sim
