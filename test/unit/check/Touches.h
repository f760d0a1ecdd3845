// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a launch of kernel 'k' and accesses of its threads, for tests.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TEST_UNIT_CHECK_TOUCHES_H
#define BLOCKMAESTRO_TEST_UNIT_CHECK_TOUCHES_H

#include "blockmaestro/AccessObserver.h"

namespace blockmaestro {

/// An address that the tests' accesses are around.
inline constexpr uint64_t X = 0x8000;
inline constexpr uint32_t Atomic =
    AccessReads | AccessWrites | AccessSynchronizes;

struct LaunchOfK {
  KernelRecord Kernel;
  Launch What;
  LaunchOfK() {
    Kernel.Name = "k";
    What.Id = 1;
    What.Kernel = &Kernel;
    What.Grid = {4, 2, 1};
    What.Block = {32, 4, 1};
  }

  ObservedAccess touch(uint64_t Block, uint32_t Thread, uint64_t Address,
                       uint32_t Bits, uint64_t Bytes = 4) const {
    ObservedAccess Out;
    Out.What = &What;
    Out.Block = Block;
    Out.Thread = Thread;
    Out.Address = Address;
    Out.Bytes = Bytes;
    Out.Bits = Bits;
    Out.Where = "k.cu:3";
    return Out;
  }
};

} // namespace blockmaestro

#endif
