// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: everything the emulated device does while the host goes on:
// operations, each of which runs when those it comes after are done.
// On the data's way: streams, events, copies and graphs submit; blocks go to
// the BlockRunner.
// Invariants:
//  - submit() either has taken the work or has changed nothing. What has been
//    submitted is done some time, whatever fails: after the first failure of a
//    block or a short function, everything that has not begun is skipped.
//  - At most Workers threads run blocks and short functions at a time, each
//    under a number of its own below Workers. A thread of the host that waits
//    runs what it waits for where a number is free. Host functions run on one
//    thread of their own, in the order they could.
//  - Blocks that may wait are begun by threads of the engine, which go on to
//    other blocks while they wait. A launch whose blocks all wait, while
//    nothing else in the engine happens for Patience, fails as Stuck.
// Ownership: the runner outlives the engine. Threads: any; one lock, under
// which nothing foreign is called but OnFailure.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINE_H

#include "Executor.h"
#include "Operation.h"
#include "WorkerPlaces.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace blockmaestro {

struct EngineSettings {
  unsigned Workers = 1;
  /// How long blocks may wait while nothing happens; 0: for ever.
  std::chrono::milliseconds Patience{5000};
  /// Threads of one launch that are under way together when its blocks may
  /// wait, but one block at least; cooperative launches have no limit here.
  uint64_t MostThreads = 32768;
  /// Called once for a failure, before anyone can see what failed as done; must
  /// not call the engine.
  std::function<void(const Status &Why)> OnFailure;
};

class Engine {
public:
  Engine(BlockRunner &Runner, EngineSettings Asked);
  /// Waits for everything.
  ~Engine();
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;

  /// Does \p What once all of \p After (null ones count as done) are done. The
  /// kernel of its blocks is prepared. Fails, with nothing changed, when the
  /// system gives no thread; throws std::bad_alloc, with nothing changed.
  Result<OperationRef> submit(Work What, std::span<const OperationRef> After);

  /// Work of several operations that is submitted as a whole or not at all.
  struct GroupStep {
    Work What;
    std::vector<uint32_t> Needs; ///< Earlier steps.
    std::vector<OperationRef> After;
  };
  Result<std::vector<OperationRef>> submitGroup(std::vector<GroupStep> Steps);

  /// Returns when \p Target is done: the device's failure, if any. Not from a
  /// host function, which would wait for itself: InvalidArgument.
  Status wait(const OperationRef &Target);
  /// The same for everything submitted so far.
  Status waitAll();
  /// Whether everything submitted so far is done.
  bool idle();
  /// Whether something submitted may end only when the host goes on: blocks
  /// that may wait, or a host function.
  bool mayWaitForHost();
  /// Waits, at the end of the program, as long as anything happens, for blocks
  /// that end nothing at most Patience; then gives up what is left. No launch
  /// can be submitted any more, and nothing at all where something was given
  /// up.
  void finish();

  /// The first failure, until it is forgotten.
  Status failure();
  bool failed() const { return Failed.load(std::memory_order_acquire); }
  /// Waits for everything, and forgets the failure.
  void reset();

  unsigned workers() const { return Asked.Workers; }
  /// Whether this is the thread of the host functions.
  static bool onHostFunctionThread();

private:
  using Guard = std::unique_lock<std::mutex>;
  using Clock = Operation::Clock;
  struct Worker;
  struct BegunBlock;
  /// What a thread waits for: an operation, or all up to a number.
  struct Target {
    Operation *One = nullptr;
    uint64_t UpTo = 0;
  };
  /// By worker number: how often it has gone into and come out of a block that
  /// may wait; odd while it is inside.
  using Turns = std::vector<std::atomic<uint64_t>>;

