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
// Note [Patches]
// A tile of a matrix is dozens of ranges, which tasks name all together again
// and again. So rows that have been used together, and that nobody else has
// used in parts since, are a patch: one past for all of them, which the same
// rows find by their first byte. A use that has some of the bytes only, or has
// them otherwise, dissolves the patch: each row gets a past of its own. To make
// and to dissolve costs as much as the rows; where patches are dissolved more
// than they are found, no more are made. Tiles of the first size that stand on
// one grid do not meet each other: as long as nothing else has any of its
// bytes, such a patch has no segments, which somebody makes who meets it.
//
// Invariants: segments do not meet; all bytes of one have the same uses. Each
// row of a patch is one segment, or no byte of the patch is in a segment. Nodes
// are numbered in the order of creation. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_LASTUSES_H
#define BLOCKMAESTRO_RUNTIME_TASKS_LASTUSES_H

#include "ByteRows.h"
#include "NodeChains.h"
#include "SegmentIndex.h"
#include "TileGrid.h"

#include <cstddef>
#include <cstdint>
#include <functional>
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
  /// Node uses the bytes; the nodes that it has to come behind are added to
  /// Producers, perhaps more than once.
  void use(const ByteRows &Bytes, DependKind How, uint32_t Node,
           std::vector<uint32_t> &Producers);

  /// Makes one node that comes behind all of these, and gives its number.
  using MakeJoin = std::function<uint32_t(const std::vector<uint32_t> &)>;
  /// Whether joinBefore() has to come before the next use().
  bool hasLarge() const { return AnyLarge; }
  /// Puts joins where a use of these bytes would make a product of edges.
  void joinBefore(const ByteRows &Bytes, DependKind How, const MakeJoin &Make);

  void clear();
  /// Memory for so many ranges; none has been used.
  void bringMemory(size_t Ranges);
  /// But those that patches on a grid would have.
  size_t segments() const { return Index.size(); }
  /// How many patches there are.
  size_t patches() const { return Patches.size() - FreePatches.size(); }

private:
  static constexpr uint32_t None = UINT32_MAX;

  struct Past {
    NodeChains::Chain Before; ///< The generation before.
    NodeChains::Chain Newest;
    DependKind How = DependKind::Out; ///< Of Newest.

    bool operator==(const Past &) const = default;
  };
  /// One that is gone ends before it begins.
  struct Segment {
    uint64_t First = 0;
    uint64_t Last = 0;
    Past Own; ///< Where it is no row of a patch.
    uint32_t Patch = None;

    bool isGone() const { return Last < First; }
  };
  struct Patch {
    ByteRows Rows;
    Past Whole;
  };

  uint32_t find(uint64_t First);
  uint32_t &placeOf(uint64_t First);
  void growPlaces();
  Past *pastOf(const ByteRows &Bytes);
  Past &pastOf(Segment &Of);
  uint32_t add(uint64_t First, uint64_t Last, const Past &Own);
  void remove(uint32_t At);
  SegmentIndex::Neighbours around(uint64_t First);
  uint32_t firstFrom(uint64_t First);
  uint32_t cutAt(uint64_t First);
  void cutBehind(uint32_t At, uint64_t Last);
  void dissolve(uint32_t Patch);
  uint32_t addPatch(const Patch &New);
  void makePatch(const ByteRows &Bytes);
  bool isFresh(const ByteRows &Tile);
  bool addTile(const ByteRows &Bytes, DependKind How, uint32_t Node);
  void makeSegments(uint32_t Patch);
  void makeSegmentsOfMet(const ByteRows &Bytes);
  void usePast(Past &Of, DependKind How, uint32_t Node,
               std::vector<uint32_t> &Producers);
  uint32_t useAlone(uint64_t First, uint64_t Last, uint32_t Node,
                    std::vector<uint32_t> &Producers);
  uint32_t useTogether(uint64_t First, uint64_t Last, DependKind How,
                       uint32_t Node, std::vector<uint32_t> &Producers);
  uint32_t useRow(uint64_t First, uint64_t Last, DependKind How, uint32_t Node,
                  std::vector<uint32_t> &Producers);
  void useRows(const ByteRows &Bytes, DependKind How, uint32_t Node,
               std::vector<uint32_t> &Producers);
  void usePart(const ByteRows &Bytes, DependKind How, uint32_t Node,
               std::vector<uint32_t> &Producers);
  void joinBeforePart(const ByteRows &Bytes, DependKind How,
                      const MakeJoin &Make);
  void joinPast(Past &Of, DependKind How, const MakeJoin &Make);

  NodeChains Chains;
  std::vector<Segment> Segments;
  std::vector<uint32_t> FreeSegments;
  SegmentIndex Index; ///< Of segments, by first byte.
  SegmentIndex::Neighbours
      LastAround; ///< Of AroundFirst, where they are known.
  uint64_t AroundFirst = 0;
  bool AroundKnown = false;
  /// Most uses are of what others have used: of many first bytes the segment,
  /// in a place that the next one takes.
  std::vector<uint32_t> Places;
  unsigned PlaceBits = 0;
  std::vector<Patch> Patches;
  std::vector<uint32_t> FreePatches;
  TileGrid Tiles;                    ///< Patches without segments.
  std::vector<uint32_t> Met;         ///< Kept for its memory.
  std::vector<uint32_t> RowSegments; ///< Kept for its memory.
  uint64_t RowsFound = 0;            ///< By patches that were there.
  uint64_t RowsDissolved = 0;
  bool AnyLarge = false;
  NodeChains::Chain LastJoined; ///< What the node LastJoin joins.
  uint32_t LastJoin = 0;
};

} // namespace blockmaestro

#endif
