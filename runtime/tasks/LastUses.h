// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which tasks have used each byte of memory last, and so which of
// them the next user has to come behind.
// On the data's way: inside TaskGraph: ranges that tasks declare -> producers.
//
// Note [Generations]
// The uses of one byte, in the order of creation, fall into generations: tasks
// that only read, and tasks of one inoutset, run together as long as no use of
// another kind comes between; every other use is a generation of its own. A
// task of one generation comes behind all tasks of the generation before, and
// so, by these, behind everything older. Only the last two are kept. Where one
// of many tasks stands before one of many tasks, a join between the two keeps
// the edges from being a product.
//
// Invariants: segments do not meet; all bytes of one have the same uses. Nodes
// are numbered in the order of creation. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_LASTUSES_H
#define BLOCKMAESTRO_RUNTIME_TASKS_LASTUSES_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace blockmaestro {

/// What a task does to a range, as OpenMP's depend clauses say it.
enum class DependKind : uint8_t {
  In,
  Out,          ///< Also inout.
  InOutSet,     ///< Tasks of one set run in any order, also at once.
  MutexInOutSet ///< As inout: their order of creation excludes them.
};

class LastUses {
public:
  /// Node uses the bytes from First up to and with Last; the nodes that it has
  /// to come behind are added to Producers, perhaps more than once.
  void use(uint64_t First, uint64_t Last, DependKind How, uint32_t Node,
           std::vector<uint32_t> &Producers);

  /// Makes one node that comes behind all of these, and gives its number.
  using MakeJoin = std::function<uint32_t(const std::vector<uint32_t> &)>;
  /// Whether joinBefore() has to come before the next use().
  bool hasLarge() const { return AnyLarge; }
  /// Puts joins where a use of these bytes would make a product of edges.
  void joinBefore(uint64_t First, uint64_t Last, DependKind How,
                  const MakeJoin &Make);

  void clear();
  size_t segments() const { return Segments.size(); }

private:
  using Nodes = std::vector<uint32_t>;
  struct Segment {
    uint64_t Last = 0;
    DependKind How = DependKind::Out; ///< Of Newest.
    Nodes Before;                     ///< The generation before.
    Nodes Newest;
  };
  using Map = std::map<uint64_t, Segment>;
  /// A segment that may be looked for again, by its first byte.
  struct Known {
    uint64_t First = 0;
    Map::iterator At;
    bool Is = false;
  };
  static constexpr unsigned KnownBits = 13;

  Known &knownAt(uint64_t First);
  Map::iterator add(Map::iterator Hint, uint64_t First, Segment &&New);
  Map::iterator remove(Map::iterator At);
  Map::iterator cutAt(uint64_t First);
  void cutBehind(Map::iterator At, uint64_t Last);
  void useSegment(Segment &Of, DependKind How, uint32_t Node, Nodes &Producers);
  void useAlone(uint64_t First, uint64_t Last, uint32_t Node, Nodes &Producers);
  void useTogether(uint64_t First, uint64_t Last, DependKind How, uint32_t Node,
                   Nodes &Producers);

  Map Segments; ///< By first byte.
  /// Most uses are of what others have used: a place for each of many first
  /// bytes, which the next one takes.
  std::vector<Known> Recent;
  bool AnyLarge = false;
  Nodes LastJoined; ///< What the node LastJoin joins.
  uint32_t LastJoin = 0;
};

} // namespace blockmaestro

#endif