  // Engine.cpp: operations.
  uint64_t mostBegun(const Work &What) const;
  Status ensureThreads(const Work &What);
  Status mayBegin(const Operation &New);
  void start(const OperationRef &New, std::span<const OperationRef> After);
  void link(const OperationRef &New, std::span<const OperationRef> After);
  void complete(Operation *Which, uint64_t Takes);
  void tellFailure();
  uint64_t finishOne(Operation *Which, Operation *&Chain);
  uint64_t makeReady(Operation *Which, Operation *&Chain);
  bool skips(const Operation &Which) const;
  void release(Guard &Held);
  void wake(uint64_t Pieces);
  void markWanted(Operation *From);
  bool reached(const Target &Goal) const;
  Status waitFor(Guard &Held, const Target &Goal);
  void spinFor(Guard &Held, const Target &Goal);

  // EngineWorkers.cpp: threads.
  bool startWorker();
  void serve();
  void serveHost();
  std::chrono::microseconds patienceToSpin() const;
  void spinForWork(Guard &Held);
  Operation *pick(const Target *Goal = nullptr) const;
  bool mayTake() const;
  void leave(Guard &Held, unsigned Number);
  void help(Guard &Held, const Target &Goal);
  void workOn(Guard &Held, Worker &Self);
  void runSome(Guard &Held, Worker &Self, OperationRef Which);
  void runShort(Guard &Held, Operation &Which);
  void runBlocks(Guard &Held, Worker &Self, Operation &Which);
  void runRange(Operation &Which, uint64_t First, uint64_t Last,
                unsigned Number);
  void beginBlock(Guard &Held, Worker &Self, OperationRef Which);
  Status startBlock(Worker &Self, const OperationRef &Which, uint64_t Block);
  RunningBlock::Progress goOn(Worker &Self, BegunBlock &With);
  bool pollSome(Guard &Held, Worker &Self, size_t Most);
  bool advanceFirst(Guard &Held, Worker &Self);
  void rest(Guard &Held, Worker &Self);
  void endStuck(Guard &Held, Worker &Self);
  bool insideSince(std::vector<uint64_t> &Seen) const;
  void blocksEnded(Operation &Which, uint64_t Count);
  void blockFailed(Operation &Which, uint64_t Block, Status Why);
  uint64_t giveUpRest(Operation &Which);

  BlockRunner &Runner;
  const EngineSettings Asked;

  std::mutex Lock;
  std::condition_variable WorkToTake;
  std::condition_variable HostToTake;
  std::condition_variable RestOver;
  std::condition_variable Completed;
  OperationList Unfinished{OperationList::all()};
  OperationList Runnable{OperationList::ready()};
  OperationList HostRunnable{OperationList::ready()};
  Operation *Retired = nullptr; ///< Done; to be let go without the lock.
  uint64_t Submitted = 0;
  unsigned WaitingForAll = 0;
  std::vector<unsigned> FreeNumbers;
  std::vector<std::thread> Threads;
  std::thread HostThread;
  unsigned Sleeping = 0; ///< Workers that sleep until WorkToTake.
  unsigned Woken = 0;    ///< Of these, the ones told to wake up.
  unsigned Spinning = 0; ///< Workers that look for work without sleeping.
  unsigned Resting = 0;  ///< Workers whose blocks all wait.
  bool Stopping = false;
  bool Finished = false;
  Status Failure;

  std::atomic<bool> Failed = false;
  std::atomic<bool> Abandoned = false; ///< What has not begun never will.
  std::atomic<uint64_t> Signals = 0;   ///< Times work became ready.
  std::atomic<uint64_t> Progress = 0;  ///< Times anything happened.
  std::atomic<unsigned> Busy = 0;      ///< Workers in what cannot wait.
  std::atomic<bool> HostBusy = false;  ///< In a host function.
  WorkerPlaces Places;
  Turns Inside;
  /// What Inside was when a worker, or at the end the program, began to doubt
  /// that anything would still happen.
  std::vector<std::vector<uint64_t>> Seen;
};

} // namespace blockmaestro

#endif
