// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the launches, copies and event records that may be running, what
// a new one has to wait for, and what the front end has to know of each.
// On the data's way: Runtime -> Window and StreamOrder -> tasks and recordings.
// Invariants:
//  - Nodes are numbered in the order issued. A node is admitted and then
//    entered, before the next is admitted.
//  - A launch or copy may run beside the Depth launches and copies before it.
//    Executors that take event records count them too, so that fewer do. So the
//    last Depth + 1 launches and copies may be running, and of the records
//    those among the last Depth + 1 nodes.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_NODESINFLIGHT_H
#define BLOCKMAESTRO_RUNTIME_CUDA_NODESINFLIGHT_H

#include "Executor.h"
#include "RecordedForms.h"
#include "StreamOrder.h"
#include "Window.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

/// What there is to know of a node besides what it touches.
struct FlightNode {
  NodeName Name; ///< In a recording; event records are not recorded.
  cudaStream_t Stream = nullptr;
  Dim3 Grid = {};
  bool IsEvent = false;
  bool Prints = false;
  bool HostSees = false; ///< See Note [What the host may see] in Runtime.cpp.
  /// Why what it touches is not exact; only where launches are explained.
  std::vector<std::string> Reasons = {};
  uint64_t Number = 0; ///< Set when it is entered.
};

/// What an executor is told of a need.
Dependence dependenceOn(const Need &Of);

class NodesInFlight {
public:
  NodesInFlight(unsigned Depth, HazardChoice Hazards);

  /// What has to be waited for by whatever has these accesses and comes next
  /// on the stream. WithImplied as in Entrance.
  Admission admit(const Launch &What, const AllocationMap &Known,
                  cudaStream_t Stream, bool WithImplied);
  Admission admit(const LaunchAccesses &Touched, cudaStream_t Stream,
                  bool WithImplied);
  /// The same for what comes behind everything: memory that goes away.
  Admission admitBehindAll(const LaunchAccesses &Touched, bool WithImplied);
  /// What has been admitted is in flight from now on.
  void enter(FlightNode Mine);

  /// A record of the event, which touches nothing, comes next on the stream:
  /// what it waits for. It has to be entered.
  std::vector<Dependence> admitRecord(cudaEvent_t Event, cudaStream_t Stream);
  /// The node that records the event, where it may not have run.
  std::optional<uint64_t> recordOf(cudaEvent_t Event) const;
  void forget(cudaEvent_t Event);
  /// How many launches and copies there were up to the last one that the event
  /// stands for; 0 where there is none, or it is not known.
  uint64_t recordedUntil(cudaEvent_t Event) const {
    return Order.worksUntil(Event);
  }

  /// What executors do not order by themselves: what the host waits for, and
  /// events that they do not see.
  StreamOrder &order() { return Order; }

  /// The number of the next node.
  uint64_t next() const { return Next; }
  /// The executor will have completed all nodes so far before any later one.
  void fenced() { Fence = Next; }
  /// Whether there are nodes of which that is not so.
  bool anyUnfenced() const { return !Nodes.empty() && Fence < Next; }
  void clear();

  /// The numbers of those for which \p Is is true, oldest first.
  template <typename Condition>
  std::vector<uint64_t> where(Condition Is) const {
    std::vector<uint64_t> Out;
    for (const FlightNode &Each : Nodes)
      if (Is(Each))
        Out.push_back(Each.Number);
    return Out;
  }
  /// Those that may run beside what was admitted last, but for event records.
  std::vector<uint64_t> beside() const;
  /// Those that nothing orders before it.
  const std::vector<uint64_t> &unordered() const { return Unordered; }
  /// The host has seen all it may see.
  void hostHasSeen();

  /// The node of this number, which may be running.
  const FlightNode &find(uint64_t Number) const;
  /// What an executor is told of the needs.
  std::vector<Dependence> dependences(const Admission &Entry) const;
  /// What a recording is told of them.
  std::vector<RecordedRelation> recorded(const Admission &Entry,
                                         NodeName Consumer) const;

private:
  void dropCompleted();
  void findUnordered(cudaStream_t Stream);

  const unsigned Depth;
  Window Related;
  StreamOrder Order;
  std::deque<FlightNode> Nodes; ///< That may be running, in order.
  size_t Events = 0;            ///< Of Nodes.
  uint64_t Next = 0;
  uint64_t Works = 0; ///< Launches and copies before it.
  uint64_t Fence = 0; ///< Nodes before it are behind the executor.
  std::map<cudaEvent_t, uint64_t> Records; ///< The last node of each.
  std::vector<uint64_t> Unordered;
};

} // namespace blockmaestro

#endif
