// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunningBlocks.h"

namespace blockmaestro::sim {

void RunningBlocks::pushEvents(uint32_t Slot, uint64_t Start) {
  const uint32_t Launch = Slots[Slot].Launch, Block = Slots[Slot].Block;
  const WorkLaunch &L = What.Launches[Launch];
  const uint64_t Passed = Start + L.DurationNs[Block];
  const bool Shares = !L.IssueNs.empty();
  Slots[Slot].Open = Shares && !L.SharesLast ? 2 : 1;
  if (!Shares || !L.SharesLast)
    Events.push(Passed, {SimEvent::What::TimePasses, Launch, Block, Slot});
  if (Shares)
    Events.push(L.SharesLast ? Passed : Start,
                {SimEvent::What::BlockBegins, Launch, Block, Slot});
}

void RunningBlocks::share(const SimEvent &Which, uint64_t Now) {
  if (Which.kind() == SimEvent::What::RateWakes)
    wake(Which.launch(), Now);
  else
    join(Which, Now);
}

/// The block takes part in what is shared.
void RunningBlocks::join(const SimEvent &Which, uint64_t Now) {
  const WorkLaunch &L = What.Launches[Which.launch()];
  const uint32_t Slot = Which.slot();
  need(Slots[Slot].Sm, L.IssueNs[Which.block()], Slot, Now);
  need(Memory, L.MemoryNs[Which.block()], Slot, Now);
  close(Slot);
}

/// The block also needs so much of a rate.
void RunningBlocks::need(uint32_t Rate, double Ns, uint32_t Slot,
                         uint64_t Now) {
  if (Ns <= 0)
    return;
  ++Slots[Slot].Open;
  Rates[Rate].join(Now, Ns, Slot);
  wakeFor(Rate);
}

/// Where others come meanwhile it is too early, and wakes once more.
void RunningBlocks::wakeFor(uint32_t Rate) {
  const uint64_t Next = Rates[Rate].next();
  if (Next >= Woken[Rate])
    return;
  Woken[Rate] = Next;
  Events.push(Next, {SimEvent::What::RateWakes, Rate});
}

void RunningBlocks::wake(uint32_t Rate, uint64_t Now) {
  if (Woken[Rate] != Now)
    return;
  Woken[Rate] = SharedRate::Never;
  for (uint32_t Slot = 0; Rates[Rate].leave(Now, Slot);)
    close(Slot);
  wakeFor(Rate);
}

} // namespace blockmaestro::sim
