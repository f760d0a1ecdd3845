/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it is: how blocks of a GPU run the tasks of a graph: one task for each
 * block, or as workers that stay and take one task after the other, each as
 * soon as its producers are done. Device code, for clang; needs no other
 * header of CUDA. The structures are shared with the host.
 * On the data's way: filled by runtime/tasks; the kernels that call this are
 * those of blockmaestro/tasks.h and of the device runtime of OpenMP.
 * Contract of both functions: called by all threads of a block of one
 * dimension, outside of any condition. Do is called by all of them, as
 * Do(Kind, Data): Data is a copy of the task's record that nobody sees
 * afterwards, or, where it does not fit, the record itself. Everything that a
 * producer wrote is visible to all threads of the task.
 */

/* Note [Tickets]
 * Tasks stand in a topological order, and a worker takes the next place by an
 * atomic counter. It waits until the task's count of open producers is zero;
 * each producer takes one off when it is done. Nothing stalls for good: of the
 * tasks that are not done, the producers of the first in the order are all
 * done, and whoever has taken it runs it; whoever has not begun to run has
 * taken nothing. So this needs no promise that all workers are resident. The
 * order should be one in which few tasks are taken long before they can run:
 * TaskGraph::ticketOrder.
 * When all is done, it can be done again: who runs a task has set its count
 * back before, and of the workers, each of which takes one place too many, the
 * one with the last of these sets the counter back.
 *
 * Note [Queues]
 * The policies of Juggler (PPoPP'18), sections 5.2 to 5.6: each worker has a
 * queue, whose size (IQS) it polls, and whose end others move up by an atomic
 * before they write their task there and then count the size up. Sizes may
 * count an entry that is written while one below it is not. So a worker takes
 * what it has only when size and distance from its start to the end are equal:
 * the size is read first, and every writer moves the end before the size, so
 * that then all writers up to that end have counted. All workers have to be
 * resident. One difference: there the first worker to see that all sizes are
 * zero ends the run, but sizes are not read at once, and a task may pass from
 * a worker not read yet to one that was. Here whoever finishes the last task
 * sets all sizes to -1.
 *
 * Note [Visibility]
 * In terms of PTX's memory model. What threads of a producer wrote comes before
 * the block's barrier, which synchronizes them with the threads that tell of
 * the end. Each of these makes a fence.acq_rel.gpu and then an atomic on the
 * count of open producers of a child: a release pattern, and, since the fence
 * stands behind the barrier, cumulative. Atomics on one count are read by one
 * another, so that whoever sees the zero has in observation order all of them
 * before it.
 *  - Tickets: one thread reads the zero with ld.acquire.gpu; then comes a
 *    barrier of the block, and causality reaches all its threads. It polls with
 *    ld.relaxed.gpu: an acquire at each poll would empty the first-level cache
 *    each time, also for tasks of other workers on the multiprocessor.
 *  - Queues: the thread that takes the last one off does it with acquire too,
 *    writes the place, and counts the size up with release; the worker reads
 *    the size with ld.relaxed.gpu, makes a fence.acq_rel.gpu, which is an
 *    acquire pattern, and then comes a barrier. Further counting of the size
 *    between them are atomics, and keep the release sequence.
 * A task, its record and its children are read before its producers are done:
 * the host wrote them before the launch, and of records only those are ever
 * written on the device that are used where they lie.
 * A stale line of the first-level cache is no issue: data are read by plain
 * loads behind the acquire. Programs must not read what other tasks write by
 * ld.global.nc: const __restrict__ pointers of the functor are not such, since
 * they come by value in a structure.
 */

#ifndef BLOCKMAESTRO_TASK_WORKERS_H
#define BLOCKMAESTRO_TASK_WORKERS_H

#if defined(__CUDA__) || defined(__CUDACC__)
#include "blockmaestro/device_waits.h"
#endif

#include <stddef.h>
#include <stdint.h>

