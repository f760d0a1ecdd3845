// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what was asked of a graph of tasks, in order, so that it can be
// told whether the same is asked again: then the graph is the same.
// On the data's way: kept by TaskGraph.
// Invariants: what has been followed() is the beginning of the log. Data of
// tasks is not in it.
// Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_GRAPHLOG_H
#define BLOCKMAESTRO_RUNTIME_TASKS_GRAPHLOG_H

#include "LastUses.h"
#include "LongList.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockmaestro {

struct GraphStep {
  enum class What : uint8_t {
    Add,     ///< First is the kind, Second the bytes of data.
    Use,     ///< Of the bytes from First up to and with Second.
    UseRows, ///< The same of the first row; Rows comes behind it.
    Rows,    ///< Of how many bytes First and Second are more from row to row.
    Undeferred, ///< The task added last.
    WaitAll,
    WaitFor, ///< First steps, which come behind it: Use, or UseRows and Rows.
    BeginGroup,
    EndGroup
  };
  What Is = What::WaitAll;
  DependKind How = DependKind::Out;
  uint32_t Count = 1; ///< Of Use and UseRows: the rows.
  uint64_t First = 0;
  uint64_t Second = 0;

  bool operator==(const GraphStep &) const = default;
};

/// The bytes of a step that is Use, or UseRows with Rows behind it.
inline ByteRows rowsOf(const GraphStep *Step) {
  ByteRows Out = {Step->First, Step->Second, 0, 0, Step->Count};
  if (Step->Is == GraphStep::What::UseRows) {
    Out.FirstStep = Step[1].First;
    Out.LastStep = Step[1].Second;
  }
  return Out;
}

class GraphLog {
public:
  /// Whether a graph is followed: what is asked has been the same so far.
  bool following() const { return Follows; }
  /// All has been asked again that was.
  bool complete() const { return Follows && Next == Steps.size(); }

  /// While following: whether these come next; then it is behind them.
  bool follow(std::span<const GraphStep> Asked);
  bool follow(const GraphStep &Asked) { return follow({&Asked, 1}); }
  /// While following: all is asked again.
  void followAll() { Next = Steps.size(); }
  /// Not following any more: the steps behind the followed ones are forgotten.
  void leave();

  /// While not following.
  void append(const GraphStep &Step) {
    TooLong |= Steps.size() == Most;
    if (!TooLong)
      appendToLong(Steps, Step);
  }
  const std::vector<GraphStep> &steps() const { return Steps; }
  /// Memory for so many; the log is empty.
  void bringMemory(size_t Count) { bringLong(Steps, Count); }

  /// Begins to follow what there is, if it is a graph of reasonable size.
  /// Whether it does; else the log is empty.
  bool restart();

private:
  static constexpr size_t Most = size_t(1) << 22;

  std::vector<GraphStep> Steps;
  size_t Next = 0;
  bool Follows = false;
  bool TooLong = false;
};

} // namespace blockmaestro

#endif
