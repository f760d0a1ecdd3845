// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: tasks with their data in the order of their creation, and which
// of them has to come behind which: found by overlap of the bytes that they
// declare, and by waits of their creator.
// On the data's way: filled by the calls of blockmaestro/tasks.h and of
// runtime/openmp; read by RunTasks, which brings it to a device.
// Order of use: add() a task, depend() for each of its ranges, the next task or
// wait, ..., finish(); then the views. depend() is for the task added last.
// Invariants:
//  - Nodes are tasks and joins, numbered so that every edge leads to a higher
//    number. Joins have no data and nothing to do.
//  - No edge is there twice, and there is none from a node to itself.
//  - data() stays where it is until the graph goes away or is cleared.
//  - A graph that is cleared remembers what it was: where the same tasks come
//    with the same ranges, nothing is looked for again. See version().
// Ownership: owns the tasks' data. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_TASKGRAPH_H
#define BLOCKMAESTRO_RUNTIME_TASKS_TASKGRAPH_H

#include "GraphLog.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace blockmaestro {

/// Memory for many small records; see TaskGraph.
class RecordArena {
public:
  static constexpr size_t Alignment = 16;

  /// Bytes, so aligned, that stay there.
  void *take(size_t Bytes);
  /// Has the host bring the pages of what is taken first; nothing is yet.
  void bringMemory();
  void clear();

private:
  void addChunk(size_t Bytes);

  std::vector<std::unique_ptr<std::byte[]>> Chunks;
  std::byte *Free = nullptr;
  size_t Left = 0;
};

struct TaskNode {
  static constexpr uint32_t Join = UINT32_MAX;
  uint32_t Kind = Join;
  uint32_t Task = Join; ///< As add() gave it; Join for a join.
  size_t Bytes = 0;
  void *Data = nullptr;
};

/// Numbers that belong to nodes: those of node N are Items[Begin[N]] up to and
/// without Items[Begin[N + 1]].
struct NodeLists {
  std::vector<uint32_t> Begin;
  std::vector<uint32_t> Items;

  struct View {
    const uint32_t *First, *End;
    const uint32_t *begin() const { return First; }
    const uint32_t *end() const { return End; }
    size_t size() const { return size_t(End - First); }
  };
  View of(uint32_t Node) const {
    return {Items.data() + Begin[Node], Items.data() + Begin[Node + 1]};
  }
};

class TaskGraph {
public:
  /// A task of this kind with a copy of the data, or zeroed data where that is
  /// null; its number, from 0 in the order of creation.
  uint32_t add(uint32_t Kind, const void *From, size_t Bytes);
  uint32_t add(uint32_t Kind, size_t Bytes) {
    return add(Kind, nullptr, Bytes);
  }
  void *data(uint32_t Task) {
    changeData();
    return Data[Task];
  }
  uint32_t tasks() const { return Count; }

  /// Whether depend() may come for the task.
  bool takesRanges(uint32_t Task) const {
    return TakesRanges && Task + 1 == Count;
  }
  /// Bytes of memory, none of which count as one, as a list item of OpenMP
  /// does. They end at the end of the address space at the latest. Or Count
  /// such ranges, each by so much further and longer than the one before; then
  /// all have a byte and end there by themselves.
  struct Range {
    uint64_t Address = 0;
    uint64_t Bytes = 0;
    DependKind How = DependKind::Out;
    uint32_t Count = 1;
    uint64_t AddressStep = 0;
    uint64_t BytesStep = 0;
  };
  /// The task, which was added last, uses the bytes.
  void depend(uint32_t Task, uint64_t Address, uint64_t Bytes, DependKind How) {
    depend(Task, {Address, Bytes, How});
  }
  void depend(uint32_t Task, const Range &Of);
  /// All memory there is.
  void dependAll(uint32_t Task);
  /// All later tasks come behind this one, which was added last.
  void undeferred(uint32_t Task);

  /// All later tasks come behind all earlier ones.
  void waitAll();
  /// All later tasks come behind those that a task with these ranges would have
  /// to come behind.
  void waitFor(const std::vector<Range> &Ranges);
  /// All tasks added after the end of a group come behind all that were added
  /// since its beginning. Groups nest.
  void beginGroup();
  void endGroup();
  size_t openGroups() const { return OpenGroups; }

