// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where executors report that a block has run, and the emulated
// device what its warps did.
// On the data's way: called by runtime/exec and runtime/emulator, implemented
// by runtime/record.
// Invariants: a launch has been announced to the sink before its first block.
// Threads: calls may come from any thread.

#ifndef BLOCKMAESTRO_EVENTSINK_H
#define BLOCKMAESTRO_EVENTSINK_H

#include "blockmaestro/Event.h"
#include "blockmaestro/WarpTrace.h"

#include <cstdint>

namespace blockmaestro {

class EventSink {
public:
  virtual ~EventSink() = default;
  /// Whether to count what blocks cost, which makes them slower. Always the
  /// same.
  virtual bool wantsCosts() const { return true; }
  /// Cost may be null; it is not kept after the call.
  virtual void blockRan(const Event &What, const BlockCost *Cost) = 0;
  /// Of each launch every so many blocks are traced, from the first; 0: none.
  /// Always the same.
  virtual uint32_t warpsOneIn() const { return 0; }
  /// What the warps of such a block did.
  virtual void warpsRan(const BlockTrace &What) { (void)What; }
};

} // namespace blockmaestro

#endif
