// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Management.h"

#include "Jobs.h"
#include "PairPolicy.h"
#include "Search.h"

#include <algorithm>
#include <array>
#include <memory>

namespace blockmaestro::sim {

static Status refused(const std::string &Why) {
  return {StatusCode::InvalidArgument, Why};
}

Status checkPolicy(const ManagedPolicy &By, const Managed &What) {
  const size_t Count = What.Applications.size();
  const std::string There = std::to_string(Count);
  if (By.Kind == PolicyKind::Fine && By.Limits.size() != Count)
    return refused("'" + By.Name + "' is for " +
                   std::to_string(By.Limits.size()) +
                   " applications, and there are " + There);
  if (By.Kind == PolicyKind::CoarseSmc && Count > What.On.Sms)
    return refused("'" + By.Name + "': " + There +
                   " applications have no SM each");
  if (By.Kind != PolicyKind::Best && By.Kind != PolicyKind::BestBypass)
    return {};
  constexpr size_t Most = 10000;
  const size_t Choices =
      allShares(What, By.Kind == PolicyKind::BestBypass).size();
  if (Choices == 0)
    return refused("'" + By.Name +
                   "': no blocks of all applications fit an SM together");
  if (Choices > Most)
    return refused("'" + By.Name + "' would try " + std::to_string(Choices) +
                   " choices, and " + std::to_string(Most) + " are the most");
  return {};
}

namespace {

/// Of the policies that start from profiles.
std::optional<PairRules> rulesOf(PolicyKind Kind) {
  switch (Kind) {
  case PolicyKind::Static:
    return PairRules{.What = Learns::Nothing};
  case PolicyKind::StaticShared:
    return PairRules{.What = Learns::Nothing, .BalancesUp = true};
  case PolicyKind::Dynamic:
    return PairRules{.What = Learns::Blocks};
  case PolicyKind::Bypass:
    return PairRules{.What = Learns::Bypass};
  case PolicyKind::BypassGuarded:
    return PairRules{.What = Learns::Bypass, .GuardsL1 = true};
  default:
    return std::nullopt;
  }
}

bool isSearched(PolicyKind Kind) {
  return Kind == PolicyKind::CoarseSmc || Kind == PolicyKind::Best ||
         Kind == PolicyKind::BestBypass;
}

/// What the policies rest on that start from profiles.
struct Categories {
  std::vector<Category> Of; ///< Each application.
  uint64_t Runs = 0;        ///< That it took to find them.
  uint64_t RunsPastL1 = 0;  ///< To find which gain from L1.
};

Categories categoriesOf(const Managed &What, bool WithL1) {
  Categories Out;
  for (const Application &Each : What.Applications) {
    const Profile Is = profileOf(Each, What.On, What.How, What.Jobs);
    Category &Next = Out.Of.emplace_back(categoryOf(Is, What.On));
    Out.Runs += Is.Runs;
    if (!WithL1)
      continue;
    Next.GainsFromL1 = gainsFromL1(Each, Is, What.On, What.How);
    ++Out.RunsPastL1;
  }
  return Out;
}

/// As far as any of the policies asks for them.
Categories categoriesFor(const std::vector<ManagedPolicy> &By,
                         const Managed &What) {
  bool AnyIsProfiled = false, AnyGuardsL1 = false;
  for (const ManagedPolicy &Each : By)
    if (const std::optional<PairRules> Rules = rulesOf(Each.Kind)) {
      AnyIsProfiled = true;
      AnyGuardsL1 |= Rules->GuardsL1;
    }
  return AnyIsProfiled ? categoriesOf(What, AnyGuardsL1) : Categories();
}

/// For the policies that one run is enough for.
std::unique_ptr<BlockPolicy>
makePolicy(const ManagedPolicy &Of, const Categories &By, LearningLog &Log) {
  if (const std::optional<PairRules> Rules = rulesOf(Of.Kind))
    return makePairs(By.Of, *Rules, &Log);
  switch (Of.Kind) {
  case PolicyKind::Sequential:
    return makeSequential();
  case PolicyKind::CoarseEven:
    return makePartition({}, {});
  case PolicyKind::Fine:
    return makeShares(Of.Limits);
  default:
    return makeLeftover();
  }
}

/// What two applications begin with, where anything is said.
Shares firstLimits(const Managed &What, const PairRules &Rules,
                   const Categories &By) {
  if (What.Applications.size() != 2)
    return {};
  PairSizes Sizes;
  for (uint32_t I = 0; I < 2; ++I)
    Sizes[I] = blockSizeOf(What.Applications[I].Of->Launches.front(), What.On);
  const std::array<Category, 2> Both = {By.Of[0], By.Of[1]};
  const std::optional<PairShares> Is = Rules.What == Learns::Nothing
                                           ? Rules.fixed(Both, Sizes, What.On)
                                           : firstShares(Both, Sizes, What.On);
  return Is ? Shares(Is->begin(), Is->end()) : Shares();
}

ManagedRun runOne(const Managed &What, const ManagedPolicy &By,
                  const Categories &Of) {
  ManagedRun Out;
  LearningLog Log;
  const std::unique_ptr<BlockPolicy> Policy = makePolicy(By, Of, Log);
  Out.Report = simulateTogether(What.Applications, What.On, *Policy, What.How);
  Out.Limits = By.Limits;
  const std::optional<PairRules> Rules = rulesOf(By.Kind);
  if (!Rules)
    return Out;
  if (Rules->What != Learns::Nothing)
    Out.Learned = std::move(Log);
  Out.Limits = firstLimits(What, *Rules, Of);
  Out.Tried = Of.Runs + (Rules->GuardsL1 ? Of.RunsPastL1 : 0);
  return Out;
}

ManagedRun search(const Managed &What, PolicyKind Kind) {
  return Kind == PolicyKind::CoarseSmc
             ? climbPartition(What)
             : bestShares(What, Kind == PolicyKind::BestBypass);
}

} // namespace

std::vector<ManagedRun> runManaged(const Managed &What,
                                   const std::vector<ManagedPolicy> &By) {
  std::vector<ManagedRun> Out(By.size());
  const Categories Of = categoriesFor(By, What);
  inParallel(By.size(), What.Jobs, [&](size_t I) {
    if (!isSearched(By[I].Kind))
      Out[I] = runOne(What, By[I], Of);
  });
  for (size_t I = 0; I < By.size(); ++I) {
    if (isSearched(By[I].Kind))
      Out[I] = search(What, By[I].Kind);
    Out[I].Policy = By[I].Name;
  }
  return Out;
}

} // namespace blockmaestro::sim
