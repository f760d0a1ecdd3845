// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Window.h"

#include "Graph.h"

#include <type_traits>

namespace blockmaestro {

template <typename T> static void append(std::string &Key, const T &Value) {
  static_assert(std::has_unique_object_representations_v<T>);
  Key.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
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

Window::Shape Window::shapeOf(LaunchAccesses Touched) {
  auto Make = [&] {
    return Shape{NextShape++,
                 std::make_shared<const LaunchAccesses>(std::move(Touched))};
  };
  if (MemoEntries == 0)
    return Make();
  std::string Key = keyOf(Touched);
  auto Known = Shapes.find(Key);
  if (Known != Shapes.end())
    return Known->second;
  if (Shapes.size() >= MemoEntries)
    Shapes.clear();
  return Shapes.emplace(std::move(Key), Make()).first->second;
}

Relation Window::related(const Shape &Producer, const Shape &Consumer) {
  if (MemoEntries == 0)
    return relate(*Producer.Touched, *Consumer.Touched);
  const std::pair Key{Producer.Number, Consumer.Number};
  auto Known = Memo.find(Key);
  if (Known != Memo.end())
    return Known->second;
  if (Memo.size() >= MemoEntries)
    Memo.clear();
  return Memo.emplace(Key, relate(*Producer.Touched, *Consumer.Touched))
      .first->second;
}

std::vector<Relation> Window::admit(const Launch &What, LaunchAccesses Touched,
                                    const void *Stream) {
  std::deque<InFlight> &Earlier = Streams[Stream];
  const Shape Mine = shapeOf(std::move(Touched));
  std::vector<Relation> Needs;
  for (const InFlight &Producer : Earlier) {
    Relation R = related(Producer.What, Mine);
    if (R.independent())
      continue;
    R.Producer = Producer.Id;
    R.Consumer = What.Id;
    Needs.push_back(std::move(R));
  }
  Earlier.push_back({What.Id, Mine});
  if (Earlier.size() > Depth)
    Earlier.pop_front();
  return Needs;
}

} // namespace blockmaestro
