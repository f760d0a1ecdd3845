// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the tasks of a finished graph declare, for checks.
// On the data's way: TaskGraph -> here -> LeveledTasks.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_TASKDECLARATIONS_H
#define BLOCKMAESTRO_RUNTIME_TASKS_TASKDECLARATIONS_H

#include "DeclaredTasks.h"
#include "TaskGraph.h"

#include <vector>

namespace blockmaestro {

/// By place, where Order has the nodes by place. A task of which the graph does
/// not know any more what it was declares everything.
std::vector<DeclaredTask> declarationsOf(const TaskGraph &Graph,
                                         const std::vector<uint32_t> &Order);

} // namespace blockmaestro

#endif
