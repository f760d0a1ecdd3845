// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: instructions of a step that would wait are passed by those behind
// them that need not: a GPU's assembler fills latencies so, since warps issue
// in order.
// On the data's way: inside WarpCoding, when the instructions of a step are
// known, behind IssueOrder, which puts reads first.
// Invariants: the order keeps every register that is needed, accesses of memory
// stay in theirs, and nothing goes past branches, exchanges and barriers.
// Nothing goes past more than a window of others: registers are few.
// Threads: pure functions.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_STALLORDER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_STALLORDER_H

#include "blockmaestro/WarpTrace.h"

namespace blockmaestro {

/// Of each step of a code, whose instructions come in an order that is
/// possible.
void stallOrder(WarpCode &Code);

} // namespace blockmaestro

#endif
