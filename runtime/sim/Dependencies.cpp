// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependencies.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace blockmaestro::sim {

void Dependencies::issue(uint32_t Launch) {
  const WorkLaunch &L = What.Launches[Launch];
  LaunchState &S = State[Launch];
  if (!Spare.empty()) {
    S = std::move(Spare.back());
    Spare.pop_back();
  }
  S.begin(L.Blocks);
  for (uint32_t Index : L.In)
    if (!Window.isOver(What.Relations[Index].Producer))
      waitFor(S, What.Relations[Index]);
  if (S.Tracked)
    Hardware.open(Launch, L.Blocks);
  if (By.BoundsUpdates)
    findUpdates(Launch);
}

/// Adds what Consumer still has to wait for because of one relation.
void Dependencies::waitFor(LaunchState &Consumer,
                           const WorkRelation &Relation) {
  if (independent(Relation))
    return;
  if (waitsWhole(Relation)) {
    ++Consumer.Gates;
    ++KernelLevelRelations;
    return;
  }
  Consumer.Tracked = true;
  expansionOf(Relation).addOpen(Consumer.Pending,
                                State[Relation.Producer].Done);
}

/// Of a launch that is issued: parents that have ended before.
void Dependencies::findUpdates(uint32_t Launch) {
  LaunchState &S = State[Launch];
  std::vector<uint32_t> Parents(S.Pending.size(), 0);
  for (uint32_t Index : What.Launches[Launch].In) {
    const WorkRelation &R = What.Relations[Index];
    if (independent(R) || waitsWhole(R))
      continue;
    const Expansion &E = expansionOf(R);
    for (size_t Child = 0; Child < Parents.size(); ++Child)
      Parents[Child] += E.Parents[Child];
  }
  S.Updated.assign(S.Pending.size(), 0);
  for (uint32_t Child = 0; Child < Parents.size(); ++Child)
    update(S, Child, S.Pending[Child] > 0 && S.Pending[Child] < Parents[Child]);
}

void Dependencies::update(LaunchState &Consumer, uint32_t Block,
                          bool IsPartly) {
  PartlyUpdated += uint32_t(IsPartly) - Consumer.Updated[Block];
  Consumer.Updated[Block] = IsPartly;
}

void Dependencies::openGate(uint32_t Launch) {
  LaunchState &S = State[Launch];
  if (--S.Gates == 1 && Window.launchesWhenReady())
    Window.ready(Launch);
  if (S.Gates > 0)
    return;
  for (uint32_t Block = 0; Block < S.Pending.size(); ++Block)
    if (S.Pending[Block] == 0)
      S.Ready.push_back(Block);
}

/// The block's own counter goes when it starts.
bool Dependencies::hasBufferRoom(uint32_t Launch, uint32_t Block) const {
  uint64_t Lists = 0, Missing = 0;
  forEachTracked(Launch, 0, [&](const WorkRelation &R) {
    const auto Children = expansionOf(R).childrenOf(Block);
    Lists += decodes(R) ? 0 : Hardware.entriesOf(Children.size());
    for (uint32_t Child : Children)
      Missing += !Hardware.isResident(R.Consumer, Child);
  });
  const uint64_t Freed = Hardware.isResident(Launch, Block);
  return Hardware.haveRoom(Lists, Missing - std::min(Missing, Freed));
}

uint32_t Dependencies::start(uint32_t Launch, uint32_t Block) {
  if (State[Launch].Tracked)
    Hardware.drop(Launch, Block);
  uint32_t Entries = 0;
  forEachTracked(Launch, 0, [&](const WorkRelation &R) {
    Entries += fetchList(R, Block);
    for (uint32_t Child : expansionOf(R).childrenOf(Block))
      Hardware.touch(R.Consumer, Child);
  });
  return Entries;
}

/// Returns the entries that the list takes.
uint32_t Dependencies::fetchList(const WorkRelation &Relation,
                                 uint32_t Parent) {
  const size_t Children = expansionOf(Relation).childrenOf(Parent).size();
  if (!decodes(Relation))
    return Hardware.fetchList(Children);
  Decoded[Relation.Expanded] += Hardware.entriesOf(Children);
  return 0;
}

/// Lists of consumers issued since the block was placed are fetched only now.
void Dependencies::end(const RunningBlock &Which) {
  forEachTracked(Which.Launch, Which.KnownUpTo, [&](const WorkRelation &R) {
    Hardware.releaseList(fetchList(R, Which.Block));
  });
  forEachTracked(Which.Launch, 0,
                 [&](const WorkRelation &R) { tell(R, Which.Block); });
  Hardware.releaseList(Which.ListEntries);
}

/// Counts down the counters of a block's children.
void Dependencies::tell(const WorkRelation &Relation, uint32_t Parent) {
  LaunchState &Consumer = State[Relation.Consumer];
  for (uint32_t Child : expansionOf(Relation).childrenOf(Parent)) {
    Hardware.touch(Relation.Consumer, Child);
    if (--Consumer.Pending[Child] == 0 && Consumer.Gates == 0)
      Consumer.Ready.push_back(Child);
    if (By.BoundsUpdates)
      update(Consumer, Child, Consumer.Pending[Child] > 0);
  }
}

void Dependencies::openConsumers(uint32_t Launch) {
  for (uint32_t Index : What.Launches[Launch].Out) {
    const WorkRelation &R = What.Relations[Index];
    if (R.Consumer >= Window.next())
      break;
    if (waitsWhole(R) && !independent(R))
      openGate(R.Consumer);
  }
}

std::vector<DecodedLists> Dependencies::decodedLists() const {
  std::map<std::string, uint64_t> ByPattern;
  for (size_t I = 0; I < Decoded.size(); ++I)
    if (Decoded[I])
      ByPattern[What.Patterns[I]] += Decoded[I];
  std::vector<DecodedLists> Out;
  for (const auto &[Pattern, Requests] : ByPattern)
    Out.push_back({Pattern, Requests});
  return Out;
}

void Dependencies::complete(uint32_t Launch) {
  if (!Window.leavesInAnyOrder())
    openConsumers(Launch);
  Hardware.close(Launch);
  Spare.push_back(std::move(State[Launch]));
}

} // namespace blockmaestro::sim
