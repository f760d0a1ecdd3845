// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the compiler writes about regions with tasks, and the calls
// of their inspection functions.
// An inspection function is the host's version of a target region, run by one
// thread with the arguments of the region's kernel, in which tasks are recorded
// and nothing else happens on the device: addresses in it are the device's, and
// memory that a task or a kernel could see is read and written by the calls
// below. Addresses of the region's own variables are the device's too.
// On the data's way: passes/openmp writes the table and the calls; TaskRegions
// and Inspection of this folder serve them.
// Invariants: the layout is that which passes/openmp/TaskTable.cpp writes.
// Ownership: tables are constants of the program. Threads: plain values; calls
// come from the thread that runs the inspection function.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKINTERFACE_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKINTERFACE_H

#include <cstddef>
#include <cstdint>

namespace blockmaestro::openmp {

/// A variable that tasks of a kind reach by a pointer among their shareds and
/// only read, or, with no bytes, do not look at. Where it is one of the
/// region's own and no task may write it in the meantime, its value at the
/// task's creation goes with the task: the host writes Offset in the place of
/// the pointer, and the device sets that to the copy.
struct SharedCopy {
  uint32_t Field;  ///< Of the pointer, in bytes from the begin of the shareds.
  uint32_t Offset; ///< Of the copy, in bytes from the begin of the record.
  uint32_t Bytes;
};

/// The tasks of one construct. A record is clang's kmp_task_t with privates,
/// the shareds at SharedsOffset, and the copies.
struct TaskKind {
  const char *Name;      ///< "file:line"
  uint32_t TaskBytes;    ///< As the program passes them when it makes a task.
  uint32_t SharedsBytes; ///< The same.
  uint32_t SharedsOffset;
  uint32_t RecordBytes; ///< Of all of it.
  uint32_t CopyCount;
  const SharedCopy *Copies;
};

/// Arguments are those of the region's kernel behind its first.
using InspectionFunction = void (*)(const uint64_t *Arguments);

struct TaskRegion {
  const void *Region;         ///< Its id.
  InspectionFunction Inspect; ///< Null where it cannot be inspected.
  const char *Why;            ///< Why not.
};

/// What a file has of them.
struct TaskTable {
  /// What cudaLaunchKernel takes for the kernels of TaskKernels.cu.
  const void *Blocks;
  const void *Workers;
  uint32_t KindCount;
  uint32_t RegionCount;
  const TaskKind *Kinds;
  const TaskRegion *Regions;
  /// What tasks touch, as Metadata of one module with a kernel for each kind,
  /// whose only argument is the record with its copies, by value. Null where
  /// tasks are ordered by their clauses alone.
  const uint8_t *Footprints = nullptr;
  uint64_t FootprintBytes = 0;
  /// Of a block: the kernels are for no other number of them; 0: for any.
  uint32_t Threads = 0;
};

/// kmp_depend_info
struct Dependence {
  uint64_t Address;
  uint64_t Bytes;
  uint8_t Flags;
};
static_assert(sizeof(Dependence) == 24);

/// Where a record has its flags, in bytes: in the place of clang's entry, which
/// is the host's.
constexpr size_t TaskFlagsField = 8;

/// Where a task of a taskloop has its bounds, in bytes: of the lower one, the
/// upper one, the step and the mark of the last.
enum LoopField : size_t {
  LoopLower = 40,
  LoopUpper = 48,
  LoopStep = 56,
  LoopIsLast = 64
};

} // namespace blockmaestro::openmp

extern "C" {

/// Before main, and when a library goes away.
void __blockmaestro_register_tasks(const blockmaestro::openmp::TaskTable *);
void __blockmaestro_unregister_tasks(const blockmaestro::openmp::TaskTable *);

/// A record, in the host's memory, as __kmpc_omp_task_alloc makes one; until
/// one of the calls below takes it. Flags are clang's.
void *__bm_omp_task_alloc(uint32_t Kind, uint32_t Flags, uint64_t TaskBytes,
                          uint64_t SharedsBytes);
void __bm_omp_task(void *Task, int32_t Count, const void *Dependences,
                   int32_t MoreCount, const void *MoreDependences);
/// Its creator waits for it; waits for its dependences came before.
void __bm_omp_undeferred_task(void *Task);
/// The arguments of __kmpc_taskloop: If false makes undeferred tasks, Schedule
/// is a LoopSchedule. A group around them is made by the program.
void __bm_omp_taskloop(void *Task, int32_t If, uint64_t *Lower, uint64_t *Upper,
                       int64_t Step, int32_t Schedule, uint64_t Size);
void __bm_omp_taskwait();
void __bm_omp_wait_deps(int32_t Count, const void *Dependences,
                        int32_t MoreCount, const void *MoreDependences);
void __bm_omp_taskgroup();
void __bm_omp_end_taskgroup();

/// Memory of the host for the dependences of a depobj.
void *__bm_omp_depobj(uint64_t Bytes);
void __bm_omp_end_depobj(void *Object);

/// A variable of the region that tasks may see, at the address it has on the
/// device; aligned to 16. Variables are given back, all of a function at once,
/// by the first one's address.
void *__bm_omp_local(uint64_t Bytes);
void __bm_omp_end_locals(void *First);

/// Memory of the device, a variable of __bm_omp_local, a record, or what To or
/// From is on the host: both of them may be either.
void __bm_omp_copy(void *To, const void *From, uint64_t Bytes);
void __bm_omp_fill(void *To, int32_t Value, uint64_t Bytes);
/// The same for one value, between memory of any kind and the host's.
void __bm_omp_load(void *Value, const void *From, uint64_t Bytes);
void __bm_omp_store(void *To, const void *Value, uint64_t Bytes);

} // extern "C"

#endif
