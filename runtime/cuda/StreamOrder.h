// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which nodes in flight the program has ordered before what it
// issues next: by streams, by events, by the legacy default stream, and because
// the host has waited.
// On the data's way: asked by NodesInFlight at every admission, told by Runtime
// of events and waits.
// Invariants: a node that CUDA orders before another is said to be before it.
// More may be: the per-thread default streams of all threads count as one.
// Threads: the caller's lock.
//
// Note [Clocks]
// ~~~~~~~~~~~~~
// Nodes are numbered in the order issued, and those of one stream are in order.
// So what comes before a point of a stream is one number for each stream: the
// first of its nodes that does not. Such a clock grows by joining others: an
// event keeps the clock of its stream, and a stream that waits for it takes it
// over; an operation of the legacy stream takes over those of all blocking
// streams, and theirs that of the legacy stream; what the host has waited for
// is before everything it issues later. While all is on one stream none of it
// is looked at.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_STREAMORDER_H
#define BLOCKMAESTRO_RUNTIME_CUDA_STREAMORDER_H

#include <cuda_runtime_api.h>

#include <compare>
#include <cstdint>
#include <map>
#include <set>

namespace blockmaestro {

class StreamOrder {
public:
  /// The program has made a stream. Others than these count as blocking. The
  /// device is not asked: that may end a capture under way.
  void made(cudaStream_t Stream, bool Blocking);

  /// Something is issued on the stream next.
  void arrive(cudaStream_t Stream);
  /// That was a node, up to which there have been so many launches and copies.
  void issued(uint64_t Node, cudaStream_t Stream, uint64_t Works);
  /// Whether a node of stream \p On is before what has arrived on \p Stream.
  bool isBefore(uint64_t Node, cudaStream_t On, cudaStream_t Stream) const;
  /// Whether every node is before all later ones.
  bool isTotal() const { return Lines.size() <= 1; }

  void recorded(cudaEvent_t Event, cudaStream_t Stream);
  void waits(cudaStream_t Stream, cudaEvent_t Event);
  void forget(cudaEvent_t Event) { Records.erase(Event); }

  /// How many launches and copies there had been up to the last node that the
  /// event stands for; 0 where there is none, or it is not known.
  uint64_t worksUntil(cudaEvent_t Event) const;

  void hostWaitedFor(cudaStream_t Stream);
  void hostWaitedFor(cudaEvent_t Event);
  void hostWaitedForAll();

  /// Nothing is in flight.
  void clear();

private:
  /// The first node that is not before; and launches and copies up to it,
  /// whose order is the same.
  struct Point {
    uint64_t Node = 0;
    uint64_t Works = 0;

    auto operator<=>(const Point &) const = default;
  };
  using Clock = std::map<cudaStream_t, Point>; ///< Of each stream.
  struct Line {
    bool Blocking = true;
    Clock Before; ///< Of other streams.
    Point Own;    ///< The same of this one.
  };

  Line &lineOf(cudaStream_t Stream);
  static void join(Clock &To, const Clock &From);
  static void join(Clock &To, cudaStream_t Stream, const Line &From);

  std::map<cudaStream_t, Line> Lines; ///< That have had anything.
  std::set<cudaStream_t> NonBlocking; ///< That the program has made.
  std::map<cudaEvent_t, Clock> Records;
  Clock Host;
};

} // namespace blockmaestro

#endif
