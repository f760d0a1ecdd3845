// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LevelRelations.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace blockmaestro {
namespace {

constexpr uint8_t AllHazards = HazardRAW | HazardWAR | HazardWAW;

/// A relation while consumer blocks come one after the other.
class ListMaker {
public:
  ListMaker(uint32_t Producers, uint32_t Consumers)
      : Producers(Producers), Consumers(Consumers) {
    List.Begin.reserve(size_t(Consumers) + 1);
  }

  /// The consumer block waits for producer block \p Block, above those before.
  void add(uint32_t Consumer, uint32_t Block) {
    reach(Consumer);
    ++Pairs;
    if (List.Runs.size() > List.Begin.back() &&
        List.Runs.back().Last + 1 == Block)
      List.Runs.back().Last = Block;
    else
      List.Runs.push_back({Block, Block});
  }

  bool empty() const { return Pairs == 0; }

  std::shared_ptr<const Related> take() {
    Relation Out;
    Out.ProducerGrid = {Producers, 1, 1};
    Out.ConsumerGrid = {Consumers, 1, 1};
    Out.Hazards = AllHazards;
    Out.Exact = false;
    Out.Reason = "declared by the program, task by task";
    Out.Full = Pairs == uint64_t(Producers) * Consumers;
    if (!Out.Full) {
      reach(Consumers - 1);
      List.Begin.push_back(uint32_t(List.Runs.size()));
      List.Hazards.assign(List.Runs.size(), AllHazards);
      Out.List = std::make_shared<const BlockList>(std::move(List));
    }
    Encoding Form = encode(Out);
    return std::make_shared<const Related>(
        Related{std::move(Out), std::move(Form)});
  }

private:
  void reach(uint32_t Consumer) {
    while (List.Begin.size() <= Consumer)
      List.Begin.push_back(uint32_t(List.Runs.size()));
  }

  const uint32_t Producers, Consumers;
  BlockList List;
  uint64_t Pairs = 0;
};

} // namespace

void LevelRelations::next() {
  ++Level;
  if (WithPaths)
    extendPaths();
}

/// Finds the paths to the tasks of this level.
void LevelRelations::extendPaths() {
  const size_t Oldest = Level > Depth ? Level - Depth : 0;
  for (; KnownFrom < Of.LevelBegin[Oldest]; ++KnownFrom)
    Known.pop_front();
  const uint32_t End = Of.LevelBegin[Level + 1];
  for (uint32_t Place = Of.LevelBegin[Level]; Place < End; ++Place) {
    Places Mine;
    for (uint32_t Each : Of.producersOf(Place)) {
      if (Each < KnownFrom)
        continue;
      Mine.push_back(Each);
      for (uint32_t Further : Known[Each - KnownFrom])
        if (Further >= KnownFrom)
          Mine.push_back(Further);
    }
    std::ranges::sort(Mine);
    Mine.erase(std::ranges::unique(Mine).begin(), Mine.end());
    Known.push_back(std::move(Mine));
  }
}

/// ProducersOf gives the places of a place's producers, ascending.
template <typename Lists>
std::vector<Need> LevelRelations::needs(uint64_t First,
                                        const Lists &ProducersOf) const {
  const size_t Oldest = Level > Depth ? Level - Depth : 0;
  std::vector<ListMaker> Makers;
  for (size_t Each = Oldest; Each < Level; ++Each)
    Makers.emplace_back(Of.sizeOf(Each), Of.sizeOf(Level));
  const uint32_t Begin = Of.LevelBegin[Level];
  for (uint32_t Block = 0; Block < Of.sizeOf(Level); ++Block) {
    size_t At = Oldest;
    for (uint32_t Each : ProducersOf(Begin + Block)) {
      if (Each < Of.LevelBegin[Oldest])
        continue;
      while (Each >= Of.LevelBegin[At + 1])
        ++At;
      Makers[At - Oldest].add(Block, Each - Of.LevelBegin[At]);
    }
  }
  std::vector<Need> Out;
  for (size_t Each = Oldest; Each < Level; ++Each)
    if (ListMaker &Maker = Makers[Each - Oldest]; !Maker.empty())
      Out.push_back({First + Each, false, Maker.take()});
  return Out;
}

std::vector<Need> LevelRelations::edges(uint64_t First) const {
  return needs(First, [this](uint32_t P) { return Of.producersOf(P); });
}

std::vector<Need> LevelRelations::paths(uint64_t First) const {
  return needs(First, [this](uint32_t P) -> const Places & {
    return Known[P - KnownFrom];
  });
}

} // namespace blockmaestro
