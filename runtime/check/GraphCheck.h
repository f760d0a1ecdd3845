// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BLOCKMAESTRO_CHECK=graph: whether the relations between launches
// are true.
// On the data's way: told by the front end what each node waits for, by the
// emulator what every block touches and when it has ended; compares, and tells
// of each pair how many edges it truly has.
//
// Note [What is compared]
// Of a node and every earlier one that may still run when it starts, and that
// the program orders before it:
//  - a pair of blocks that shares a byte, one of them writing, is in the
//    relation with that hazard, and in the encoding;
//  - a relation called exact has no other pair;
//  - where a relation is left out as implied by others, those that are kept
//    order the true pairs (KeptOrder.h).
// Of a launch whose blocks are tasks also: no two of them share such a byte.
// A node is judged once its own blocks and those of all nodes that may run
// beside it have ended.
//
// Invariants: memory is that of the nodes in flight, and time that of the bytes
// touched and of the pairs in relations and in truth, but that a pair with all
// blocks counts as one. A launch that does not
// come to its end, because a kernel failed, is never judged, nor is one behind
// it. Ownership: the findings and what watch() was given outlive it.
// Threads: any; a block's accesses come from one thread at a time.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_GRAPHCHECK_H
#define BLOCKMAESTRO_RUNTIME_CHECK_GRAPHCHECK_H

#include "Expected.h"
#include "Findings.h"
#include "TrueEdges.h"

#include "blockmaestro/AccessObserver.h"
#include "blockmaestro/Recording.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

class GraphCheck {
public:
  explicit GraphCheck(Findings &Found) : Found(Found) {}

  /// The node comes next; before any of its blocks runs.
  void expect(ExpectedNode Next);
  void touches(const ObservedAccess &What);
  /// All of the block's accesses have been told.
  void ends(const Launch &What, uint64_t Block);

  /// \p Each hears of every pair of launches that truly depend on each other or
  /// are related.
  void watch(std::function<void(const RecordedObservation &)> Each) {
    Watcher = std::move(Each);
  }

  /// "compared 21 pairs of nodes, 12 related, 12 of them exactly; ...". Empty
  /// when nothing was compared.
  std::string summary() const;

private:
  struct Node {
    ExpectedNode Expected;
    std::vector<std::shared_ptr<Node>> Earlier; ///< Until it is judged.
    std::vector<std::weak_ptr<Node>> Later;     ///< Those it is earlier of.
    std::vector<BlockTouches> Blocks;
    std::atomic<uint64_t> Left = 0;   ///< Blocks that have not ended.
    size_t Running = 0;               ///< Of itself and Earlier.
    bool Ended = false;               ///< Those it is earlier of know.
    std::unique_ptr<TrueEdges> Edges; ///< Made when first asked for.
  };
  using NodeRef = std::shared_ptr<Node>;
  struct Comparison;

  NodeRef launched(uint64_t Id) const;
  BlockTouches *touchesOf(const Launch &What, uint64_t Block) const;
  static void touchAccesses(Node &Of);
  void expectEarlier(const NodeRef &New);
  void end(const NodeRef &Of);
  void judge(Node &Consumer);
  void compare(Node &Producer, Node &Consumer);
  void compareTasks(Node &Of);
  void compareBlock(Comparison &What, uint64_t Block);
  void countTooMany(Comparison &What, uint64_t Block, const BlockRow &True);
  void comparePairs(Comparison &What, uint64_t Block, const BlockRow &True);
  void checkKept(Comparison &What);
  void tell(const Comparison &What);
  void reportMissing(Comparison &What, uint64_t ConsumerBlock,
                     uint64_t ProducerBlock, uint8_t Hazards,
                     const std::string &Why);

  static uint64_t nextNumber();

  /// Of all checks there ever were, this one.
  const uint64_t Number = nextNumber();
  Findings &Found;
  std::function<void(const RecordedObservation &)> Watcher;

  mutable std::shared_mutex Lock;                ///< Of the two maps.
  std::unordered_map<uint64_t, NodeRef> Running; ///< Launches by their Id.
  std::map<uint64_t, NodeRef> InFlight;          ///< By number of the node.

  mutable std::mutex Judging; ///< Of what follows, and of what nodes are asked.
  std::map<uint64_t, NodeRef> Unjudged;
  struct {
    uint64_t Pairs = 0;
    uint64_t Related = 0;
    uint64_t Exactly = 0; ///< Related by precisely the true pairs.
    uint64_t Implied = 0;
    uint64_t Missing = 0;
    uint64_t TrueEdges = 0;
    uint64_t Edges = 0;
  } Counts;
};

} // namespace blockmaestro

#endif
