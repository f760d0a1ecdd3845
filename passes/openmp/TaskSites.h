// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the target regions of a module that create tasks, and the tasks.
// On the data's way: looked for in both compilations of a file, before anything
// is optimized; their order is how the device and the host speak of kinds.
// Invariants: kinds are in the order in which a walk of the code from the
// regions, sorted by name, meets them; clang writes the same calls in the same
// order for both sides, which agreeWith() checks.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKSITES_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKSITES_H

#include "TaskFields.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class CallInst;
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Arguments of __kmpc_omp_task_alloc.
enum TaskAllocArgument : unsigned {
  TaskFlagsArgument = 2,
  TaskBytesArgument = 3,
  SharedsBytesArgument = 4,
  TaskEntryArgument = 5
};

/// A task construct.
struct TaskSite {
  std::string Name; ///< "file:line", for messages.
  uint32_t Line = 0;
  uint32_t Column = 0;
  uint64_t TaskBytes = 0;
  uint64_t SharedsBytes = 0;
  llvm::Function *Entry = nullptr;
  bool CreatesTasks = false;
  std::vector<TaskField> Fields;
  std::vector<uint64_t> DeviceOffsets; ///< Of the host's fields.

  /// The same construct as the device has it, which says how tasks are laid
  /// out; false: it is another.
  bool agreeWith(const TaskSite &OfDevice);
};

struct TaskSites {
  std::vector<TaskSite> Kinds;
  std::map<const llvm::Function *, uint32_t> KindOf; ///< By entry.
  /// Those that create tasks, sorted by name.
  std::vector<llvm::Function *> Regions;
};

/// The kernels of target regions in device code, or their host's versions.
std::vector<llvm::Function *> regionsOf(llvm::Module &M);

/// Fails where a task's code or size is not known.
llvm::Expected<TaskSites> findTasks(llvm::Module &M);

bool isTaskAlloc(const llvm::CallBase &Call);

/// The id of the host's variable by which the region of this name is launched.
std::string regionIdName(llvm::StringRef Region);

} // namespace blockmaestro

#endif
