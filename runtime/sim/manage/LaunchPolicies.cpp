// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchPolicies.h"

#include "Jobs.h"
#include "PolicyNames.h"

#include <algorithm>

namespace blockmaestro::sim {

const std::vector<LaunchPolicyRow> &launchPolicyRows() {
  static const std::vector<LaunchPolicyRow> Rows = {
      {"sequential", LaunchPolicyKind::Sequential,
       "overlap: one launch after the other"},
      {"oldest", LaunchPolicyKind::Oldest,
       "overlap: of the earliest launch that has a block for an SM (default)"},
      {"newest", LaunchPolicyKind::Newest,
       "overlap: of the latest that has one"},
      {"even", LaunchPolicyKind::Even,
       "overlap: of the launch with the fewest blocks on the SM"},
      {"apart", LaunchPolicyKind::Apart,
       "overlap: launches have SMs of their own while blocks may start"},
  };
  return Rows;
}

static Status unknownLaunchPolicy(std::string_view Name) {
  std::string Names;
  for (const LaunchPolicyRow &Each : launchPolicyRows())
    Names += std::string(Each.Name) + ", ";
  return {StatusCode::InvalidArgument, "no policy '" + std::string(Name) +
                                           "' of overlap: " + Names +
                                           "fine:A,B, all"};
}

Result<std::vector<LaunchPolicy>> parseLaunchPolicies(std::string_view Name) {
  std::vector<LaunchPolicy> Out;
  if (Name.starts_with("fine:") && Name.find('+') == std::string_view::npos) {
    Result<std::vector<ManagedPolicy>> Fine = parsePolicies(Name);
    if (!Fine.ok())
      return unknownLaunchPolicy(Name);
    Out.push_back(
        {LaunchPolicyKind::Fine, Fine->front().Limits, std::string(Name)});
    return Out;
  }
  for (const LaunchPolicyRow &Each : launchPolicyRows())
    if (Name == "all" || Name == Each.Name)
      Out.push_back({Each.Kind, {}, Each.Name});
  if (Out.empty())
    return unknownLaunchPolicy(Name);
  return Out;
}

namespace {

class OfLaunches final : public BlockPolicy {
public:
  OfLaunches(LaunchPolicyKind Kind, Shares Limits)
      : Kind(Kind), Limits(std::move(Limits)) {}

  /// Those in flight, by when they were issued.
  void launchesChanged(const RunState &Of) override {
    Order = unended(Of);
    std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
      return Of.Applications[A].Launch->Id < Of.Applications[B].Launch->Id;
    });
    Parts = {};
    if (Kind == LaunchPolicyKind::Fine && Order.size() > 1) {
      Parts.resize(Of.Applications.size());
      for (size_t I = 0; I < Order.size(); ++I)
        Parts[Order[I]] = Limits[I];
    }
  }

  std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) override {
    switch (Kind) {
    case LaunchPolicyKind::Newest:
      return firstOf(Of, Sm, Order.rbegin(), Order.rend());
    case LaunchPolicyKind::Even:
    case LaunchPolicyKind::Fine:
      return fewestWithin(Of, Sm, Order, Parts);
    case LaunchPolicyKind::Apart:
      return ownersFirst(Of, Sm);
    default:
      return firstOf(Of, Sm, Order.begin(), Order.end());
    }
  }

private:
  template <typename Iterator>
  static std::optional<uint32_t> firstOf(const RunState &Of, uint32_t Sm,
                                         Iterator Begin, Iterator End) {
    const auto Is =
        std::find_if(Begin, End, [&](uint32_t A) { return Of.canGive(A, Sm); });
    return Is == End ? std::nullopt : std::optional<uint32_t>(*Is);
  }

  /// Others only where the launch that an SM belongs to has no block that may
  /// start.
  std::optional<uint32_t> ownersFirst(const RunState &Of, uint32_t Sm) const {
    if (Order.empty())
      return std::nullopt;
    const uint32_t Owner = Order[Sm * Order.size() / Of.Sms.size()];
    if (Of.Applications[Owner].Ready > 0)
      return Of.canGive(Owner, Sm) ? std::optional<uint32_t>(Owner)
                                   : std::nullopt;
    return firstOf(Of, Sm, Order.begin(), Order.end());
  }

  const LaunchPolicyKind Kind;
  const Shares Limits;
  std::vector<uint32_t> Order;
  Shares Parts; ///< Limits, by the slots of the launches in flight.
};

} // namespace

std::unique_ptr<BlockPolicy> makeLaunchPolicy(const LaunchPolicy &Of) {
  return std::make_unique<OfLaunches>(Of.Kind, Of.Limits);
}

Status checkPolicy(const LaunchPolicy &By, const Overlapped &Of) {
  const uint32_t InFlight = std::min(Of.InFlight, Of.Graph.Window + 1);
  if (By.Kind == LaunchPolicyKind::Fine && By.Limits.size() != InFlight)
    return {StatusCode::InvalidArgument,
            "'" + By.Name + "' is for " + std::to_string(By.Limits.size()) +
                " launches in flight, and there are " +
                std::to_string(InFlight)};
  return {};
}

std::vector<ManagedRun> runOverlapped(const Overlapped &Of,
                                      const std::vector<LaunchPolicy> &By) {
  std::vector<ManagedRun> Out(By.size());
  inParallel(By.size(), Of.What.Jobs, [&](size_t I) {
    const bool IsOne = By[I].Kind == LaunchPolicyKind::Sequential;
    Overlap Between(Of.Graph, IsOne ? 1 : Of.InFlight);
    RunOptions How = Of.What.How;
    How.Between = &Between;
    const std::unique_ptr<BlockPolicy> Policy = makeLaunchPolicy(By[I]);
    Out[I].Policy = By[I].Name;
    Out[I].Limits = By[I].Limits;
    Out[I].Report =
        simulateTogether(Of.What.Applications, Of.What.On, *Policy, How);
  });
  return Out;
}

} // namespace blockmaestro::sim
