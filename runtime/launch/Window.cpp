// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Window.h"

#include "Evaluate.h"
#include "Graph.h"
#include "Implied.h"

#include <algorithm>
#include <type_traits>

namespace blockmaestro {

template <typename T> static void append(std::string &Key, const T &Value) {
  static_assert(std::has_unique_object_representations_v<T>);
  Key.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

/// All that evaluate() reads, as bytes.
static std::string keyOf(const Launch &What, const AllocationMap &Known) {
  std::string Key;
  Key.reserve(64 + What.Arguments.size());
  append(Key, What.Kernel);
  append(Key, Known.version());
  append(Key, What.Grid);
  append(Key, What.Block);
  Key.append(What.Arguments.begin(), What.Arguments.end());
  return Key;
}

/// All that a relation depends on, as bytes; equal keys mean equal accesses.
static std::string keyOf(const LaunchAccesses &Touched) {
  std::string Key;
  append(Key, Touched.Grid);
  for (const BlockAccess &A : Touched.Accesses) {
    append(Key, A.Kind);
    append(Key, A.How);
    append(Key, uint8_t(A.Exact));
    append(Key, A.Where);
    append(Key, A.ByteLow);
    append(Key, A.ByteHigh);
    append(Key, A.BlockLow);
    append(Key, A.BlockHigh);
    append(Key, A.Coordinates.size());
    for (const Coordinate &C : A.Coordinates)
      append(Key, C);
    append(Key, A.Reason.size());
    Key += A.Reason;
  }
  return Key;
}

/// Memo[Key], made by Make where it is new. Memos of no entries keep nothing.
template <typename Memo, typename Make>
static typename Memo::mapped_type remember(Memo &Known, size_t Entries,
                                           std::string Key, Make New) {
  if (Entries == 0)
    return New();
  auto Found = Known.find(Key);
  if (Found != Known.end())
    return Found->second;
  if (Known.size() >= Entries)
    Known.clear();
  return Known.emplace(std::move(Key), New()).first->second;
}

Window::Shape Window::shapeOf(const Launch &What, const AllocationMap &Known) {
  return remember(ByLaunch, MemoEntries, keyOf(What, Known),
                  [&] { return shapeOf(evaluate(What, Known)); });
}

Window::Shape Window::shapeOf(LaunchAccesses Touched) {
  std::string Key = keyOf(Touched);
  return remember(ByAccesses, MemoEntries, std::move(Key), [&] {
    return Shape{NextShape++,
                 std::make_shared<const LaunchAccesses>(std::move(Touched))};
  });
}

/// What of the accesses does Kind, as if it did nothing else.
static LaunchAccesses as(AccessKind Kind, LaunchAccesses Touched) {
  std::erase_if(Touched.Accesses, [&](const BlockAccess &Each) {
    return Each.Kind != Kind && Each.Kind != AccessKind::Atomic;
  });
  for (BlockAccess &Each : Touched.Accesses)
    Each.Kind = Kind;
  return Touched;
}

std::shared_ptr<const Related> Window::related(const Shape &Producer,
                                               const Shape &Consumer) {
  std::string Key;
  append(Key, Producer.Number);
  append(Key, Consumer.Number);
  return remember(Relations, MemoEntries, std::move(Key), [&] {
    Related New;
    New.What = Hazards == HazardChoice::All
                   ? relate(*Producer.Touched, *Consumer.Touched)
                   : relate(as(AccessKind::Write, *Producer.Touched),
                            as(AccessKind::Read, *Consumer.Touched));
    New.Form = encode(New.What);
    return std::make_shared<const Related>(std::move(New));
  });
}

/// The answer for the sequence of shapes in flight and the new one.
Window::Pattern Window::patternOf(const Line &Earlier, const Shape &Mine) {
  std::string Key;
  Key.reserve((Earlier.size() + 1) * sizeof(Mine.Number));
  for (const InFlight &Each : Earlier)
    append(Key, Each.What.Number);
  append(Key, Mine.Number);
  return remember(Patterns, MemoEntries, std::move(Key),
                  [&] { return findPattern(Earlier, Mine); });
}

Window::Pattern Window::findPattern(const Line &Earlier, const Shape &Mine) {
  auto Found = std::make_shared<std::vector<Need>>();
  for (size_t I = 0; I < Earlier.size(); ++I) {
    auto How = related(Earlier[I].What, Mine);
    if (!How->What.independent())
      Found->push_back({I, false, std::move(How)});
  }
  // Mostly the latest launch makes sure of the earlier ones.
  for (Need &AC : *Found)
    for (size_t I = Found->size(); I-- > 0 && !AC.Implied;) {
      const Need &BC = (*Found)[I];
      if (BC.Producer <= AC.Producer)
        break;
      auto AB = related(Earlier[AC.Producer].What, Earlier[BC.Producer].What);
      AC.Implied = follows(AC.How->What, AB->What, BC.How->What);
    }
  return Found;
}

std::vector<uint64_t> Window::inFlight(const void *Stream) const {
  std::vector<uint64_t> Out;
  if (auto Line = Streams.find(Stream); Line != Streams.end())
    for (const InFlight &Each : Line->second)
      Out.push_back(Each.Id);
  return Out;
}

Admission Window::admit(const Launch &What, const AllocationMap &Known,
                        const void *Stream, bool WithImplied) {
  return admit(What.Id, What, Known, Stream, WithImplied);
}

Admission Window::admit(uint64_t Id, const Launch &What,
                        const AllocationMap &Known, const void *Stream,
                        bool WithImplied) {
  return admit(Id, shapeOf(What, Known), Stream, WithImplied);
}

Admission Window::admit(uint64_t Id, LaunchAccesses Touched, const void *Stream,
                        bool WithImplied) {
  return admit(Id, shapeOf(std::move(Touched)), Stream, WithImplied);
}

Admission Window::admit(uint64_t Id, Shape Mine, const void *Stream,
                        bool WithImplied) {
  Line &Earlier = Streams[Stream];
  Pattern Waits = patternOf(Earlier, Mine);
  Admission Out{Mine.Touched, {}};
  for (const Need &Each : *Waits)
    if (WithImplied || !Each.Implied)
      Out.Needs.push_back({Earlier[Each.Producer].Id, Each.Implied, Each.How});
  Earlier.push_back({Id, std::move(Mine)});
  if (Earlier.size() > Depth)
    Earlier.pop_front();
  return Out;
}

} // namespace blockmaestro
