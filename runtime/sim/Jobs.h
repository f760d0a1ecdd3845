// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: things that do not rest on each other, done by several threads.
// On the data's way: under Replay, and Management and its searches. Invariants:
// each number is done once. Threads: waits for all that it starts.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_JOBS_H
#define BLOCKMAESTRO_RUNTIME_SIM_JOBS_H

#include <cstddef>
#include <functional>

namespace blockmaestro::sim {

/// Do(0) to Do(Count - 1), by so many threads; 0: as many as there are cores.
void inParallel(size_t Count, unsigned Jobs,
                const std::function<void(size_t)> &Do);

} // namespace blockmaestro::sim

#endif