  /// What people call tasks of this kind.
  void nameKind(uint32_t Kind, std::string Name);
  std::string kindName(uint32_t Kind) const;

  /// No more tasks. The views below are of the whole graph from here on.
  void finish();
  /// Back to a graph of no tasks; names of kinds stay.
  void clear();

  /// Before anything is added: memory of the host for some thousand tasks is
  /// brought now, and not page by page while they are added.
  void bringMemory();

  /// Right behind clear(): the graph that was there comes again as a whole,
  /// data and all. Whether it is known.
  bool again();

  /// Another number for each graph, of all there are in the process, but for
  /// graphs that follow one another in one object and are the same.
  uint64_t version() const { return Version; }
  /// Another number when data of a task is other than it was before the last
  /// clear().
  uint64_t dataVersion() const { return DataVersion; }

  const std::vector<TaskNode> &nodes() const { return Nodes; }
  const NodeLists &producers() const { return Producers; }
  const NodeLists &children() const { return Children; }
  size_t edges() const { return Producers.Items.size(); }
  /// What was asked; of a graph of too many steps not the last ones.
  const std::vector<GraphStep> &steps() const { return Log.steps(); }
  /// Of each node the longest way to it from a node without producers.
  const std::vector<uint32_t> &levels() const { return Levels; }
  /// How many nodes the level with most of them has.
  uint32_t widest() const;
  /// The nodes by level, and in the order of creation within one; where each
  /// level begins there, and behind the last.
  struct ByLevel {
    std::vector<uint32_t> Order;
    std::vector<uint32_t> Begin;
  };
  ByLevel byLevel() const;
  /// The nodes in the order in which so many workers would begin them if all
  /// took the same time and those with the longest way to the end went first. A
  /// topological order: see Note [Tickets] in blockmaestro/task_workers.h.
  std::vector<uint32_t> ticketOrder(uint32_t Workers) const;

private:
  struct Use {
    ByteRows Bytes;
    DependKind How = DependKind::Out;
  };
  /// The one or two steps of a range.
  struct RangeSteps {
    GraphStep Items[2];
    size_t Count;
    std::span<const GraphStep> all() const { return {Items, Count}; }
  };

  static RangeSteps stepsOf(const Range &What);
  void useOne(const Range &What);
  bool isKnown(std::span<const GraphStep> Asked);
  void changeData();
  void divert();
  void forgetNodes();
  void take(std::span<const GraphStep> All);
  void takeTask(uint32_t Kind, size_t Bytes, void *Record);
  void takeWaitAll();
  void takeWaitFor();
  void takeEndOfGroup();
  void commit();
  uint32_t append(const TaskNode &Node);
  uint32_t join(const std::vector<uint32_t> &Behind);
  void joinSince(uint32_t First);
  void addProducer(uint32_t Node);
  void link();
  std::vector<uint32_t> waysToEnd() const;

  static constexpr uint32_t None = UINT32_MAX;

  GraphLog Log;
  uint64_t Version = 0;
  uint64_t DataVersion = 0;
  bool NewData = false; ///< Since the last clear().
  uint32_t Count = 0;   ///< Tasks so far.
  bool TakesRanges = false;
  size_t OpenGroups = 0;

  RecordArena Arena;
  std::vector<void *> Data; ///< By task; of a followed graph all of them.
  std::vector<TaskNode> Nodes;
  NodeLists Producers;
  NodeLists Children;
  std::vector<uint32_t> Levels;
  std::vector<std::string> Names; ///< By kind.

  LastUses Uses;
  std::vector<bool> HasChild;     ///< By node.
  std::vector<uint32_t> MarkedBy; ///< By node: the last that it was given to.
  /// Of each open group, the first node that may belong to it.
  std::vector<uint32_t> GroupBegins;
  /// All nodes added from now on come behind it, as do all above it; None at
  /// first.
  uint32_t Floor = None;
  uint32_t Waited = 0; ///< All nodes below this came before a waitAll().

  bool Pending = false; ///< A task whose ranges are still coming.
  bool PendingIsFloor = false;
  TaskNode Newest;
  std::vector<Use> NewUses;
  std::vector<uint32_t> Found; ///< Kept for its memory.
};

} // namespace blockmaestro

#endif
