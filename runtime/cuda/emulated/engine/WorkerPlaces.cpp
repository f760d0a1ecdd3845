// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WorkerPlaces.h"

#include <sched.h>

namespace blockmaestro {

/// Whether a worker other than \p Except is on \p Processor.
bool WorkerPlaces::isTaken(unsigned Processor, unsigned Except) const {
  for (unsigned Number = 0; Number < Taken.size(); ++Number)
    if (Number != Except &&
        Taken[Number].load(std::memory_order_relaxed) == Processor + 1)
      return true;
  return false;
}

/// Moves the calling thread to \p Processor, of \p Allowed, without keeping it
/// there.
static void moveTo(unsigned Processor, const cpu_set_t &Allowed) {
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET(Processor, &One);
  if (sched_setaffinity(0, sizeof One, &One) == 0)
    sched_setaffinity(0, sizeof Allowed, &Allowed);
}

void WorkerPlaces::take(unsigned Number, bool MayMove) {
  int Here = sched_getcpu();
  if (Here < 0)
    return;
  Taken[Number].store(Here + 1, std::memory_order_relaxed);
  if (!MayMove || !isTaken(Here, Number))
    return;
  cpu_set_t Allowed;
  if (sched_getaffinity(0, sizeof Allowed, &Allowed) != 0)
    return;
  for (unsigned Processor = 0; Processor < CPU_SETSIZE; ++Processor)
    if (CPU_ISSET(Processor, &Allowed) && !isTaken(Processor, Number)) {
      Taken[Number].store(Processor + 1, std::memory_order_relaxed);
      return moveTo(Processor, Allowed);
    }
}

} // namespace blockmaestro
