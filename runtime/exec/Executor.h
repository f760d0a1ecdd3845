// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the one interface of everything that decides when and where
// blocks run.
// On the data's way: reads launches and encodings, reports events. It never
// sees footprints or accesses.
// Invariants:
//  - Tasks arrive in issue order; Needs names only earlier tasks, and every
//    earlier task that is not named and was submitted at most `Window` tasks
//    before may run at the same time. Older ones must have completed before any
//    block of the task starts. Between tasks of different streams there is a
//    fence, unless the executor takesStreams().
//  - After drain() every submitted block has run and its writes are visible to
//    the host and to any later work. On a GPU whose streams keep the order, the
//    caller's next call to the real runtime does the waiting, not drain().
//  - The first failure is returned by the next submit() or drain() and stays.
// Threads: one caller at a time (the runtime's lock); an executor may use
// threads of its own.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_EXECUTOR_H
#define BLOCKMAESTRO_RUNTIME_EXEC_EXECUTOR_H

#include "blockmaestro/BlockList.h"
#include "blockmaestro/Encoding.h"
#include "blockmaestro/EventSink.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

class WorkRelations;

/// The blocks of one earlier task that blocks of a task wait for.
struct Dependence {
  uint64_t Producer = 0; ///< Its Node.
  EncodedRelation Header{};
  std::vector<EncodedPiece> Pieces;
  std::shared_ptr<const BlockList> List; ///< Null unless listed.
};

/// Work of the host that takes its place among launches, such as a copy.
struct HostTask {
  std::string Name;            ///< For messages.
  std::function<Status()> Run; ///< Called once, by any thread.
};

/// One launch, or work of the host, with what it waits for.
struct Task {
  std::shared_ptr<const Launch> What; ///< Null for work of the host.
  std::vector<Dependence> Needs;
  void *Stream = nullptr;
  /// Counts tasks in issue order; the launch's Id where there are only
  /// launches.
  uint64_t Node = 0;
  HostTask Work = {}; ///< Where there is no launch.

  /// Work of the host is one block.
  Dim3 grid() const { return What ? What->Grid : Dim3(); }
};

class Executor {
public:
  virtual ~Executor() = default;
  virtual Status submit(Task Next) = 0;
  virtual Status drain() = 0;
  /// Every task submitted so far comes, in its stream, before whatever the
  /// caller gives the device next and before any later task; the host need not
  /// wait. No relation reaches over a fence.
  virtual Status fence() { return drain(); }
  /// Whether submit() does what the device's own launch call does, so that
  /// nobody needs to know what a launch touches.
  virtual bool plain() const { return false; }
  /// Whether tasks of several streams may follow each other without a fence:
  /// needs reach from one to the other, or the streams keep the order.
  virtual bool takesStreams() const { return false; }
  /// Whether launches are held back to be submitted together. A fence submits
  /// them.
  virtual bool gathers() const { return false; }
  /// Whether a fence does something now: whatever streams may order comes
  /// behind one.
  virtual bool mindsFences() const { return gathers(); }
  /// What a call does that comes while gathers() is true; its name follows.
  virtual const char *fenceText() const { return "launches were held until "; }
  /// Whether what a launch touches has to be known when it is submitted.
  virtual bool relatesAtOnce() const { return false; }
  /// Submits them though no fence has come: the program makes no calls.
  virtual Status submitHeld() { return drain(); }
  /// Who finds out which works may run beside each other; it outlives the
  /// executor. Most do not ask.
  virtual void relateBy(WorkRelations *) {}
  /// The host has waited so long for what was submitted, and has seen it done.
  virtual void waited(std::chrono::nanoseconds) {}
  /// Reports what has not been reported of blocks that were submitted; the host
  /// waits for them.
  virtual void reportRest() {}
  /// Why the blocks of the last task will not be reported; empty: they will be,
  /// or nobody listens.
  virtual std::string whyNotReported() const { return ""; }
  /// What has become of the tasks so far, in a sentence; empty: what the
  /// executor's name says.
  virtual std::string account() const { return ""; }
  /// Memory of the program is about to go away: no other thread looks at it
  /// from here on. Nothing is held back.
  virtual void letMemoryGo() {}
  /// Kernels go away: nothing is launched that was kept for them.
  virtual void forgetKernels() {}
  /// The stream goes away behind what it has been given, and another may get
  /// its name. Nothing is held back.
  virtual void forgetStream(void *) {}
  /// Whether submit() takes work of the host. Without it every task is a
  /// launch.
  virtual bool takesHostWork() const { return false; }
  /// These tasks have completed, and what they wrote is visible to the host;
  /// others may stay in flight. Ascending nodes, of tasks submitted before.
  virtual Status finish(const std::vector<uint64_t> &) { return drain(); }
};

/// A block under way, of a kernel whose threads may wait for other blocks.
/// Destroying it before it has ended gives the block up.
class RunningBlock {
public:
  virtual ~RunningBlock() = default;
  enum class Progress : uint8_t {
    Ended, ///< Every thread has returned.
    Moved, ///< Some thread came further, and now all wait.
    Waits  ///< No thread came further.
  };
  /// Goes on until the block ends or all its threads wait for something
  /// outside of it. Always by the worker that began it.
  virtual Result<Progress> advance() = 0;
  /// A sentence about what its threads wait for; may be empty.
  virtual std::string waitsFor() const { return ""; }
};

/// Runs single blocks; the emulated device behind the executors that order
/// blocks on the host. run() may be called from any thread, with a Worker
/// number no other thread uses at that time.
class BlockRunner {
public:
  virtual ~BlockRunner() = default;
  /// Makes the kernel runnable; says why where it cannot.
  virtual Status prepare(const Launch &What) = 0;
  /// Runs one block to its end. Fills Cost when it is not null.
  virtual Status run(const Launch &What, uint64_t Block, unsigned Worker,
                     BlockCost *Cost) = 0;
  /// Runs \p Count blocks from \p First on, in ascending order, until one
  /// fails.
  virtual Status runRange(const Launch &What, uint64_t First, uint64_t Count,
                          unsigned Worker) {
    Status Last;
    for (uint64_t Block = First; Block < First + Count && Last.ok(); ++Block)
      Last = run(What, Block, Worker, nullptr);
    return Last;
  }
  /// Whether blocks of this prepared launch may wait for other blocks, so that
  /// they should be begun instead of run.
  virtual bool mayWait(const Launch &) { return false; }
  /// Begins a block; Cost may be null and is filled when the block ends.
  virtual Result<std::unique_ptr<RunningBlock>> begin(const Launch &, uint64_t,
                                                      unsigned, BlockCost *) {
    return Status(StatusCode::Unsupported, "blocks cannot be begun here");
  }
};

} // namespace blockmaestro

#endif
