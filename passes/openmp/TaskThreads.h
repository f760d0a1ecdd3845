// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which tasks all threads of a block may run together, so that
// their `parallel`s are mere calls.
// On the data's way: optimized code of a task on the device, before the device
// runtime is linked.
// Invariants: outside of its `parallel`s a task that all threads run changes
// nothing but its own variables, each thread has those for itself, and all have
// the same values in them, since the `parallel`s only read them. Variables that
// only the `parallel`s use are in memory of the team.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_TASKTHREADS_H
#define BLOCKMAESTRO_PASSES_OPENMP_TASKTHREADS_H

#include <cstdint>

namespace llvm {
class Constant;
class Function;
class GlobalVariable;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Which threads of a block run a task; as in runtime/openmp/device.
enum class TaskThreads : uint32_t {
  FirstOfTeam, ///< The first one, and all its `parallel`s.
  All,
  FirstAlone ///< There is no `parallel`.
};

/// Memory that the threads of a block share while they run a task, as much as
/// the task that needs most of it.
class TeamMemory {
public:
  explicit TeamMemory(llvm::Module &M) : M(M) {}

  /// Memory of the task for which restart() was called last; null: there is no
  /// more.
  llvm::Constant *take(uint64_t Bytes);
  void restart() { Taken = 0; }
  /// Gives the module what was taken.
  void finish();

private:
  llvm::Module &M;
  llvm::GlobalVariable *Memory = nullptr;
  uint64_t Taken = 0;
  uint64_t Most = 0;
};

/// Makes Code, `void (ptr Record)`, what all threads may run, if it has a
/// `parallel` and can be that.
TaskThreads chooseThreads(llvm::Function &Code, TeamMemory &Memory);

} // namespace blockmaestro

#endif