namespace blockmaestro {

/// A record of more bytes is used where it lies.
inline constexpr uint32_t TaskBufferBytes = 1024;
/// How many entries of its queue a worker takes at once.
inline constexpr uint32_t TaskBatch = 32;

/// A task as a device knows it.
struct DeviceTask {
  static constexpr uint32_t Join = UINT32_MAX;
  uint32_t Kind;  ///< Join: there is nothing to do.
  uint32_t Bytes; ///< Of the record, which is padded to a multiple of 16.
  void *Data;
  uint32_t FirstChild; ///< In TaskWork::Children.
  uint32_t ChildCount;
  uint32_t ProducerCount;
};

enum class TaskQueue : uint32_t {
  Tickets,
  LocalRoundRobin,
  GlobalRoundRobin,
  LocalFirst
};

/// In the host's memory: what a worker waited for too long.
struct TaskReport {
  uint32_t Taken; ///< 0: nobody has given up; 2: the rest is there.
  uint32_t Task;  ///< Its place; NoTask: for any task of its queue.
  uint32_t Open;  ///< Of its producers, so many were not done.
  uint32_t Worker;
  uint64_t Patience; ///< In nanoseconds; 0: for ever.
};
inline constexpr uint32_t NoTask = UINT32_MAX;

/// What workers need. Places are numbers of tasks in a topological order.
struct TaskWork {
  const DeviceTask *Tasks;  ///< By place.
  const uint32_t *Children; ///< Places.
  uint32_t *Open;           ///< By place, the producers that are not done.
  /// Of the record at place 0, and how many bytes further the next one is; 0:
  /// they are where their tasks say.
  const void *Records;
  uint32_t RecordStride;
  uint32_t ChildStride; ///< The same of Children.
  uint32_t Count;
  TaskQueue Queue;
  uint32_t *Next; ///< Tickets: the next place. GlobalRoundRobin: the turn.
  TaskReport *Report;
  /// Queues. By worker: how many entries are ready, -1 at the end; where the
  /// next entry comes; Count entries.
  int32_t *Sizes;
  uint32_t *Ends; ///< Tickets: how many tasks it has had, behind the run.
  uint32_t *Entries;
  uint32_t *Left; ///< Tasks that are not done.
};

#if defined(__CUDA__) || defined(__CUDACC__)

#define BM_TASK_DEVICE static inline __attribute__((device, always_inline))

/// Names that nobody else uses: those who include this have helpers of their
/// own.
namespace task_workers {

/// Anew each time: what is computed of it outlives no task, whose own code is
/// to have the registers.
BM_TASK_DEVICE uint32_t thread() {
  uint32_t Out;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(Out));
  return Out;
}
BM_TASK_DEVICE uint32_t threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
BM_TASK_DEVICE uint32_t worker() { return __nvvm_read_ptx_sreg_ctaid_x(); }
BM_TASK_DEVICE uint32_t workers() { return __nvvm_read_ptx_sreg_nctaid_x(); }
BM_TASK_DEVICE void barrier() { __nvvm_bar_sync(0); }

using device_waits::loadAcquire;
using device_waits::loadRelaxed;
using device_waits::Patience;

BM_TASK_DEVICE void storeRelaxed(uint32_t *Word, uint32_t Value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;"
               :
               : "l"(Word), "r"(Value)
               : "memory");
}

BM_TASK_DEVICE void fence() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

BM_TASK_DEVICE uint32_t addRelaxed(uint32_t *Word, uint32_t By) {
  uint32_t Old;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(Old)
               : "l"(Word), "r"(By)
               : "memory");
  return Old;
}

BM_TASK_DEVICE uint32_t addBoth(uint32_t *Word, uint32_t By) {
  uint32_t Old;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
               : "=r"(Old)
               : "l"(Word), "r"(By)
               : "memory");
  return Old;
}

/// Nobody asks what was there.
BM_TASK_DEVICE void reduceRelaxed(uint32_t *Word, uint32_t By) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;"
               :
               : "l"(Word), "r"(By)
               : "memory");
}

BM_TASK_DEVICE void reduceRelease(uint32_t *Word, uint32_t By) {
  asm volatile("red.release.gpu.global.add.u32 [%0], %1;"
               :
               : "l"(Word), "r"(By)
               : "memory");
}

/// Tells the host what the worker has waited for in vain, unless another one
/// has, and stops the program.
BM_TASK_DEVICE void giveUp(TaskReport *Report, uint32_t Task, uint32_t Open) {
  if (device_waits::claimReport(&Report->Taken)) {
    Report->Task = Task;
    Report->Open = Open;
    Report->Worker = worker();
    device_waits::publishReport(&Report->Taken);
  }
  device_waits::stopProgram();
}

