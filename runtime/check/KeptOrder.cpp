// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptOrder.h"

#include "Edges.h"

#include <algorithm>
#include <bitset>
#include <map>
#include <optional>

namespace blockmaestro {

namespace {

constexpr uint64_t SliceBlocks = 512;
using Slice = std::bitset<SliceBlocks>;

/// What of a slice each block of one node comes after.
struct Reached {
  Slice All; ///< Every block.
  /// The blocks of the first node come after themselves: the number of the
  /// first that is in the slice.
  std::optional<uint64_t> Own;
  std::vector<Slice> Some; ///< By block, besides; empty where none does.

  Slice at(uint64_t Block) const {
    Slice Out = Some.empty() ? All : All | Some[Block];
    if (Own && Block >= *Own && Block < *Own + SliceBlocks)
      Out.set(Block - *Own);
    return Out;
  }
  Slice any() const {
    Slice Out = Own ? Slice().set() : All;
    for (const Slice &Each : Some)
      Out |= Each;
    return Out;
  }
};

/// Adds what \p Consumer's blocks wait for through one relation, to whose
/// producer's blocks \p From belongs.
void follow(const Related &How, const Reached &From, Dim3 Grid,
            Reached &Consumer) {
  const EncodingView View = viewOf(How.Form, Grid);
  if (View.Header.Kind == uint32_t(RelationKind::Full)) {
    Consumer.All |= From.any();
    return;
  }
  Consumer.Some.resize(Grid.count());
  forEachEdge(View,
              [&](uint64_t C, uint64_t P) { Consumer.Some[C] |= From.at(P); });
}

/// What of a slice each block of the last node comes after.
Reached reachedBy(std::span<const OrderedNode> Nodes, uint64_t First) {
  std::map<uint64_t, Reached> Known;
  Known[Nodes[0].Node].Own = First;
  for (const OrderedNode &Each : Nodes.subspan(1)) {
    Reached Mine;
    for (const Need &Kept : *Each.Needs)
      if (auto From = Known.find(Kept.Producer);
          !Kept.Implied && From != Known.end())
        follow(*Kept.How, From->second, Each.Grid, Mine);
    Known[Each.Node] = std::move(Mine);
  }
  return std::move(Known[Nodes.back().Node]);
}

/// Calls Each(block) for the blocks from \p First to before \p End that \p From
/// has; until it gives false.
template <typename Callback>
bool forEachIn(const BlockRow &Row, RowReader &From, uint64_t First,
               uint64_t End, Callback Each) {
  for (uint64_t P = First; P < End; ++P) {
    P = Row.All ? P : From.next(P);
    if (P < End && !Each(P))
      return false;
    if (P == RowReader::None)
      break;
  }
  return true;
}

} // namespace

void forEachUnordered(std::span<const OrderedNode> Nodes,
                      std::span<const BlockRow> Wanted,
                      const std::function<bool(uint64_t, uint64_t)> &Lacks) {
  const uint64_t Blocks = Nodes[0].Grid.count();
  std::vector<RowReader> Readers(Wanted.begin(), Wanted.end());
  for (uint64_t First = 0; First < Blocks; First += SliceBlocks) {
    const uint64_t End = std::min(Blocks, First + SliceBlocks);
    auto IsWanted = [&](size_t C) {
      return Wanted[C].All || Readers[C].next(First) < End;
    };
    std::vector<uint64_t> Waiting;
    for (size_t C = 0; C < Wanted.size(); ++C)
      if (IsWanted(C))
        Waiting.push_back(C);
    if (Waiting.empty())
      continue;
    const Reached Have = reachedBy(Nodes, First);
    if (Have.All.count() >= End - First)
      continue;
    for (uint64_t C : Waiting) {
      const Slice Mine = Have.at(C);
      if (!forEachIn(Wanted[C], Readers[C], First, End, [&](uint64_t P) {
            return Mine[P - First] || Lacks(C, P);
          }))
        return;
    }
  }
}

} // namespace blockmaestro
