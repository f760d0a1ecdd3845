// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reorder.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace blockmaestro::sim {
namespace {

/// The new order, from one firm barrier to the next.
class Order {
public:
  explicit Order(const Workload &What)
      : What(What), Placed(What.Launches.size()) {}

  std::vector<uint32_t> issued() {
    const auto Count = uint32_t(What.Launches.size());
    for (uint32_t First = 0, Next = 0; First < Count; First = Next) {
      do
        ++Next;
      while (Next < Count && !What.Launches[Next].Firm);
      orderPart(First, Next);
    }
    return std::move(Issued);
  }

private:
  /// See Note [Moving launches together].
  void orderPart(uint32_t First, uint32_t Next) {
    Begin = Earliest = First;
    for (uint32_t I = First; I < Next; ++I)
      if (What.Launches[I].IsCopy && needed(I).empty())
        place(I);
    for (uint32_t I = First; I < Next; ++I)
      if (!What.Launches[I].IsCopy)
        placeWithNeeds(I);
    for (uint32_t I = First; I < Next; ++I)
      if (!Placed[I])
        place(I);
  }

  void place(uint32_t Node) {
    Issued.push_back(Node);
    Placed[Node] = 1;
    while (Earliest < Placed.size() && Placed[Earliest])
      ++Earliest;
  }

  /// All that a node needs directly, or of which that is not known, and that
  /// has no place yet.
  std::vector<uint32_t> needed(uint32_t Node) const {
    std::vector<uint32_t> Out;
    for (uint64_t I = Earliest; I + What.Window < Node; ++I)
      if (!Placed[I])
        Out.push_back(uint32_t(I));
    for (uint32_t Index : What.Launches[Node].In) {
      const WorkRelation &R = What.Relations[Index];
      if (R.Producer >= Begin && !Placed[R.Producer] &&
          !What.Expansions[R.Expanded].independent())
        Out.push_back(R.Producer);
    }
    return Out;
  }

  /// Also what is needed by what it needs; as issued they are in order.
  void placeWithNeeds(uint32_t Node) {
    std::vector<uint32_t> All = {Node};
    std::vector<uint8_t> Seen(Node + 1 - Begin);
    for (size_t I = 0; I < All.size(); ++I)
      for (uint32_t Each : needed(All[I]))
        if (!std::exchange(Seen[Each - Begin], 1))
          All.push_back(Each);
    std::sort(All.begin(), All.end());
    for (uint32_t Each : All)
      place(Each);
  }

  const Workload &What;
  std::vector<uint8_t> Placed;
  std::vector<uint32_t> Issued;
  uint32_t Begin = 0;    ///< Of the part.
  uint32_t Earliest = 0; ///< That has no place.
};

/// Adds relations between nodes that are nearer to each other than they were,
/// and so may be in flight together, though the recording relates none as far
/// apart as they were.
void relateUnknown(const std::vector<uint32_t> &Issued, Workload &To) {
  Expansion Whole;
  Whole.KernelLevel = true;
  To.Expansions.push_back(Whole);
  for (uint32_t Consumer = 0; Consumer < Issued.size(); ++Consumer)
    for (uint64_t Away = 1; Away <= std::min(Consumer, To.Window); ++Away) {
      const auto Producer = uint32_t(Consumer - Away);
      if (Issued[Consumer] > Issued[Producer] &&
          Issued[Consumer] - Issued[Producer] > To.Window)
        To.Relations.push_back({Producer, Consumer,
                                uint32_t(To.Expansions.size() - 1),
                                /*KernelLevel=*/true});
    }
}

/// Sets who relates to whom; the nearest producer first.
void attach(Workload &To) {
  std::sort(To.Relations.begin(), To.Relations.end(),
            [](const WorkRelation &A, const WorkRelation &B) {
              return std::tie(A.Consumer, B.Producer, A.Expanded) <
                     std::tie(B.Consumer, A.Producer, B.Expanded);
            });
  for (WorkLaunch &Each : To.Launches) {
    Each.In.clear();
    Each.Out.clear();
  }
  for (uint32_t I = 0; I < To.Relations.size(); ++I) {
    To.Launches[To.Relations[I].Consumer].In.push_back(I);
    To.Launches[To.Relations[I].Producer].Out.push_back(I);
  }
}

/// The host asks in its own order, and waits only where nothing may pass.
void moveCalls(const Workload &What, const std::vector<uint32_t> &Places,
               std::vector<HostCall> &Calls) {
  std::erase_if(Calls, [&](const HostCall &Each) {
    return Each.Waits && Each.Launch < What.Launches.size() &&
           !What.Launches[Each.Launch].Firm;
  });
  for (HostCall &Each : Calls)
    if (!Each.Waits)
      Each.Launch = Places[Each.Launch];
}

} // namespace

Reordered reorder(const Workload &What) {
  Reordered Out{What, Order(What).issued()};
  std::vector<uint32_t> Places(Out.Issued.size());
  for (uint32_t I = 0; I < Places.size(); ++I)
    Places[Out.Issued[I]] = I;
  std::vector<WorkLaunch> &Launches = Out.Queue.Launches;
  for (uint32_t I = 0; I < Places.size(); ++I) {
    WorkLaunch &Next = Launches[I];
    Next = What.Launches[Out.Issued[I]];
    Next.Barrier = Next.Firm = What.Launches[I].Firm;
    Next.Fence = What.Launches[I].Fence;
  }
  for (WorkRelation &R : Out.Queue.Relations) {
    R.Producer = Places[R.Producer];
    R.Consumer = Places[R.Consumer];
  }
  moveCalls(What, Places, Out.Queue.HostCalls);
  relateUnknown(Out.Issued, Out.Queue);
  attach(Out.Queue);
  return Out;
}

void restoreOrder(const std::vector<uint32_t> &Issued, SimulationReport &Of) {
  const std::vector<LaunchTimes> InQueue = Of.Launches;
  for (size_t I = 0; I < Issued.size(); ++I)
    Of.Launches[Issued[I]] = InQueue[I];
  for (BlockTimes &Each : Of.Timeline)
    Each.Launch = Issued[Each.Launch];
}

} // namespace blockmaestro::sim