/// Sixteen bytes at a time.
using Chunk = uint32_t __attribute__((ext_vector_type(4)));

/// So many children of a task come to shared memory.
constexpr uint32_t KnownChildren = 32;

/// What is done when a task is.
struct TaskEnd {
  uint32_t ChildCount;
  uint32_t FirstChild;
  uint32_t Children[KnownChildren]; ///< The first ones.
};

struct WorkerMemory {
  Chunk Record[TaskBufferBytes / sizeof(Chunk)];
  uint32_t Place;            ///< Tickets: the next one.
  uint32_t Start;            ///< So many are done; of queues, whole batches.
  uint32_t Batch[TaskBatch]; ///< Places.
  uint32_t BatchSize;        ///< 0: the run is over.
  uint32_t Taken;            ///< Of the batch.
  uint32_t Turn;             ///< LocalRoundRobin: the next target.
  uint32_t Freed;            ///< LocalFirst: by the task in hand so far.
  TaskEnd End;               ///< Of the task in hand.
};

BM_TASK_DEVICE WorkerMemory &memory() {
  static __attribute__((shared)) WorkerMemory Only;
  return Only;
}

/// The chunks of a record that come to shared memory.
struct RecordChunks {
  const Chunk *From;
  uint32_t Count;
};

BM_TASK_DEVICE RecordChunks chunksOf(const DeviceTask &Task) {
  if (Task.Bytes > TaskBufferBytes)
    return {nullptr, 0};
  return {static_cast<const Chunk *>(Task.Data),
          uint32_t((Task.Bytes + sizeof(Chunk) - 1) / sizeof(Chunk))};
}

/// Where they are does not depend on what the task is, if it need not.
BM_TASK_DEVICE RecordChunks chunksOf(const TaskWork &Work, uint32_t Place,
                                     const DeviceTask &Task) {
  if (Work.RecordStride == 0)
    return chunksOf(Task);
  const uint32_t Count = Work.RecordStride / uint32_t(sizeof(Chunk));
  return {static_cast<const Chunk *>(Work.Records) + size_t(Place) * Count,
          Count};
}

BM_TASK_DEVICE void *recordOf(const DeviceTask &Task, WorkerMemory &Mine) {
  return Task.Bytes > TaskBufferBytes ? Task.Data : Mine.Record;
}

/// The thread's part of the chunks from First on.
BM_TASK_DEVICE void bring(const RecordChunks &Of, uint32_t First,
                          WorkerMemory &Mine) {
  for (uint32_t I = First + thread(); I < Of.Count; I += threads())
    Mine.Record[I] = Of.From[I];
}

/// The place of a child; any where there is none.
BM_TASK_DEVICE uint32_t childOf(const TaskWork &Work, uint32_t Place,
                                const DeviceTask &Task, uint32_t Number) {
  if (Work.ChildStride == 0)
    return Number < Task.ChildCount ? Work.Children[Task.FirstChild + Number]
                                    : 0;
  return Number < Work.ChildStride
             ? Work.Children[Place * Work.ChildStride + Number]
             : 0;
}

template <typename Execute>
BM_TASK_DEVICE void execute(const DeviceTask &Task, void *Data,
                            const Execute &Do) {
  if (Task.Kind != DeviceTask::Join)
    Do(Task.Kind, Data);
}

/// One thread waits until all producers are done.
BM_TASK_DEVICE void awaitProducers(const TaskWork &Work, uint32_t Place) {
  Patience Left;
  if (loadAcquire(Work.Open + Place) == 0)
    return;
  uint32_t Open;
  while ((Open = loadRelaxed(Work.Open + Place)) != 0)
    if (Left.ends(*Work.Report))
      giveUp(Work.Report, Place, Open);
  loadAcquire(Work.Open + Place);
}

/// The thread that takes tickets and waits: of another warp than those that
/// tell of the end of a task with few children, where there is one.
BM_TASK_DEVICE bool isTaker() { return thread() == (threads() > 32 ? 32 : 0); }

