// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: runs the threads of one block, each on a stack of its own, so
// that any of them may wait anywhere: at barriers, in warp operations, in loops
// that wait for other threads or blocks. On the data's way: below OrcEmulator;
// compiled code calls it through WarpCalls. Invariants:
//  - Between two waits a thread runs alone; of those that can go on the lowest
//    of the running thread's warp is next, then those of the following warps.
//  - A thread that has returned counts as arrived everywhere.
//  - The lanes named by a mask that have not returned meet at one kind of
//    operation with the same mask, from wherever in the code they call it.
//  - __activemask() answers when no other lane of the warp can run, to all that
//    ask at one place the same, at the first place in the code first.
//  - A thread that yields runs again in the next run().
// Ownership: borrows context, stacks and code from begin() to the end.
// Threads: one worker.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_THREADSCHEDULER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_THREADSCHEDULER_H

#include "BlockContext.h"
#include "Faults.h"
#include "Fiber.h"
#include "KernelForm.h"
#include "WarpOperation.h"

#include "blockmaestro/Launch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

/// How the predicates of a barrier are combined.
enum class BarrierReduction : uint8_t { None, Count, And, Or };

/// One warp's lanes: who is where, and what they have brought along.
struct alignas(64) WarpState {
  /// Lanes that wait for others of a mask to arrive.
  struct Group {
    WarpOperation Operation;
    uint32_t Mask;
    uint32_t Arrived;
  };

  uint32_t Ready = 0;    ///< Lanes that can go on.
  uint32_t Spinning = 0; ///< Lanes that have yielded.
  uint32_t Alive = 0;    ///< Lanes that have not returned.
  uint32_t Asking = 0;   ///< Lanes that wait for the mask of active ones.
  uint32_t Rounds = 0;   ///< Operations that have taken place.
  uint32_t GroupCount = 0;
  uint64_t Value[WarpSize];
  uint32_t Second[WarpSize]; ///< A shuffle's distance or source.
  uint32_t Third[WarpSize];  ///< A shuffle's clamp and segment mask.
  uint64_t Outcome[WarpSize];
  uint32_t Site[WarpSize]; ///< Where each lane waits.
  Group Groups[WarpSize];
};

/// Computes what every lane of \p Lanes gets from \p Operation.
void resolve(WarpState &W, WarpOperation Operation, uint32_t Lanes);

class ThreadScheduler {
public:
  static constexpr uint32_t MaxThreads = 1024;

  enum class Outcome : uint8_t {
    Ended, ///< Every thread has returned.
    Moved, ///< Threads came further; some now wait for others outside.
    Waits, ///< No thread came further.
    Failed ///< failure() says why; nothing of the block can go on.
  };

  ThreadScheduler() = default;
  ThreadScheduler(const ThreadScheduler &) = delete;
  ThreadScheduler &operator=(const ThreadScheduler &) = delete;
  ~ThreadScheduler() { release(); }

  /// Makes the threads of \p Block, at most MaxThreads, of the code \p Body
  /// ready to run on stacks of \p From.
  void begin(BlockContext &Block, ThreadFunctionType Body, StackPool &From);
  /// Runs every thread until it waits, those that yielded in the last run()
  /// included.
  Outcome run();
  /// Gives all threads up.
  void release();
  const Fault &failure() const { return Died; }

  /// The running thread, linear.
  uint32_t current() const { return Current; }
  /// How many threads have not returned.
  uint32_t live() const { return Live; }
  /// The block's barriers that have taken place, those of a part of it too.
  uint32_t blockRound() const { return BarrierRounds; }
  /// The operations of a thread's warp that have taken place.
  uint32_t warpRound(uint32_t Thread) const {
    return Warps[Thread / WarpSize].Rounds;
  }
  /// Whether \p Address is on the stack of a thread.
  bool onStack(uint64_t Address) const { return Stacks->holds(Address); }
  /// How many bytes of the running thread's stack lie above \p Frame.
  uint64_t depthOf(const void *Frame) const {
    return Threads[Current].On->Top - static_cast<const uint8_t *>(Frame);
  }
  /// A sentence about what the block's threads wait for, and where.
  Fault describeWait() const;

  // What threads call.
  uint64_t meet(WarpOperation Operation, uint32_t Site, uint32_t Mask,
                uint64_t Value, uint32_t Second = 0, uint32_t Third = 0);
  /// \p Order tells which of two places in the code comes first, \p Where one
  /// place from all others.
  uint32_t activeMask(uint32_t Site, uint32_t Order, uint64_t Where);
  /// \p Count 0 stands for all threads of the block.
  uint32_t barrier(uint32_t Id, uint32_t Count, uint32_t Site,
                   BarrierReduction Reduction = BarrierReduction::None,
                   bool Predicate = false);
  void arrive(uint32_t Id, uint32_t Count);
  void yield(uint32_t Site, uint32_t Iteration);
  void sleep(uint32_t Site);
  [[noreturn]] void exitThread();

private:
  static constexpr uint32_t None = ~0u;
  static constexpr uint32_t BarrierCount = 16;
  static constexpr uint32_t MaxWarps = MaxThreads / WarpSize;

  /// What a thread waits in; a later one explains more.
  enum class Place : uint8_t { Running, Mask, Warp, Barrier, Spin };

  struct Thread {
    Resting At = nullptr; ///< Null until the thread has begun.
    Stack *On = nullptr;
    Place Waits = Place::Running;
    uint8_t Barrier = 0;
    Place Seen = Place::Running; ///< Waits when the last run() ended.
    uint32_t SeenSite = 0;       ///< And where.
  };

  struct Barrier {
    uint32_t Expected = 0; ///< 0 for all.
    uint32_t Arrivals = 0;
    uint32_t True = 0; ///< Arrivals with a true predicate.
    BarrierReduction Reduction = BarrierReduction::None;
    uint32_t Arrived[MaxWarps] = {};
    uint32_t Waiting[MaxWarps] = {};
  };

  static void startFiber(void *Self);
  [[noreturn]] void runThreads();
  [[noreturn]] void leaveStack(uint32_t Next);
  uint32_t pick();
  void suspend(Place Why, uint32_t Site);
  bool prepareStack(Thread &T);
  void wake(uint32_t Warp, uint32_t Lanes);
  void answerActive(WarpState &W);
  void finishGroup(uint32_t Warp, uint32_t Number);
  void finishThread();
  void arriveAt(uint32_t Id, uint32_t Count, BarrierReduction Reduction,
                bool Predicate);
  bool complete(const Barrier &B) const;
  void open(uint32_t Id);
  void wakeSpinning();
  bool noteMovement();
  WarpState &warp() { return Warps[Current / WarpSize]; }

  BlockContext *Context = nullptr;
  ThreadFunctionType Body = nullptr;
  StackPool *Stacks = nullptr;
  RunningCode *Worker = nullptr; ///< While run() lasts.
  uint32_t Current = 0;
  uint32_t CurrentWarp = 0;
  uint32_t ReadyWarps = 0;
  uint32_t Count = 0;
  uint32_t WarpCount = 0;
  uint32_t Live = 0;
  uint32_t BarrierRounds = 0;
  uint32_t PendingBarriers = 0;
  bool Fresh = false; ///< A thread began to wait in a loop, or ended.
  Fault Died;
  std::vector<Thread> Threads;
  std::vector<WarpState> Warps;
  Barrier Barriers[BarrierCount];
};

} // namespace blockmaestro

#endif
