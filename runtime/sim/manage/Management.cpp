// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Management.h"

#include "Jobs.h"

#include <memory>

namespace blockmaestro::sim {

static Status refused(const std::string &Why) {
  return {StatusCode::InvalidArgument, Why};
}

Status checkPolicy(const ManagedPolicy &By, const Managed &What) {
  const size_t Count = What.Applications.size();
  if (By.Kind == PolicyKind::Fine && By.Limits.size() != Count)
    return refused("'" + By.Name + "' is for " +
                   std::to_string(By.Limits.size()) +
                   " applications, and there are " + std::to_string(Count));
  return {};
}

namespace {

/// For the policies that need no other run; null for the others.
std::unique_ptr<BlockPolicy> makePlain(const ManagedPolicy &Of) {
  switch (Of.Kind) {
  case PolicyKind::Sequential:
    return makeSequential();
  case PolicyKind::Leftover:
    return makeLeftover();
  case PolicyKind::CoarseEven:
    return makePartition({}, {});
  case PolicyKind::Fine:
    return makeShares(Of.Limits);
  default:
    return nullptr;
  }
}

} // namespace

std::vector<ManagedRun> runManaged(const Managed &What,
                                   const std::vector<ManagedPolicy> &By) {
  std::vector<ManagedRun> Out(By.size());
  inParallel(By.size(), What.Jobs, [&](size_t I) {
    std::unique_ptr<BlockPolicy> Plain = makePlain(By[I]);
    Out[I].Policy = By[I].Name;
    Out[I].Limits = By[I].Limits;
    if (Plain)
      Out[I].Report =
          simulateTogether(What.Applications, What.On, *Plain, What.How);
  });
  return Out;
}

} // namespace blockmaestro::sim