/// Tells the children of a task of its end, behind a barrier.
BM_TASK_DEVICE void tell(const TaskWork &Work, const TaskEnd &Task) {
  const uint32_t Self = thread(), Count = Task.ChildCount;
  if (Self >= Count)
    return;
  fence();
  const bool IsKnown = Self < KnownChildren;
  if (IsKnown)
    reduceRelaxed(Work.Open + Task.Children[Self], uint32_t(-1));
  for (uint32_t I = IsKnown ? Self + threads() : Self; I < Count;
       I += threads())
    reduceRelaxed(Work.Open + Work.Children[Task.FirstChild + I], uint32_t(-1));
}

/// The worker whose queue a freed task comes to.
BM_TASK_DEVICE uint32_t chooseTarget(const TaskWork &Work, WorkerMemory &Mine) {
  uint32_t Turn = 0;
  if (Work.Queue == TaskQueue::GlobalRoundRobin)
    Turn = addRelaxed(Work.Next, 1);
  else if (Work.Queue == TaskQueue::LocalRoundRobin)
    Turn = __nvvm_atom_add_gen_i(reinterpret_cast<int *>(&Mine.Turn), 1);
  else
    Turn = worker() +
           __nvvm_atom_add_gen_i(reinterpret_cast<int *>(&Mine.Freed), 1);
  return Turn % workers();
}

/// By one thread: what it has seen done comes before the task.
BM_TASK_DEVICE void insert(const TaskWork &Work, uint32_t Place,
                           WorkerMemory &Mine) {
  const uint32_t Target = chooseTarget(Work, Mine);
  const uint32_t End = addRelaxed(Work.Ends + Target, 1);
  storeRelaxed(Work.Entries + size_t(Target) * Work.Count + End, Place);
  reduceRelease(reinterpret_cast<uint32_t *>(Work.Sizes + Target), 1);
}

/// Tells of the end of a task; its children that wait for nothing any more go
/// to queues.
BM_TASK_DEVICE void resolve(const TaskWork &Work, WorkerMemory &Mine) {
  const TaskEnd &Task = Mine.End;
  if (thread() < Task.ChildCount)
    fence();
  for (uint32_t I = thread(); I < Task.ChildCount; I += threads()) {
    const uint32_t Child = Work.Children[Task.FirstChild + I];
    if (addBoth(Work.Open + Child, uint32_t(-1)) == 1)
      insert(Work, Child, Mine);
  }
  if (thread() == 0 && addRelaxed(Work.Left, uint32_t(-1)) == 1)
    for (uint32_t Each = 0; Each < workers(); ++Each)
      storeRelaxed(reinterpret_cast<uint32_t *>(Work.Sizes + Each),
                   uint32_t(-1));
}

/// By the first thread: how many entries may be taken from Start on; 0: the run
/// is over. See Note [Queues].
BM_TASK_DEVICE uint32_t awaitEntries(const TaskWork &Work, uint32_t Start) {
  Patience Left;
  while (true) {
    const int32_t Size = int32_t(
        loadRelaxed(reinterpret_cast<const uint32_t *>(Work.Sizes + worker())));
    if (Size < 0)
      return 0;
    if (Size > 0)
      fence();
    if (Size > 0 && loadRelaxed(Work.Ends + worker()) - Start == uint32_t(Size))
      return Size < int32_t(TaskBatch) ? uint32_t(Size) : TaskBatch;
    if (Left.ends(*Work.Report))
      giveUp(Work.Report, NoTask, loadRelaxed(Work.Left));
  }
}

/// By the first thread: the batch is done, and another one is there.
BM_TASK_DEVICE void renewBatch(const TaskWork &Work, WorkerMemory &Mine) {
  if (Mine.BatchSize != 0)
    reduceRelaxed(reinterpret_cast<uint32_t *>(Work.Sizes + worker()),
                  uint32_t(-int32_t(Mine.BatchSize)));
  Mine.Start += Mine.BatchSize;
  Mine.Taken = 0;
  Mine.BatchSize = awaitEntries(Work, Mine.Start);
}

/// The next task is that of the worker's queue; NoTask: the run is over. See
/// Note [Queues].
BM_TASK_DEVICE void takeEntry(const TaskWork &Work, WorkerMemory &Mine) {
  if (Mine.Taken == Mine.BatchSize) {
    barrier();
    if (thread() == 0)
      renewBatch(Work, Mine);
    barrier();
    const uint32_t *Own =
        Work.Entries + size_t(worker()) * Work.Count + Mine.Start;
    for (uint32_t I = thread(); I < Mine.BatchSize; I += threads())
      Mine.Batch[I] = loadRelaxed(Own + I);
    barrier();
  }
  if (thread() == 0) {
    Mine.Freed = 0;
    Mine.Place = Mine.BatchSize == 0 ? NoTask : Mine.Batch[Mine.Taken];
  }
  barrier();
}

