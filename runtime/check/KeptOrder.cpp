// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptOrder.h"

#include "Edges.h"

#include <algorithm>
#include <bitset>
#include <map>

namespace blockmaestro {

namespace {

constexpr uint64_t SliceBlocks = 512;
using Slice = std::bitset<SliceBlocks>;
using Reached = std::vector<Slice>; ///< By block of one node.

Slice unionOf(const Reached &All) {
  Slice Out;
  for (const Slice &Each : All)
    Out |= Each;
  return Out;
}

/// Adds what \p Consumer's blocks wait for through one relation, to whose
/// producer's blocks \p From belongs.
void follow(const Related &How, const Reached &From, Dim3 Grid,
            Reached &Consumer) {
  const EncodingView View = viewOf(How.Form, Grid);
  if (View.Header.Kind == uint32_t(RelationKind::Full)) {
    const Slice All = unionOf(From);
    for (Slice &Each : Consumer)
      Each |= All;
    return;
  }
  forEachEdge(View, [&](uint64_t C, uint64_t P) { Consumer[C] |= From[P]; });
}

/// The blocks of the first node, from \p First on, as they are their own.
Reached itself(Dim3 Grid, uint64_t First) {
  Reached Out(Grid.count());
  uint64_t End = std::min(Grid.count(), First + SliceBlocks);
  for (uint64_t Block = First; Block < End; ++Block)
    Out[Block].set(Block - First);
  return Out;
}

/// What of a slice each block of the last node comes after.
Reached reachedBy(std::span<const OrderedNode> Nodes, uint64_t First) {
  std::map<uint64_t, Reached> Known;
  Known[Nodes[0].Node] = itself(Nodes[0].Grid, First);
  for (const OrderedNode &Each : Nodes.subspan(1)) {
    Reached Mine(Each.Grid.count());
    for (const Need &Kept : *Each.Needs)
      if (auto From = Known.find(Kept.Producer);
          !Kept.Implied && From != Known.end())
        follow(*Kept.How, From->second, Each.Grid, Mine);
    Known[Each.Node] = std::move(Mine);
  }
  return std::move(Known[Nodes.back().Node]);
}

} // namespace

void forEachUnordered(std::span<const OrderedNode> Nodes,
                      const std::vector<std::vector<uint32_t>> &Wanted,
                      const std::function<bool(uint64_t, uint64_t)> &Lacks) {
  for (uint64_t First = 0; First < Nodes[0].Grid.count();
       First += SliceBlocks) {
    const Reached Have = reachedBy(Nodes, First);
    for (uint64_t C = 0; C < Wanted.size(); ++C)
      for (uint32_t P : Wanted[C])
        if (P >= First && P < First + SliceBlocks && !Have[C][P - First] &&
            !Lacks(C, P))
          return;
  }
}

} // namespace blockmaestro
