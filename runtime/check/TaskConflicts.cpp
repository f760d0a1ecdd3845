// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskConflicts.h"

#include "blockmaestro/AccessObserver.h"

#include <algorithm>

namespace blockmaestro {
namespace {

bool shareLock(const TaskUse &A, const TaskUse &B) {
  return std::find_first_of(A.Locks.begin(), A.Locks.end(), B.Locks.begin(),
                            B.Locks.end()) != A.Locks.end();
}

bool conflict(const TaskUse &A, const TaskUse &B) {
  const bool Writes = (A.Bits | B.Bits) & AccessWrites;
  const bool Synchronize = A.Bits & B.Bits & AccessSynchronizes;
  return Writes && !Synchronize && !shareLock(A, B);
}

/// Whether nothing conflicts with an older use that does not with this one.
bool replaces(const TaskUse &Of) {
  return Of.Bits & AccessWrites && !(Of.Bits & AccessSynchronizes) &&
         Of.Locks.empty();
}

} // namespace

TaskConflicts::TaskConflicts(const TaskOrder &Order,
                             std::vector<std::vector<TaskUse>> &Uses)
    : Order(Order), Uses(Uses), Reached(Order.tasks(), 0) {}

void TaskConflicts::find(
    const std::function<void(const TaskConflict &)> &Each) {
  for (uint32_t Place = 0; Place < Order.tasks(); ++Place) {
    Found.clear();
    for (uint32_t Use = 0; Use < Uses[Place].size(); ++Use)
      for (const ByteRange &In : Uses[Place][Use].Bytes.ranges())
        collect({Place, Use}, In);
    markOrdered(Place);
    for (const TaskConflict &One : Found)
      if (!isOrdered(One.Earlier.Place, Place))
        Each(One);
    for (uint32_t Use = 0; Use < Uses[Place].size(); ++Use)
      for (const ByteRange &In : Uses[Place][Use].Bytes.ranges())
        remember({Place, Use}, In);
  }
}

/// Adds to Found what conflicts with these bytes of the use.
void TaskConflicts::collect(TaskUseName Mine, ByteRange In) {
  auto At = Segments.upper_bound(In.First);
  if (At != Segments.begin())
    --At;
  for (; At != Segments.end() && At->first < In.End; ++At) {
    const ByteRange Both = {std::max(At->first, In.First),
                            std::min(At->second.End, In.End)};
    if (Both.First >= Both.End)
      continue;
    for (const TaskUseName &Old : At->second.Users)
      if (conflict(useOf(Old), useOf(Mine)))
        Found.push_back({Old, Mine, Both});
  }
}

/// Finds which of the tasks in Found come before Place. Producers have lower
/// places, so that nothing below the lowest of these need be looked at.
void TaskConflicts::markOrdered(uint32_t Place) {
  uint32_t Lowest = Place;
  for (const TaskConflict &Each : Found)
    Lowest = std::min(Lowest, Each.Earlier.Place);
  if (Lowest == Place)
    return;
  Stack.assign(1, Place);
  while (!Stack.empty()) {
    const uint32_t Next = Stack.back();
    Stack.pop_back();
    for (uint32_t Each : Order.producersOf(Next))
      if (Each >= Lowest && Reached[Each] != Place + 1) {
        Reached[Each] = Place + 1;
        Stack.push_back(Each);
      }
  }
}

/// A segment begins at Where, if one has it.
void TaskConflicts::cutAt(uint64_t Where) {
  auto Behind = Segments.lower_bound(Where);
  if (Behind == Segments.begin())
    return;
  auto At = std::prev(Behind);
  if (At->second.End <= Where)
    return;
  Segments.emplace_hint(Behind, Where, At->second);
  At->second.End = Where;
}

void TaskConflicts::add(Segment &To, TaskUseName Mine) {
  if (replaces(useOf(Mine)))
    std::erase_if(To.Users, [&](const TaskUseName &Old) {
      return isOrdered(Old.Place, Mine.Place);
    });
  To.Users.push_back(Mine);
}

/// Later tasks see these bytes of the use.
void TaskConflicts::remember(TaskUseName Mine, ByteRange In) {
  cutAt(In.First);
  cutAt(In.End);
  uint64_t Next = In.First;
  for (auto At = Segments.lower_bound(In.First); Next < In.End;) {
    const bool Gap = At == Segments.end() || At->first > Next;
    if (Gap) {
      const uint64_t End =
          At == Segments.end() ? In.End : std::min(In.End, At->first);
      At = Segments.emplace_hint(At, Next, Segment{End, {}});
    }
    add(At->second, Mine);
    Next = At->second.End;
    ++At;
  }
}

} // namespace blockmaestro
