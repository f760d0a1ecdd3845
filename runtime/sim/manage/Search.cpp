// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Search.h"

#include "Jobs.h"
#include "Profile.h"

#include <algorithm>
#include <atomic>
#include <memory>

namespace blockmaestro::sim {
namespace {

/// What an application's blocks take at the least, whichever of its launches
/// they are of.
BlockSize leastSizeOf(const Application &Of, const Machine &On) {
  BlockSize Out = blockSizeOf(Of.Of->Launches.front(), On);
  for (const RecordedLaunch &Each : Of.Of->Launches) {
    const BlockSize Next = blockSizeOf(Each, On);
    Out.Threads = std::min(Out.Threads, Next.Threads);
    Out.Warps = std::min(Out.Warps, Next.Warps);
    Out.SharedBytes = std::min(Out.SharedBytes, Next.SharedBytes);
    Out.Registers = std::min(Out.Registers, Next.Registers);
  }
  return Out;
}

/// Adds shares of applications from the one behind Given on, in rising order.
void addShares(const std::vector<BlockSize> &Sizes, const Machine &On,
               const RoomTaken &Taken, bool WithBypass, Shares &Given,
               std::vector<Shares> &Out) {
  if (Given.size() == Sizes.size()) {
    Out.push_back(Given);
    return;
  }
  const BlockSize &One = Sizes[Given.size()];
  RoomTaken Now = Taken;
  for (uint32_t Blocks = 1; Now.hasRoomFor(One, On); ++Blocks) {
    Now.add(One);
    for (uint32_t Past = 0; Past <= (WithBypass ? Blocks : 0); ++Past) {
      Given.push_back({Blocks, Past});
      addShares(Sizes, On, Now, WithBypass, Given, Out);
      Given.pop_back();
    }
  }
}

/// Parts of the SMs, with as many blocks on these.
struct Parts {
  std::vector<uint32_t> SmsOf;
  Shares Limits;
};

/// Hill climbing over Parts, which remembers the best.
class Climb {
public:
  Climb(const Managed &What, Parts From) : What(What), Now(std::move(From)) {
    Report = run(Now);
  }

  /// Goes to the best of these if it is better than where the climb is.
  bool step(const std::vector<Parts> &To) {
    std::vector<RunReport> Reports(To.size());
    inParallel(To.size(), What.Jobs,
               [&](size_t I) { Reports[I] = run(To[I]); });
    Tried += To.size();
    const auto Best = std::max_element(
        Reports.begin(), Reports.end(), [](const auto &A, const auto &B) {
          return throughputOf(A.All) < throughputOf(B.All);
        });
    if (Best == Reports.end() ||
        throughputOf(Best->All) <= throughputOf(Report.All))
      return false;
    Now = To[size_t(Best - Reports.begin())];
    Report = std::move(*Best);
    return true;
  }

  const Parts &now() const { return Now; }
  ManagedRun take() && {
    return {{}, std::move(Report), Now.Limits, Now.SmsOf, Tried, {}};
  }

private:
  RunReport run(const Parts &Of) const {
    const std::unique_ptr<BlockPolicy> By = makePartition(Of.SmsOf, Of.Limits);
    return simulateTogether(What.Applications, What.On, *By, What.How);
  }

  const Managed &What;
  Parts Now;
  RunReport Report;
  uint64_t Tried = 0;
};

std::vector<Parts> withOneBlockLess(const Parts &Of, size_t Which) {
  if (Of.Limits[Which].Blocks == 1)
    return {};
  Parts Out = Of;
  --Out.Limits[Which].Blocks;
  return {Out};
}

std::vector<Parts> withOneSmMoved(const Parts &Of) {
  std::vector<Parts> Out;
  for (size_t From = 0; From < Of.SmsOf.size(); ++From)
    for (size_t To = 0; To < Of.SmsOf.size(); ++To)
      if (From != To && Of.SmsOf[From] > 1) {
        Parts &Next = Out.emplace_back(Of);
        --Next.SmsOf[From];
        ++Next.SmsOf[To];
      }
  return Out;
}

} // namespace

std::vector<Shares> allShares(const Managed &What, bool WithBypass) {
  std::vector<BlockSize> Sizes;
  for (const Application &Each : What.Applications)
    Sizes.push_back(leastSizeOf(Each, What.On));
  std::vector<Shares> Out;
  Shares Given;
  addShares(Sizes, What.On, {}, WithBypass, Given, Out);
  return Out;
}

ManagedRun bestShares(const Managed &What, bool WithBypass) {
  const std::vector<Shares> All = allShares(What, WithBypass);
  std::vector<RunReport> Reports(All.size());
  std::atomic<uint64_t> Least = Sm::Never;
  RunOptions How = What.How;
  if (How.Instructions == 0)
    How.GivenUpAfter = &Least;
  inParallel(All.size(), What.Jobs, [&](size_t I) {
    const std::unique_ptr<BlockPolicy> By = makeShares(All[I]);
    Reports[I] = simulateTogether(What.Applications, What.On, *By, How);
    const uint64_t Cycles = Reports[I].All.Cycles;
    for (uint64_t Known = Least; Cycles > 0 && Cycles < Known;)
      Least.compare_exchange_weak(Known, Cycles);
  });
  size_t Best = 0;
  for (size_t I = 1; I < All.size(); ++I)
    if (throughputOf(Reports[I].All) > throughputOf(Reports[Best].All))
      Best = I;
  return {{}, std::move(Reports[Best]), All[Best], {}, All.size() - 1, {}};
}

ManagedRun climbPartition(const Managed &What) {
  const size_t Count = What.Applications.size();
  Parts From;
  for (size_t I = 0; I < Count; ++I) {
    const size_t More = I < What.On.Sms % Count ? 1 : 0;
    From.SmsOf.push_back(uint32_t(What.On.Sms / Count + More));
    From.Limits.push_back({mostBlocks(What.Applications[I], What.On), 0});
  }
  Climb Way(What, From);
  for (size_t I = 0; I < Count; ++I)
    while (Way.step(withOneBlockLess(Way.now(), I)))
      ;
  while (Way.step(withOneSmMoved(Way.now())))
    ;
  return std::move(Way).take();
}

} // namespace blockmaestro::sim