/// What the task needs comes to shared memory, and, with tickets, its producers
/// are done; behind the next barrier. Loads are under way while it waits.
BM_TASK_DEVICE void getReady(const TaskWork &Work, uint32_t Place,
                             const DeviceTask &Task, WorkerMemory &Mine) {
  const RecordChunks Chunks = chunksOf(Work, Place, Task);
  const uint32_t Self = thread();
  const bool IsKnown = Self < KnownChildren;
  Chunk Part = {};
  if (Self < Chunks.Count)
    Part = Chunks.From[Self];
  const uint32_t Child = IsKnown ? childOf(Work, Place, Task, Self) : 0;
  if (Work.Queue == TaskQueue::Tickets && isTaker()) {
    awaitProducers(Work, Place);
    storeRelaxed(Work.Open + Place, Task.ProducerCount);
  }
  if (Self < Chunks.Count)
    Mine.Record[Self] = Part;
  if (IsKnown)
    Mine.End.Children[Self] = Child;
  if (Self == 0) {
    Mine.End.ChildCount = Task.ChildCount;
    Mine.End.FirstChild = Task.FirstChild;
  }
  bring(Chunks, threads(), Mine);
}

/// By all threads, behind the barrier that ends a task: others know of it, and
/// the next one is chosen.
BM_TASK_DEVICE void endTask(const TaskWork &Work, WorkerMemory &Mine) {
  if (Work.Queue == TaskQueue::Tickets) {
    tell(Work, Mine.End);
    if (isTaker()) {
      const uint32_t Next = addRelaxed(Work.Next, 1);
      ++Mine.Start;
      Mine.Place = Next;
    }
  } else {
    resolve(Work, Mine);
    if (thread() == 0)
      ++Mine.Taken;
  }
  barrier();
}

BM_TASK_DEVICE void beginWork(const TaskWork &Work, WorkerMemory &Mine) {
  if (Work.Queue == TaskQueue::Tickets) {
    if (isTaker()) {
      Mine.Start = 0;
      Mine.Place = addRelaxed(Work.Next, 1);
    }
  } else if (thread() == 0) {
    Mine.Turn = worker();
    Mine.Start = Mine.BatchSize = Mine.Taken = 0;
  }
  barrier();
}

/// Place: behind the last task.
BM_TASK_DEVICE void endWork(const TaskWork &Work, uint32_t Place,
                            const WorkerMemory &Mine) {
  if (Work.Queue != TaskQueue::Tickets || !isTaker())
    return;
  storeRelaxed(Work.Ends + worker(), Mine.Start);
  if (Place == Work.Count + workers() - 1)
    storeRelaxed(Work.Next, 0);
}

} // namespace task_workers

/// Block B runs the task in place B of the list.
template <typename Execute>
BM_TASK_DEVICE void runTaskOfBlock(const DeviceTask *Tasks, const Execute &Do) {
  using namespace task_workers;
  const DeviceTask Task = Tasks[worker()];
  WorkerMemory &Mine = memory();
  bring(chunksOf(Task), 0, Mine);
  barrier();
  execute(Task, recordOf(Task, Mine), Do);
}

/// The block is a worker until all tasks are done. Do is called in one place,
/// whatever the queue: the tasks' code is there once.
template <typename Execute>
BM_TASK_DEVICE void workOnTasks(const TaskWork &Work, const Execute &Do) {
  using namespace task_workers;
  WorkerMemory &Mine = memory();
  beginWork(Work, Mine);
  while (true) {
    if (Work.Queue != TaskQueue::Tickets)
      takeEntry(Work, Mine);
    const uint32_t Place = Mine.Place;
    if (Place >= Work.Count)
      return endWork(Work, Place, Mine);
    const DeviceTask Task = Work.Tasks[Place];
    getReady(Work, Place, Task, Mine);
    barrier();
    execute(Task, recordOf(Task, Mine), Do);
    barrier();
    endTask(Work, Mine);
  }
}

#undef BM_TASK_DEVICE

#endif

} // namespace blockmaestro

#endif
