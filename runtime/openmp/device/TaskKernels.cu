// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a task of a task graph run by all threads of a block, and the
// kernels that do so.
// On the data's way: linked into each module that has tasks; the compiler
// writes the three functions that say what is in a module, and gives the
// kernels names of their own.

#include "State.h"
#include "blockmaestro/task_workers.h"

/// Calls the task's entry.
extern "C" __attribute__((device)) void __bm_omp_run_task(unsigned Kind,
                                                          void *Record);
/// Which threads call it: TaskThreads.
extern "C" __attribute__((device)) unsigned
__bm_omp_task_threads(unsigned Kind);
/// Has what is in the record point to other parts of it; may be called again.
extern "C" __attribute__((device)) void __bm_omp_point_shareds(unsigned Kind,
                                                               void *Record);

using namespace blockmaestro;
using namespace blockmaestro::openmp;

namespace {

/// As passes/openmp/TaskThreads.h has it.
enum TaskThreads : unsigned { FirstOfTeam, All, FirstAlone };

/// As runtime/openmp/TaskInterface.h has them, in words of a record.
constexpr unsigned FlagsWord = 1;
/// clang's.
constexpr uint64_t FinalFlag = 2;

BM_DEVICE uint8_t nestOf(const void *Record) {
  const uint64_t Flags = static_cast<const uint64_t *>(Record)[FlagsWord];
  return Flags & FinalFlag ? Final : 0;
}

} // namespace

/// Called by all threads of a block of one dimension, behind a barrier and
/// outside of any condition; behind it all are together again, those of a warp
/// also for an aligned barrier, but not those of the block.
BM_ENTRY void __bm_omp_execute(unsigned Kind, void *Record) {
  const unsigned Threads = __bm_omp_task_threads(Kind);
  __bm_omp_point_shareds(Kind, Record);
  Nest[thread()] = nestOf(Record);
  Team.Mode =
      Threads == All ? KernelEnvironment::Spmd : KernelEnvironment::Generic;
  Team.IsTask = true;
  Team.Ended = false;
  if (thread() == 0)
    resetTeam();
  if (Threads == All || thread() == 0)
    __bm_omp_run_task(Kind, Record);
  if (Threads == FirstOfTeam) {
    if (thread() == 0)
      endRegion();
    else
      while (teamStep())
        ;
  }
  __nvvm_bar_warp_sync(warpMask(blockThreads()));
}

namespace {

struct Execute {
  __attribute__((device, always_inline)) void operator()(uint32_t Kind,
                                                         void *Record) const {
    __bm_omp_execute(Kind, Record);
  }
};

} // namespace

/// Block B runs the task in place B of the list.
extern "C" __attribute__((global)) void
__bm_omp_blocks(const DeviceTask *Tasks) {
  runTaskOfBlock(Tasks, Execute());
}

/// Blocks that stay until all tasks are done.
extern "C" __attribute__((global)) void __bm_omp_workers(TaskWork Work) {
  workOnTasks(Work, Execute());
}
