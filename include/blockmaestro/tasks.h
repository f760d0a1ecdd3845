/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it is: tasks by hand: a program creates tasks with their data, says
 * which memory each uses, and runs them all on the thread blocks of the device,
 * each as soon as those that it has to come behind are done. For C89 and up,
 * C++, and, for what tasks do, CUDA C++; docs/tasks.md tells more.
 *
 *   struct App {
 *     float *a;
 *     __device__ void operator()(unsigned kind, void *data) const { ... }
 *   };
 *   App app = {a};
 *   blockmaestro_task_code code = blockmaestro::taskCode(app, 256);
 *   blockmaestro_tasks *tasks;
 *   blockmaestro_tasks_create(&tasks, &code);
 *   for (...) {
 *     blockmaestro_tasks_add(tasks, kind, &record, sizeof(record), &task);
 *     blockmaestro_tasks_uses(tasks, task, BLOCKMAESTRO_IN, a + i, n);
 *     blockmaestro_tasks_uses(tasks, task, BLOCKMAESTRO_INOUT, a + j, n);
 *   }
 *   blockmaestro_tasks_run(tasks, stream);
 *   blockmaestro_tasks_wait(tasks);
 *   blockmaestro_tasks_destroy(tasks);
 *
 * Order: tasks run as if one after the other in the order of their creation,
 * as far as that can be told from the ranges that they declare: of two tasks
 * whose ranges share a byte the later one comes behind the earlier one, unless
 * both only read it or both have it in an inoutset. Ranges are of any size and
 * may overlap in any way; their addresses need not be memory at all.
 * What a task does: all threads of a block call the functor with the task's
 * kind and a copy of its data, which nobody sees afterwards. What a task
 * touches beyond its ranges is the program's affair, like a race.
 * Threads: one at a time for each set of tasks.
 */

#ifndef BLOCKMAESTRO_TASKS_H
#define BLOCKMAESTRO_TASKS_H

#include <stddef.h>

/* Names as C programs have them: NOLINTBEGIN(readability-identifier-naming) */

/* What a call returns; blockmaestro_tasks_text has a sentence for each. After
 * any but the first the call has done nothing. */
#define BLOCKMAESTRO_TASKS_OK 0
/* A null pointer, a number of no task, or something else that is none. */
#define BLOCKMAESTRO_TASKS_INVALID 1
#define BLOCKMAESTRO_TASKS_NO_MEMORY 2
/* Ranges are for the task added last, and none comes after run. */
#define BLOCKMAESTRO_TASKS_TOO_LATE 3
/* The device could not run them, or a task failed: blockmaestro_tasks_error
 * says more. */
#define BLOCKMAESTRO_TASKS_FAILED 4

/* How a task uses a range. */
#define BLOCKMAESTRO_IN 0
#define BLOCKMAESTRO_OUT 1
#define BLOCKMAESTRO_INOUT BLOCKMAESTRO_OUT
/* Tasks that have a byte in an inoutset run in any order, also together. */
#define BLOCKMAESTRO_INOUTSET 2
/* In any order but not together. They keep the order of creation, which is one
 * of these. */
#define BLOCKMAESTRO_MUTEXINOUTSET 3

/* A set of tasks, and where they run. */
typedef struct blockmaestro_tasks blockmaestro_tasks;

/* What tasks do; blockmaestro::taskCode() makes it. app is copied when the
 * tasks are created; the kernels take it as their first argument. */
typedef struct blockmaestro_task_code {
  const void *blocks;  /* The kernel of which each block runs one task. */
  const void *workers; /* The kernel whose blocks take one after the other. */
  const void *app;
  size_t app_bytes;
  unsigned threads;    /* Of a block. */
  size_t shared_bytes; /* Dynamic shared memory of a block. */
} blockmaestro_task_code;

#ifdef __cplusplus
extern "C" {
#endif

int blockmaestro_tasks_create(blockmaestro_tasks **tasks,
                              const blockmaestro_task_code *code);
/* Waits for them if they run. Null is no error. */
int blockmaestro_tasks_destroy(blockmaestro_tasks *tasks);

/* What messages call tasks of this kind. */
int blockmaestro_tasks_name(blockmaestro_tasks *tasks, unsigned kind,
                            const char *name);

/* Adds a task with a copy of these bytes, to which the functor's pointer is
 * aligned to 16; task, which may be null, gets its number, from 0. data may be
 * null: all bytes are 0 then. Kind is below 2^24. */
int blockmaestro_tasks_add(blockmaestro_tasks *tasks, unsigned kind,
                           const void *data, size_t bytes, unsigned *task);
/* The task added last uses this range; no bytes count as one. */
int blockmaestro_tasks_uses(blockmaestro_tasks *tasks, unsigned task, int how,
                            const void *address, size_t bytes);

/* All tasks added from here on come behind all so far. */
int blockmaestro_tasks_barrier(blockmaestro_tasks *tasks);
/* All tasks added from here on come behind those that a task that uses this
 * range would have to come behind. */
int blockmaestro_tasks_barrier_for(blockmaestro_tasks *tasks, int how,
                                   const void *address, size_t bytes);
/* All tasks added behind the end of a group come behind all that were added
 * since its beginning. */
int blockmaestro_tasks_begin_group(blockmaestro_tasks *tasks);
int blockmaestro_tasks_end_group(blockmaestro_tasks *tasks);

/* Runs all tasks added since the last run, in the order of the stream (a
 * cudaStream_t). Returns when they are given to the device. */
int blockmaestro_tasks_run(blockmaestro_tasks *tasks, void *stream);
/* Returns when they are done. Others may be added then. */
int blockmaestro_tasks_wait(blockmaestro_tasks *tasks);

/* A sentence for what a call returned. */
const char *blockmaestro_tasks_text(int result);
/* What went wrong in the last call that failed; empty: nothing has. Stays until
 * the next call. */
const char *blockmaestro_tasks_error(const blockmaestro_tasks *tasks);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming) */

#if defined(__cplusplus) && (defined(__CUDA__) || defined(__CUDACC__))

#include "blockmaestro/task_workers.h"

namespace blockmaestro {

template <typename App>
__attribute__((global)) void tasksAsBlocks(App Do, const DeviceTask *Tasks) {
  runTaskOfBlock(Tasks, Do);
}

template <typename App>
__attribute__((global)) void tasksByWorkers(App Do, TaskWork Work) {
  workOnTasks(Work, Do);
}

/// What tasks do: Do(kind, data), by this many threads. Do is copied when the
/// tasks are created, and to the device as arguments of a kernel are.
template <typename App>
blockmaestro_task_code taskCode(const App &Do, unsigned Threads,
                                size_t SharedBytes = 0) {
  static_assert(__is_trivially_copyable(App), "it is copied to the device");
  blockmaestro_task_code Out;
  Out.blocks = reinterpret_cast<const void *>(&tasksAsBlocks<App>);
  Out.workers = reinterpret_cast<const void *>(&tasksByWorkers<App>);
  Out.app = &Do;
  Out.app_bytes = sizeof(App);
  Out.threads = Threads;
  Out.shared_bytes = SharedBytes;
  return Out;
}

} // namespace blockmaestro

#endif

#endif
