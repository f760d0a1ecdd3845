// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: blocks in the order in which a simulated block scheduler
// completes them: a scheduler that starts one too early gives a wrong result.
// On the data's way: an Executor of the emulated device. It makes a recording
// of the tasks it has gathered, as if they had run, and asks runtime/sim.
// Invariants:
//  - Tasks are gathered until one of them is waited for, or there are so many
//    that a call has to run them; then all run, one block at a time, by the
//    ends of the schedule, of blocks that end at one time first the earlier
//    task's, then the smaller block. Nothing but the schedule orders them.
//  - In the schedule the newest task is in flight with at most Window earlier
//    ones.
//  - How long a block takes in it is made up, of its task and its number,
//    since it has not run. The same tasks give the same order.
//  - A block that is too large for the machine is as large as an SM in it.
// Ownership: the runner and the sink outlive the executor. Threads: blocks run
// on the caller's, as worker 0.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SIMULATED_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SIMULATED_H

#include "Executor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace blockmaestro {

struct Recording;

/// The block that a schedule completes next, by its task's place among the
/// gathered ones.
struct ScheduledBlock {
  uint64_t End = 0;
  uint32_t Task = 0;
  uint32_t Block = 0;
};

/// When the blocks end of a recording that has been made up, in any order.
using Schedule =
    std::function<Result<std::vector<ScheduledBlock>>(const Recording &What)>;

/// That of a scheduler of runtime/sim, as bm-sim names them, on the machine
/// that it takes by default; null where there is none of that name.
Schedule findSchedule(std::string_view Scheduler);

/// More blocks of one launch cannot be simulated.
extern const uint64_t MostSimulatedBlocks;

/// \p Sink may be null.
std::unique_ptr<Executor> makeSimulated(BlockRunner &Runner, EventSink *Sink,
                                        Schedule By, unsigned Window);

} // namespace blockmaestro

#endif
