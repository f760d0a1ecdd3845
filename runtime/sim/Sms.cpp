// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sms.h"

#include <algorithm>
#include <bit>

namespace blockmaestro::sim {

static uint64_t bitOf(uint32_t Sm) { return uint64_t(1) << Sm % 64; }

void Sms::tryAllFor(const BlockSize &Size) {
  Tried = Size;
  for (uint32_t Sm = 0; Sm < On.Sms; ++Sm)
    wordOf(Sm) |= bitOf(Sm);
}

/// The first that may fit from Next on, and round, or None.
uint32_t Sms::nextCandidate() const {
  const size_t Words = MayFit.size();
  uint64_t Left = MayFit[Next / 64] & (0 - bitOf(Next));
  for (size_t I = Next / 64, Tries = 0; Tries <= Words; ++Tries) {
    if (Left)
      return uint32_t(I * 64 + size_t(std::countr_zero(Left)));
    I = I + 1 == Words ? 0 : I + 1;
    Left = MayFit[I];
  }
  return None;
}

uint32_t Sms::take(const WorkLaunch &What) {
  const BlockSize Size = {What.Threads, What.SharedBytes, What.Registers};
  if (Size != Tried)
    tryAllFor(Size);
  for (uint32_t Sm; (Sm = nextCandidate()) != None;) {
    One &Candidate = State[Sm];
    if (!fits(Candidate, What)) {
      wordOf(Sm) &= ~bitOf(Sm);
      continue;
    }
    Next = Sm + 1 == On.Sms ? 0 : Sm + 1;
    ++Candidate.Blocks;
    ++Running;
    Candidate.Threads += What.Threads;
    Candidate.SharedBytes += What.SharedBytes;
    Candidate.Registers += What.Registers;
    return Sm;
  }
  return None;
}

/// For how many more blocks like this one there is room.
uint64_t Sms::placesLeft(const One &Sm, const WorkLaunch &What) const {
  const auto Fit = [](uint32_t All, uint32_t Used, uint32_t Each) {
    return Each ? (All - Used) / Each : ~uint32_t(0);
  };
  return std::min({On.BlocksPerSm - Sm.Blocks,
                   Fit(On.ThreadsPerSm, Sm.Threads, What.Threads),
                   Fit(On.SharedBytesPerSm, Sm.SharedBytes, What.SharedBytes),
                   Fit(On.RegistersPerSm, Sm.Registers, What.Registers)});
}

/// When the place that a block was given is ready: at once where there are
/// others than those that were given back a moment ago.
uint64_t Sms::readyOn(One &Sm, const WorkLaunch &What, uint64_t Now) {
  while (!Sm.Ready.empty() && Sm.Ready.front() <= Now)
    Sm.Ready.pop_front();
  if (placesLeft(Sm, What) >= Sm.Ready.size())
    return Now;
  const uint64_t Ready = Sm.Ready.front();
  Sm.Ready.pop_front();
  return Ready;
}

uint64_t Sms::startOn(uint32_t Sm, const WorkLaunch &What, uint64_t Now) {
  One &Taken = State[Sm];
  uint64_t Start = std::max(readyOn(Taken, What, Now), Taken.NextStart);
  Taken.NextStart = Start + On.BlockIssueNs;
  if (Taken.Blocks == 1)
    Taken.BusySince = Start;
  return Start;
}

void Sms::give(uint32_t Sm, const WorkLaunch &What, uint64_t Now) {
  One &Given = State[Sm];
  wordOf(Sm) |= bitOf(Sm);
  if (On.BlockTurnaroundNs)
    Given.Ready.push_back(Now + On.BlockTurnaroundNs);
  Given.Threads -= What.Threads;
  Given.SharedBytes -= What.SharedBytes;
  Given.Registers -= What.Registers;
  --Running;
  if (--Given.Blocks == 0)
    BusyNs += Now - Given.BusySince;
}

} // namespace blockmaestro::sim
