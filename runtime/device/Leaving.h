// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how the threads of a block are counted that leave a kernel's body
// one by one. Device code only.
// On the data's way: under the forms of a kernel that do something when all
// have left.
// Invariants: Left is 0, for all threads, before the first one leaves.

#ifndef BLOCKMAESTRO_RUNTIME_DEVICE_LEAVING_H
#define BLOCKMAESTRO_RUNTIME_DEVICE_LEAVING_H

#include "Wait.h"

namespace blockmaestro {

/// The threads of the block that have left a body that counts them.
__attribute__((shared)) static uint32_t Left;

/// Adds the calling lanes that are here together to those that have left;
/// true for one thread of the block, when all have. What the others did is
/// visible to that thread.
BM_DEVICE bool isLastToLeave() {
  uint32_t Leaving, Lane, Before;
  asm volatile("activemask.b32 %0;" : "=r"(Leaving));
  asm("mov.u32 %0, %%laneid;" : "=r"(Lane));
  __nvvm_bar_warp_sync(Leaving);
  if (Lane != uint32_t(__builtin_ctz(Leaving)))
    return false;
  uint32_t Count = __builtin_popcount(Leaving);
  asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], %2;"
               : "=r"(Before)
               : "r"(sharedAddress(&Left)), "r"(Count)
               : "memory");
  return Before + Count == threadCount();
}

} // namespace blockmaestro

#endif
