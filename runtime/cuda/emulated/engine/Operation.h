// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one piece of asynchronous work of the emulated device, and what
// the engine keeps of it.
// On the data's way: made by Engine::submit() from a Work; streams and events
// hold references and ask only done() and doneAt().
// Invariants:
//  - Needs has one entry for each operation it comes after; an entry is linked
//    into that operation's list of Needed while that one is not done. The
//    memory of all lists is in the entries and operations themselves, so that
//    nothing that happens after submit() can run out of memory.
//  - What is given up when the operation is done, so that an event or a stream
//    that keeps the reference keeps little.
// Ownership: shared; Self holds the operation while it is not done.
// Threads: done() and doneAt() any; Next, Left and Failed are atomic; the rest
// under the engine's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_OPERATION_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_OPERATION_H

#include "blockmaestro/EventSink.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace blockmaestro {

/// What an operation does: at most one of Blocks, Short and Host. With none of
/// them it is done as soon as what it comes after is.
struct Work {
  /// The blocks of a launch whose kernel is prepared.
  std::shared_ptr<const Launch> Blocks;
  EventSink *Sink = nullptr; ///< Where its blocks are reported, or null.
  /// Something short, run by a worker: a copy.
  std::function<Status()> Short;
  /// The user's code, run by the one thread for that.
  std::function<void()> Host;
  /// Done even when the device has failed, which skips everything else.
  bool AfterFailure = false;
  int Priority = 0; ///< Of operations that can run, the lowest goes first.
};

class Operation;
using OperationRef = std::shared_ptr<Operation>;

/// Operations in a row; an operation is in at most one list per Link.
struct Link {
  Operation *Before = nullptr;
  Operation *After = nullptr;
  bool In = false;
};

class Operation {
public:
  using Clock = std::chrono::steady_clock;
  /// That one operation comes after another.
  struct Edge {
    OperationRef From;
    Operation *To = nullptr;
    Edge *Next = nullptr; ///< In From's list.
  };

  Operation(Work Given, size_t Edges, uint64_t MostBegun)
      : Blocks(Given.Blocks ? Given.Blocks->Grid.count() : 0),
        MostBegun(MostBegun), What(std::move(Given)), Left(Blocks) {
    Needs.reserve(Edges);
  }

  /// Whether it has run, or was skipped because the device had failed.
  bool done() const { return Done.load(std::memory_order_acquire); }
  /// When; once it is done.
  Clock::time_point doneAt() const { return When; }

private:
  friend class Engine;
  friend class OperationList;

  bool isWork() const { return What.Blocks || What.Short || What.Host; }

  const uint64_t Blocks; ///< Of its launch.
  /// How many of its blocks, which may wait, are under way together; 0: its
  /// blocks are not begun, but run.
  const uint64_t MostBegun;
  Work What;
  std::atomic<bool> Done = false;
  Clock::time_point When;

  std::vector<Edge> Needs;
  Edge *Needed = nullptr; ///< Those that come after it, as submitted.
  Edge **NeededEnd = &Needed;
  size_t Missing = 0; ///< Operations it comes after that are not done.
  OperationRef Self;
  uint64_t Number = 0;  ///< Counts operations in the order submitted.
  unsigned Waiting = 0; ///< Threads that wait for it.
  bool Wanted = false;  ///< Some thread that waits needs it.
  Link All;             ///< Among all that are not done.
  Link Ready;           ///< Among those with something left to take.
  Operation *Chain = nullptr;

  std::atomic<uint64_t> Next = 0; ///< The next block to take.
  std::atomic<uint64_t> Left;     ///< Blocks that have not ended.
  std::atomic<uint64_t> Begun = 0;
  std::atomic<bool> Failed = false;
  uint64_t FailedBlock = 0; ///< The lowest that failed.
  Status Outcome;
};

/// A list through one of an operation's links. Owns nothing.
class OperationList {
public:
  explicit OperationList(Link Operation::*Through) : Through(Through) {}

  Operation *first() const { return First; }
  Operation *after(const Operation *Each) const {
    return (Each->*Through).After;
  }
  bool empty() const { return !First; }
  static Link Operation::*all() { return &Operation::All; }
  static Link Operation::*ready() { return &Operation::Ready; }

  void append(Operation *New) { insertAfter(Last, New); }
  /// Behind all whose priority is as good.
  void insertByPriority(Operation *New) {
    Operation *At = Last;
    while (At && At->What.Priority > New->What.Priority)
      At = (At->*Through).Before;
    insertAfter(At, New);
  }
  /// Does nothing when it is not in the list.
  void remove(Operation *Old) {
    Link &Its = Old->*Through;
    if (!Its.In)
      return;
    (Its.Before ? (Its.Before->*Through).After : First) = Its.After;
    (Its.After ? (Its.After->*Through).Before : Last) = Its.Before;
    Its = Link();
  }

private:
  /// At null: in front of all.
  void insertAfter(Operation *At, Operation *New) {
    Link &Its = New->*Through;
    Its = {At, At ? (At->*Through).After : First, true};
    (Its.Before ? (Its.Before->*Through).After : First) = New;
    (Its.After ? (Its.After->*Through).Before : Last) = New;
  }

  Link Operation::*Through;
  Operation *First = nullptr;
  Operation *Last = nullptr;
};

} // namespace blockmaestro

#endif
