// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Policies.h"

#include <algorithm>

namespace blockmaestro::sim {

std::vector<uint32_t> unended(const RunState &Of) {
  std::vector<uint32_t> Out;
  for (uint32_t A = 0; A < Of.Applications.size(); ++A)
    if (!Of.Applications[A].hasEnded())
      Out.push_back(A);
  return Out;
}

std::optional<uint32_t> firstBegun(const RunState &Of, uint32_t Sm,
                                   const std::vector<uint32_t> &Some) {
  std::optional<uint32_t> First;
  for (uint32_t A : Some)
    if (Of.Applications[A].Left > 0 &&
        (!First || Of.Applications[A].Since < Of.Applications[*First].Since))
      First = A;
  return First && Of.canGive(*First, Sm) ? First : std::nullopt;
}

std::optional<uint32_t> fewestWithin(const RunState &Of, uint32_t Sm,
                                     const std::vector<uint32_t> &Some,
                                     const Shares &Limits) {
  const std::vector<Residents> &Here = Of.Sms[Sm].Of;
  std::optional<uint32_t> Out;
  for (uint32_t A : Some)
    if ((Limits.empty() || Here[A].Blocks < Limits[A].Blocks) &&
        Of.canGive(A, Sm) && (!Out || Here[A].Blocks < Here[*Out].Blocks))
      Out = A;
  return Out;
}

namespace {

class Sequential final : public BlockPolicy {
public:
  std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) override {
    for (uint32_t A = 0; A < Of.Applications.size(); ++A)
      if (!Of.Applications[A].hasEnded())
        return Of.canGive(A, Sm) ? std::optional<uint32_t>(A) : std::nullopt;
    return std::nullopt;
  }
};

class Leftover final : public BlockPolicy {
public:
  std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) override {
    return firstBegun(Of, Sm, unended(Of));
  }
};

class Partition final : public BlockPolicy {
public:
  Partition(std::vector<uint32_t> SmsOf, Shares Limits)
      : SmsOf(std::move(SmsOf)), Limits(std::move(Limits)) {}

  void launchesChanged(const RunState &Of) override;
  std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) override;

private:
  std::vector<uint32_t> SmsOf;
  Shares Limits;
  std::vector<uint32_t> Owner; ///< Of each SM.
};

/// So many SMs, in even parts among some applications, which use at most
/// Most; what none uses is the last one's.
std::vector<uint32_t> evenParts(uint32_t Sms, const std::vector<uint32_t> &Some,
                                const std::vector<uint64_t> &Most) {
  std::vector<uint32_t> Out(Most.size());
  std::vector<uint32_t> Open = Some;
  while (Sms > 0 && !Open.empty()) {
    const auto Part = std::max(1u, uint32_t(Sms / Open.size()));
    for (uint32_t A : Open) {
      const uint64_t More = std::min<uint64_t>({Sms, Part, Most[A] - Out[A]});
      Out[A] += uint32_t(More);
      Sms -= uint32_t(More);
    }
    std::erase_if(Open, [&](uint32_t A) { return Out[A] == Most[A]; });
  }
  if (!Some.empty())
    Out[Some.back()] += Sms;
  return Out;
}

void Partition::launchesChanged(const RunState &Of) {
  const std::vector<uint32_t> Some = unended(Of);
  const auto Sms = uint32_t(Of.Sms.size());
  if (Some.size() == 1)
    Limits.clear();
  std::vector<uint32_t> Parts = SmsOf;
  if (Parts.empty() || Some.size() < Of.Applications.size()) {
    std::vector<uint64_t> Most(Of.Applications.size());
    for (uint32_t A : Some)
      Most[A] = Of.Applications[A].Launch->Grid.count();
    Parts = evenParts(Sms, Some, Most);
  }
  Owner.clear();
  for (uint32_t A = 0; A < Parts.size(); ++A)
    Owner.insert(Owner.end(), Parts[A], A);
}

std::optional<uint32_t> Partition::next(const RunState &Of, uint32_t Sm) {
  if (Sm >= Owner.size())
    return std::nullopt;
  return fewestWithin(Of, Sm, {Owner[Sm]}, Limits);
}

class FixedShares final : public BlockPolicy {
public:
  explicit FixedShares(Shares Given) : Limits(std::move(Given)) {}

  void launchesChanged(const RunState &Of) override {
    Some = unended(Of);
    if (Some.size() == 1 && Limits.size() > 1)
      Limits[Some[0]] = {};
  }

  std::optional<uint32_t> next(const RunState &Of, uint32_t Sm) override {
    return fewestWithin(Of, Sm, Some, Limits);
  }

  bool bypasses(const RunState &Of, uint32_t A, uint32_t Sm) override {
    return Of.Sms[Sm].Of[A].Bypassing < Limits[A].Bypassing;
  }

private:
  Shares Limits;
  std::vector<uint32_t> Some;
};

} // namespace

std::unique_ptr<BlockPolicy> makeSequential() {
  return std::make_unique<Sequential>();
}

std::unique_ptr<BlockPolicy> makeLeftover() {
  return std::make_unique<Leftover>();
}

std::unique_ptr<BlockPolicy> makePartition(std::vector<uint32_t> SmsOf,
                                           Shares Limits) {
  return std::make_unique<Partition>(std::move(SmsOf), std::move(Limits));
}

std::unique_ptr<BlockPolicy> makeShares(Shares Limits) {
  return std::make_unique<FixedShares>(std::move(Limits));
}

} // namespace blockmaestro::sim
