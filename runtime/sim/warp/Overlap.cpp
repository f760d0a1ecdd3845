// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Overlap.h"

#include <algorithm>

namespace blockmaestro::sim {

Overlap::Overlap(const Workload &What, uint32_t InFlight)
    : What(What), Flights(std::clamp(InFlight, 1u, What.Window + 1)) {
  bool Fenced = false;
  for (uint32_t Node = 0; Node < What.Launches.size(); ++Node) {
    const WorkLaunch &L = What.Launches[Node];
    Fenced |= L.Barrier || L.IsCopy;
    LaunchOf.push_back(L.IsCopy ? Copy : uint32_t(NodeOf.size()));
    if (L.IsCopy)
      continue;
    NodeOf.push_back(Node);
    IsFenced.push_back(Fenced);
    Fenced = false;
  }
  HasEnded.resize(NodeOf.size());
}

std::optional<size_t> Overlap::next() const {
  if (Next == NodeOf.size() || Next >= First + slots() ||
      (IsFenced[Next] && First < Next))
    return std::nullopt;
  return Next;
}

void Overlap::begin() {
  Flight &F = flightOf(Next);
  F = {};
  const WorkLaunch &L = What.Launches[NodeOf[Next]];
  F.Pending.resize(L.Blocks);
  F.Done.resize(L.Blocks);
  for (uint32_t Index : L.In)
    waitFor(F, What.Relations[Index]);
  ++Next;
  if (F.Gates == 0)
    open(F);
}

void Overlap::waitFor(Flight &Consumer, const WorkRelation &R) {
  const uint32_t Producer = LaunchOf[R.Producer];
  const Expansion &E = What.Expansions[R.Expanded];
  if (Producer == Copy || !isInFlight(Producer) || E.independent())
    return;
  if (waitsWhole(R)) {
    ++Consumer.Gates;
    return;
  }
  E.addOpen(Consumer.Pending, flightOf(Producer).Done);
}

/// Nothing keeps the launch as a whole any more.
void Overlap::open(Flight &Of) {
  for (uint32_t Block = 0; Block < Of.Pending.size(); ++Block)
    if (Of.Pending[Block] == 0)
      Of.Ready.push_back(Block);
}

/// Of the relations to launches in flight that are not independent.
template <typename Function>
void Overlap::forConsumers(size_t Launch, Function Each) {
  for (uint32_t Index : What.Launches[NodeOf[Launch]].Out) {
    const WorkRelation &R = What.Relations[Index];
    const uint32_t Consumer = LaunchOf[R.Consumer];
    if (Consumer != Copy && isInFlight(Consumer) &&
        !What.Expansions[R.Expanded].independent())
      Each(R, flightOf(Consumer));
  }
}

void Overlap::ended(size_t Launch) {
  forConsumers(Launch, [&](const WorkRelation &R, Flight &Consumer) {
    if (waitsWhole(R) && --Consumer.Gates == 0)
      open(Consumer);
  });
  HasEnded[Launch] = true;
  while (First < Next && HasEnded[First])
    ++First;
}

uint64_t Overlap::ready(size_t Launch) const {
  return Flights[slotOf(Launch)].Ready.size();
}

uint64_t Overlap::take(size_t Launch) {
  std::deque<uint32_t> &Ready = flightOf(Launch).Ready;
  const uint32_t Out = Ready.front();
  Ready.pop_front();
  return Out;
}

bool Overlap::blockEnded(size_t Launch, uint64_t Block) {
  bool Any = false;
  flightOf(Launch).Done[Block] = true;
  forConsumers(Launch, [&](const WorkRelation &R, Flight &Consumer) {
    if (waitsWhole(R))
      return;
    for (uint32_t Child :
         What.Expansions[R.Expanded].childrenOf(uint32_t(Block)))
      if (--Consumer.Pending[Child] == 0 && Consumer.Gates == 0) {
        Consumer.Ready.push_back(Child);
        Any = true;
      }
  });
  return Any;
}

} // namespace blockmaestro::sim
