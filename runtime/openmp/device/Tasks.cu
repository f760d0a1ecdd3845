// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: tasks. One that a thread of the device creates is run by that
// thread at once, which every order of dependences allows. One of a task graph
// is run by a whole block: executeTask().
// On the data's way: the compiler writes, for each module, the functions that
// call a task by its kind.

#include "State.h"

namespace blockmaestro::openmp {

struct Task;

/// clang's, in front of the task's own data.
struct Task {
  void *Shareds;
  void *Entry; ///< Its number in the module; see Note [Teams].
  int32_t Part;
  int32_t (*Destructors)(int32_t Thread, Task *);
  int64_t Priority;
};
static_assert(sizeof(Task) == 40);

/// Of a task's flags.
enum TaskFlags : uint32_t { FinalTask = 2, HasDestructors = 8 };

/// In front of a task.
struct TaskHeader {
  uint64_t Bytes;
  uint32_t Flags;
  uint32_t Unused;
};

BM_DEVICE TaskHeader *header(Task *T) {
  return reinterpret_cast<TaskHeader *>(T) - 1;
}

BM_DEVICE uint64_t aligned(uint64_t Bytes) { return (Bytes + 7) & ~7ull; }

BM_DEVICE Task *newTask(uint32_t Flags, uint64_t Bytes, uint64_t Shareds,
                        void *Entry) {
  const uint64_t All = sizeof(TaskHeader) + aligned(Bytes) + Shareds;
  char *Memory = static_cast<char *>(allocate(All));
  *reinterpret_cast<TaskHeader *>(Memory) = {All, Flags, 0};
  char *Begin = Memory + sizeof(TaskHeader);
  Task *T = reinterpret_cast<Task *>(Begin);
  *T = {Shareds ? Begin + aligned(Bytes) : nullptr, Entry, 0, nullptr, 0};
  return T;
}

BM_DEVICE void deleteTask(int32_t Thread, Task *T) {
  if ((header(T)->Flags & HasDestructors) && T->Destructors)
    T->Destructors(Thread, T);
  release(header(T), header(T)->Bytes);
}

/// Before and after a task is run; what begin() gives is for end().
BM_DEVICE uint8_t begin(Task *T) {
  const uint8_t Before = nest();
  if (header(T)->Flags & FinalTask)
    Nest[thread()] = Before | Final;
  return Before;
}

/// Written by the compiler: calls the entry of that number.
extern "C" __attribute__((device)) void
__bm_omp_call_task(uint32_t Number, int32_t Thread, Task *T);

BM_DEVICE void runTask(int32_t Thread, Task *T) {
  const uint8_t Before = begin(T);
  __bm_omp_call_task(uint32_t(reinterpret_cast<uintptr_t>(T->Entry)), Thread,
                     T);
  Nest[thread()] = Before;
  deleteTask(Thread, T);
}

/// A loop's bounds are in its task, with a mark of the last task behind the
/// step.
BM_DEVICE void runLoop(int32_t Thread, Task *T, uint64_t *Lower) {
  reinterpret_cast<int32_t &>(Lower[3]) = 1;
  runTask(Thread, T);
}

} // namespace blockmaestro::openmp

using namespace blockmaestro::openmp;

BM_ENTRY Task *__kmpc_omp_task_alloc(void *, int32_t, uint32_t Flags,
                                     uint64_t Bytes, uint64_t Shareds,
                                     void *Entry) {
  return newTask(Flags, Bytes, Shareds, Entry);
}
BM_ENTRY int32_t __kmpc_omp_task(void *, int32_t Thread, Task *T) {
  runTask(Thread, T);
  return 0;
}
BM_ENTRY int32_t __kmpc_omp_task_with_deps(void *, int32_t Thread, Task *T,
                                           int32_t, void *, int32_t, void *) {
  runTask(Thread, T);
  return 0;
}
/// Around a call of the task by its creator. Nothing follows that reads the
/// thread's byte of the time before: a final task does not end being final.
BM_ENTRY void __kmpc_omp_task_begin_if0(void *, int32_t, Task *T) {
  T->Part = nest();
  begin(T);
}
BM_ENTRY void __kmpc_omp_task_complete_if0(void *, int32_t Thread, Task *T) {
  Nest[thread()] = uint8_t(T->Part);
  deleteTask(Thread, T);
}

BM_ENTRY int32_t __kmpc_omp_taskwait(void *, int32_t) { return 0; }
BM_ENTRY int32_t __kmpc_omp_taskyield(void *, int32_t, int32_t) { return 0; }
BM_ENTRY void __kmpc_omp_wait_deps(void *, int32_t, int32_t, void *, int32_t,
                                   void *) {}
BM_ENTRY void __kmpc_omp_taskwait_deps_51(void *, int32_t, int32_t, void *,
                                          int32_t, void *, int32_t) {}
BM_ENTRY void __kmpc_taskgroup(void *, int32_t) {}
BM_ENTRY void __kmpc_end_taskgroup(void *, int32_t) {}
BM_ENTRY int32_t __kmpc_omp_reg_task_with_affinity(void *, int32_t, Task *,
                                                   int32_t, void *) {
  return 0;
}

BM_ENTRY void __kmpc_taskloop(void *, int32_t Thread, Task *T, int32_t,
                              uint64_t *Lower, uint64_t *, int64_t, int32_t,
                              int32_t, uint64_t, void *) {
  runLoop(Thread, T, Lower);
}
BM_ENTRY void __kmpc_taskloop_5(void *, int32_t Thread, Task *T, int32_t,
                                uint64_t *Lower, uint64_t *, int64_t, int32_t,
                                int32_t, uint64_t, int32_t, void *) {
  runLoop(Thread, T, Lower);
}

/// Reductions of tasks: those of a group are run by one thread, one after the
/// other, so that each may use the variable itself.
BM_ENTRY void *__kmpc_taskred_init(int32_t, int32_t, void *) { return nullptr; }
BM_ENTRY void *__kmpc_taskred_modifier_init(void *, int32_t, int32_t, int32_t,
                                            void *) {
  return nullptr;
}
BM_ENTRY void __kmpc_task_reduction_modifier_fini(void *, int32_t, int32_t) {}
BM_ENTRY void *__kmpc_task_reduction_get_th_data(int32_t, void *,
                                                 void *Variable) {
  return Variable;
}
