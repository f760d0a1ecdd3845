// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: finds variables of static storage that tasks of target regions
// use without having them on the device. clang 22 captures such a variable for
// the region that maps it, but not for a task in it that does not name it in a
// clause: the task's code then means a variable of the device's code that
// nobody has mapped.
// On the data's way: in the host's compilation, before TaskTable.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKVARIABLES_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKVARIABLES_H

#include "TaskSites.h"

namespace blockmaestro {

/// Fails with the tasks and the variables.
llvm::Error checkTaskVariables(llvm::Module &M, const TaskSites &Sites);

} // namespace blockmaestro

#endif
