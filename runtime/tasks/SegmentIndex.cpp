// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SegmentIndex.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace blockmaestro {

uint32_t SegmentIndex::Leaf::rankOf(uint64_t Key) const {
  return uint32_t(std::upper_bound(Keys, Keys + Size, Key) - Keys);
}

void SegmentIndex::Leaf::insert(uint32_t At, uint64_t Key, uint32_t Value) {
  std::copy_backward(Keys + At, Keys + Size, Keys + Size + 1);
  std::copy_backward(Values + At, Values + Size, Values + Size + 1);
  Keys[At] = Key;
  Values[At] = Value;
  ++Size;
}

void SegmentIndex::Leaf::erase(uint32_t At) {
  std::copy(Keys + At + 1, Keys + Size, Keys + At);
  std::copy(Values + At + 1, Values + Size, Values + At);
  --Size;
}

/// The only leaf that may have the key; there is one.
size_t SegmentIndex::leafOf(uint64_t Key) const {
  if (LastLeaf < Begins.size() && Begins[LastLeaf] <= Key &&
      (LastLeaf + 1 == Begins.size() || Key < Begins[LastLeaf + 1]))
    return LastLeaf;
  return LastLeaf = size_t(std::upper_bound(Begins.begin(), Begins.end(), Key) -
                           Begins.begin()) -
                    1;
}

SegmentIndex::Neighbours SegmentIndex::around(uint64_t Key) const {
  if (Count == 0)
    return {};
  const size_t In = leafOf(Key);
  const Leaf &Of = *Leaves[In];
  const uint32_t Rank = Of.rankOf(Key);
  Neighbours Out;
  if (Rank != 0)
    Out.Floor = Of.Values[Rank - 1];
  else if (In != 0)
    Out.Floor = Leaves[In - 1]->Values[Leaves[In - 1]->Size - 1];
  if (Rank != Of.Size)
    Out.Above = Of.Values[Rank];
  else if (In + 1 != Leaves.size())
    Out.Above = Leaves[In + 1]->Values[0];
  return Out;
}

std::unique_ptr<SegmentIndex::Leaf> SegmentIndex::takeLeaf() {
  std::unique_ptr<Leaf> Out;
  if (Spare.empty()) {
    Out = std::make_unique_for_overwrite<Leaf>();
  } else {
    Out = std::move(Spare.back());
    Spare.pop_back();
  }
  Out->Size = 0;
  return Out;
}

void SegmentIndex::addLeaf(size_t At, uint64_t Begin,
                           std::unique_ptr<Leaf> New) {
  Begins.insert(Begins.begin() + ptrdiff_t(At), Begin);
  Leaves.insert(Leaves.begin() + ptrdiff_t(At), std::move(New));
}

/// A full leaf gives away what it has from Rank on.
void SegmentIndex::split(size_t At, uint32_t Rank) {
  Leaf &Full = *Leaves[At];
  std::unique_ptr<Leaf> Right = takeLeaf();
  std::copy(Full.Keys + Rank, Full.Keys + Room, Right->Keys);
  std::copy(Full.Values + Rank, Full.Values + Room, Right->Values);
  Right->Size = Room - Rank;
  Full.Size = Rank;
  const uint64_t Begin = Right->Keys[0];
  addLeaf(At + 1, Begin, std::move(Right));
}

void SegmentIndex::insert(uint64_t Key, uint32_t Value) {
  ++Count;
  if (Leaves.empty())
    addLeaf(0, 0, takeLeaf());
  size_t In = leafOf(Key);
  uint32_t Rank = Leaves[In]->rankOf(Key);
  if (Leaves[In]->Size == Room) {
    if (Rank == Room) {
      if (In + 1 < Leaves.size() && Leaves[In + 1]->Size < Room) {
        Begins[In + 1] = Key;
        return Leaves[In + 1]->insert(0, Key, Value);
      }
      std::unique_ptr<Leaf> Next = takeLeaf();
      Next->insert(0, Key, Value);
      return addLeaf(In + 1, Key, std::move(Next));
    }
    split(In, Room / 2);
    if (Rank > Room / 2) {
      ++In;
      Rank -= Room / 2;
    }
  }
  Leaves[In]->insert(Rank, Key, Value);
}

void SegmentIndex::erase(uint64_t Key) {
  --Count;
  const size_t In = leafOf(Key);
  Leaf &Of = *Leaves[In];
  Of.erase(Of.rankOf(Key) - 1);
  if (Of.Size != 0 || Leaves.size() == 1)
    return;
  Spare.push_back(std::move(Leaves[In]));
  Leaves.erase(Leaves.begin() + ptrdiff_t(In));
  Begins.erase(Begins.begin() + ptrdiff_t(In));
  Begins.front() = 0;
}

void SegmentIndex::clear() {
  std::move(Leaves.begin(), Leaves.end(), std::back_inserter(Spare));
  Leaves.clear();
  Begins.clear();
  Count = 0;
}

} // namespace blockmaestro
