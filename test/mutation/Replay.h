// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a sequence run by the shuffle executor on a memory of numbers, to
// see what a program would have computed.
// Invariants: a task's number comes from all it has read, and what it writes
// from that number, so what is read or written too early is in the result. Two
// blocks of one launch that touch the same location do not disturb each other:
// the program has left their order open.
// Threads: one caller.

#ifndef BLOCKMAESTRO_TEST_MUTATION_REPLAY_H
#define BLOCKMAESTRO_TEST_MUTATION_REPLAY_H

#include "Sequence.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::test {

/// What each task has read and what memory holds at the end.
using Outcome = std::vector<uint64_t>;

/// Launch by launch, block by block.
Outcome inOrder(const Sequence &S);

/// As the shuffle executor runs it, blocks waiting for what Waits says alone.
/// Empty where the executor fails.
Outcome shuffled(const Sequence &S, const WaitLists &Waits, uint64_t Seed);

} // namespace blockmaestro::test

#endif
