// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which blocks of the tasks in flight may run, kept up to date as
// blocks finish. Expands the encodings; for the host only. Where it says launch
// it means work of the host too, which is one block; launches go by their Node.
// On the data's way: inside the shuffle executor; its only input is what
// producersOf() gives.
// Invariants: launches are added in issue order and retired from the oldest.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_READINESS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_READINESS_H

#include "Executor.h"

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// Whether a need names only blocks that its producer, of that grid, has, and
/// says so of every block of the consumer; the sentence otherwise.
Status checkBlocks(const Dependence &Need, Dim3 Producer, const Task &Consumer);

Status notEarlier(const Dependence &Need, const Task &Consumer);

/// One task in flight.
struct Flight {
  struct Waiter {
    uint64_t Launch;
    uint64_t Block;
  };
  explicit Flight(Task Next);

  uint64_t id() const { return Given.Node; }
  Dim3 grid() const { return Given.grid(); }
  bool complete() const { return Done == Finished.size(); }

  Task Given;
  uint64_t Done = 0;
  std::vector<bool> Finished;
  std::vector<uint64_t> Missing; ///< Per block: producers yet to finish.
  std::vector<std::vector<Waiter>> Waiters; ///< Per block, who waits for it.
  std::vector<uint64_t> LaunchWaiters; ///< Launches that wait for all of it.
};

class Readiness {
public:
  using Block = Flight::Waiter;

  /// Adds a launch; the blocks that may run at once are added to \p Ready.
  Status add(Task Next, std::vector<Block> &Ready);
  /// Notes that \p Which has run; adds those it was the last producer of.
  void finish(Block Which, std::vector<Block> &Ready);
  /// Forgets the oldest launches as long as they are complete.
  void retire();

  size_t inFlight() const { return Flights.size(); }
  /// Of which some block has not run.
  bool isInFlight(uint64_t Node) const;
  /// The oldest in flight; there is one.
  uint64_t oldest() const { return Flights.front().id(); }
  /// The task \p Node, which is in flight; stays where it is until retired.
  const Task &task(uint64_t Node) const { return find(Node)->Given; }
  /// The first block that has not run and one it waits for, in words.
  std::string describeWaiting() const;

private:
  Flight *find(uint64_t Launch);
  const Flight *find(uint64_t Launch) const;
  Status link(Flight &Consumer, const Dependence &Need);
  void linkPiece(Flight &Producer, Flight &Consumer, const EncodedPiece &Piece);
  void linkList(Flight &Producer, Flight &Consumer, const BlockList &List);
  void release(uint64_t Launch, uint64_t Block,
               std::vector<Readiness::Block> &);
  std::string firstMissing(const Flight &Consumer, uint64_t Block) const;

  std::deque<Flight> Flights;
};

} // namespace blockmaestro

#endif
