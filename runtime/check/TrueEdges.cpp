// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrueEdges.h"

#include "blockmaestro/BlockGraph.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace blockmaestro {

namespace {

/// Where a range of one block begins or ends.
struct Bound {
  uint64_t At = 0;
  uint32_t Block = 0;
  bool Ends = false;
};

std::vector<Bound> boundsOf(const std::vector<BlockTouches> &Blocks,
                            ByteSet BlockTouches::*Which) {
  std::vector<Bound> Out;
  for (uint32_t Block = 0; Block < Blocks.size(); ++Block)
    for (const ByteRange &Each : (Blocks[Block].*Which).settled()) {
      Out.push_back({Each.First, Block, false});
      Out.push_back({Each.End, Block, true});
    }
  std::sort(Out.begin(), Out.end(), [](const Bound &A, const Bound &B) {
    return A.At != B.At ? A.At < B.At : A.Block < B.Block;
  });
  return Out;
}

/// Adds the blocks whose ranges begin in \p Here, all at one address, to the
/// ascending \p Active, and takes out those whose ranges end.
void step(std::vector<uint32_t> &Active, std::span<const Bound> Here) {
  std::vector<uint32_t> Begin, End, Kept, Next;
  for (const Bound &Each : Here)
    (Each.Ends ? End : Begin).push_back(Each.Block);
  std::set_difference(Active.begin(), Active.end(), End.begin(), End.end(),
                      std::back_inserter(Kept));
  std::set_union(Kept.begin(), Kept.end(), Begin.begin(), Begin.end(),
                 std::back_inserter(Next));
  Active = std::move(Next);
}

} // namespace

ByteIndex::ByteIndex(const std::vector<BlockTouches> &Blocks,
                     ByteSet BlockTouches::*Which) {
  const std::vector<Bound> Bounds = boundsOf(Blocks, Which);
  std::map<std::vector<uint32_t>, uint32_t> Numbers;
  std::vector<uint32_t> Active;
  for (size_t I = 0; I < Bounds.size();) {
    size_t Next = I;
    while (Next < Bounds.size() && Bounds[Next].At == Bounds[I].At)
      ++Next;
    step(Active, {Bounds.data() + I, Next - I});
    if (!Active.empty()) {
      auto [Known, New] = Numbers.try_emplace(Active, uint32_t(Sets.size()));
      if (New)
        Sets.push_back(Active);
      Segments.push_back({Bounds[I].At, Bounds[Next].At, Known->second});
    }
    I = Next;
  }
}

template <typename Callback>
void ByteIndex::forEachSet(const ByteSet &Asked, Callback Each) const {
  auto At = Segments.begin();
  for (const ByteRange &Range : Asked.settled()) {
    At = std::partition_point(At, Segments.end(), [&](const Segment &S) {
      return S.End <= Range.First;
    });
    for (auto I = At; I != Segments.end() && I->First < Range.End; ++I)
      Each(I->Set);
  }
}

TrueEdges::TrueEdges(const std::vector<BlockTouches> &Producer)
    : Reads(Producer, &BlockTouches::Reads),
      Writes(Producer, &BlockTouches::Writes),
      Atomics(Producer, &BlockTouches::Atomics), SeenReads(Reads.setCount()),
      SeenWrites(Writes.setCount()), SeenAtomics(Atomics.setCount()),
      Hazards(Producer.size()) {}

void TrueEdges::mark(const ByteSet &Asked, const ByteIndex &Of,
                     std::vector<uint64_t> &Seen, uint8_t Hazard) {
  ++Now;
  Of.forEachSet(Asked, [&](uint32_t Set) {
    if (Seen[Set] == Now)
      return;
    Seen[Set] = Now;
    if (Of.blocks(Set).size() == Hazards.size()) {
      Row.All |= Hazard;
      return;
    }
    for (uint32_t Block : Of.blocks(Set)) {
      if (Hazards[Block] == 0)
        Marked.push_back(Block);
      Hazards[Block] |= Hazard;
    }
  });
}

const BlockRow &TrueEdges::row(const BlockTouches &Consumer) {
  Row.clear();
  mark(Consumer.Reads, Writes, SeenWrites, HazardRAW);
  mark(Consumer.Writes, Reads, SeenReads, HazardWAR);
  mark(Consumer.Writes, Writes, SeenWrites, HazardWAW);
  mark(Consumer.Atomics, Writes, SeenWrites, HazardRAW);
  mark(Consumer.Atomics, Reads, SeenReads, HazardWAR);
  mark(Consumer.Reads, Atomics, SeenAtomics, HazardRAW);
  mark(Consumer.Writes, Atomics, SeenAtomics, HazardWAW);
  std::sort(Marked.begin(), Marked.end());
  for (uint32_t Block : Marked)
    Row.Some.push_back({Block, std::exchange(Hazards[Block], uint8_t(0))});
  Marked.clear();
  return Row;
}

} // namespace blockmaestro
