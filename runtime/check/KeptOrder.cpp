// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptOrder.h"

#include "Edges.h"

#include <algorithm>
#include <bitset>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace blockmaestro {

namespace {

constexpr uint64_t SliceBlocks = 512;
using Slice = std::bitset<SliceBlocks>;

/// What of a slice single blocks of the nodes come after, found out when it is
/// asked for and kept until the next slice.
class SliceOrder {
public:
  explicit SliceOrder(std::span<const OrderedNode> Nodes);

  /// From now on it is about the \p Count blocks of the first node from
  /// \p First on.
  void begin(uint64_t First, uint64_t Count);
  /// Of a block of the last node.
  Slice ofLast(uint64_t Block) { return of(Nodes.size() - 1, Block); }

private:
  struct Wait {
    size_t Node = 0;
    bool ForAll = false; ///< Of its blocks.
    EncodingView Blocks;
  };
  struct State {
    uint64_t Blocks = 0;
    std::vector<Wait> Waits;
    std::vector<uint32_t> Place; ///< By block: one more than that in Kept.
    std::vector<uint64_t> Asked; ///< Blocks that have a place.
    std::vector<Slice> Kept;
    std::optional<Slice> Any;
  };

  Slice of(size_t Node, uint64_t Block);
  Slice find(const State &Of, uint64_t Block);
  Slice any(size_t Node);

  std::vector<State> Nodes;
  uint64_t First = 0;
  Slice Whole;
};

SliceOrder::SliceOrder(std::span<const OrderedNode> In) : Nodes(In.size()) {
  std::unordered_map<uint64_t, size_t> Numbers;
  for (size_t N = 0; N < In.size(); ++N) {
    State &Mine = Nodes[N];
    Mine.Blocks = In[N].Grid.count();
    Mine.Place.resize(N == 0 ? 0 : Mine.Blocks);
    Numbers[In[N].Node] = N;
    for (const Need &Each : *In[N].Needs) {
      const auto From = Numbers.find(Each.Producer);
      if (Each.Implied || N == 0 || From == Numbers.end())
        continue;
      const EncodingView Blocks = viewOf(Each.How->Form, In[N].Grid);
      Mine.Waits.push_back({From->second,
                            Blocks.Header.Kind == uint32_t(RelationKind::Full),
                            Blocks});
    }
  }
}

void SliceOrder::begin(uint64_t From, uint64_t Count) {
  First = From;
  Whole = Slice().set() >> (SliceBlocks - Count);
  for (State &Each : Nodes) {
    for (uint64_t Block : Each.Asked)
      Each.Place[Block] = 0;
    Each.Asked.clear();
    Each.Kept.clear();
    Each.Any.reset();
  }
}

/// Blocks of the first node come after themselves.
Slice SliceOrder::of(size_t Node, uint64_t Block) {
  if (Node == 0)
    return Block < First || Block - First >= SliceBlocks
               ? Slice()
               : Slice(1) << (Block - First);
  State &Mine = Nodes[Node];
  if (const uint32_t Place = Mine.Place[Block])
    return Mine.Kept[Place - 1];
  const Slice Out = find(Mine, Block);
  Mine.Kept.push_back(Out);
  Mine.Asked.push_back(Block);
  Mine.Place[Block] = uint32_t(Mine.Kept.size());
  return Out;
}

Slice SliceOrder::find(const State &Of, uint64_t Block) {
  Slice Out;
  std::vector<uint64_t> Producers;
  for (const Wait &Each : Of.Waits) {
    if (Each.ForAll) {
      Out |= any(Each.Node);
      continue;
    }
    producersOfBlock(Each.Blocks, Block, Producers);
    for (uint64_t P : Producers)
      Out |= of(Each.Node, P);
  }
  return Out;
}

/// Of all blocks of the node together; those where the slice is are asked
/// first, as they often have all of it.
Slice SliceOrder::any(size_t Node) {
  if (Node == 0)
    return Whole;
  State &Mine = Nodes[Node];
  if (Mine.Any)
    return *Mine.Any;
  Slice Out;
  for (uint64_t I = 0; I < Mine.Blocks && Out != Whole; ++I)
    Out |= of(Node, (First + I) % Mine.Blocks);
  Mine.Any = Out;
  return Out;
}

/// The consumer blocks that want one of the first node's: by slice, those that
/// want single ones, and those that want all.
struct Consumers {
  std::vector<std::vector<uint32_t>> OfSome;
  std::vector<uint32_t> OfAll;

  Consumers(std::span<const BlockRow> Wanted, uint64_t Blocks)
      : OfSome((Blocks + SliceBlocks - 1) / SliceBlocks) {
    for (uint32_t C = 0; C < Wanted.size(); ++C)
      if (Wanted[C].All)
        OfAll.push_back(C);
      else
        for (const BlockHazards &Each : Wanted[C].Some)
          if (auto &Here = OfSome[Each.Block / SliceBlocks];
              Here.empty() || Here.back() != C)
            Here.push_back(C);
  }

  std::vector<uint32_t> of(size_t Slice) const {
    std::vector<uint32_t> Out;
    std::ranges::merge(OfSome[Slice], OfAll, std::back_inserter(Out));
    return Out;
  }
};

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
  const Consumers Waiting(Wanted, Blocks);
  std::vector<RowReader> Readers(Wanted.begin(), Wanted.end());
  SliceOrder Order(Nodes);
  for (uint64_t First = 0; First < Blocks; First += SliceBlocks) {
    const uint64_t End = std::min(Blocks, First + SliceBlocks);
    Order.begin(First, End - First);
    for (uint32_t C : Waiting.of(First / SliceBlocks)) {
      const Slice Mine = Order.ofLast(C);
      if (!forEachIn(Wanted[C], Readers[C], First, End, [&](uint64_t P) {
            return Mine[P - First] || Lacks(C, P);
          }))
        return;
    }
  }
}

} // namespace blockmaestro
