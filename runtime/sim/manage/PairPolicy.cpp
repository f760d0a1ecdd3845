// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PairPolicy.h"

#include <algorithm>

namespace blockmaestro::sim {

Category categoryOf(const Profile &Of, const Machine &On) {
  const WarpCounts &C = Of.best().Counts;
  Category Out = {Of.Type, Of.Best, spUse(C, On) > memoryUse(C, On), {}, true};
  double Most = 0;
  for (const ProfilePoint &Each : Of.Points)
    Most = std::max(Most, throughputOf(Each.Counts));
  for (const ProfilePoint &Each : Of.Points)
    Out.Speed.push_back(Most > 0 ? throughputOf(Each.Counts) / Most : 1);
  return Out;
}

/// How many blocks of Other fit beside so many of One.
static uint32_t remaining(const BlockSize &One, uint32_t Blocks,
                          const BlockSize &Other, const Machine &On) {
  RoomTaken Taken;
  for (uint32_t I = 0; I < Blocks && Taken.hasRoomFor(One, On); ++I)
    Taken.add(One);
  return roomFor(Other, Taken, On);
}

std::optional<PairShares> staticShares(const std::array<Category, 2> &Of,
                                       const PairSizes &Sizes,
                                       const Machine &On) {
  const auto Rank = [](KernelType Is) {
    return Is == KernelType::Down ? 0 : Is == KernelType::Optimal ? 1 : 2;
  };
  const uint32_t A = Rank(Of[1].Type) < Rank(Of[0].Type) ? 1 : 0;
  const uint32_t B = 1 - A;
  if (Of[A].Type == KernelType::Up)
    return std::nullopt;
  PairShares Out;
  Out[A].Blocks = Of[A].Best;
  const uint32_t Room = remaining(Sizes[A], Of[A].Best, Sizes[B], On);
  if (Of[B].Type == KernelType::Up)
    Out[B].Blocks = Room;
  else if (Of[A].Type == KernelType::Down && Of[B].Type == KernelType::Down)
    Out[B].Blocks = Of[B].Best;
  else
    Out[B].Blocks = std::min(Room, Of[B].Best);
  return Out;
}

/// With so many blocks on an SM; more than were measured change nothing.
static double speedWith(const Category &Of, uint32_t Blocks) {
  return Of.Speed[std::min<size_t>(Blocks, Of.Speed.size()) - 1];
}

std::optional<PairShares> balancedShares(const std::array<Category, 2> &Of,
                                         const PairSizes &Sizes,
                                         const Machine &On) {
  std::optional<PairShares> Out;
  std::pair<double, double> Best; // The slower one, then the other.
  for (uint32_t A = 1; A <= roomFor(Sizes[0], {}, On); ++A)
    for (uint32_t B = 1; B <= remaining(Sizes[0], A, Sizes[1], On); ++B) {
      const std::pair<double, double> Speeds =
          std::minmax({speedWith(Of[0], A), speedWith(Of[1], B)});
      if (Out && Speeds <= Best)
        continue;
      Best = Speeds;
      Out = {Share{A, 0}, Share{B, 0}};
    }
  return Out;
}

std::optional<PairShares> PairRules::fixed(const std::array<Category, 2> &Of,
                                           const PairSizes &Sizes,
                                           const Machine &On) const {
  const std::optional<PairShares> Out = staticShares(Of, Sizes, On);
  return Out || !BalancesUp ? Out : balancedShares(Of, Sizes, On);
}

std::optional<PairShares> firstShares(const std::array<Category, 2> &Of,
                                      const PairSizes &Sizes,
                                      const Machine &On) {
  std::optional<PairShares> Is = staticShares(Of, Sizes, On);
  PairShares Out;
  if (Is)
    Out = *Is;
  else
    Out[0].Blocks = std::max(1u, roomFor(Sizes[0], {}, On) / 2);
  for (uint32_t &Blocks = Out[0].Blocks; Blocks > 0; --Blocks) {
    Blocks = std::min(Blocks, roomFor(Sizes[0], {}, On));
    const uint32_t Room = remaining(Sizes[0], Blocks, Sizes[1], On);
    if (Room == 0)
      continue;
    Out[1].Blocks = Is ? std::clamp(Out[1].Blocks, 1u, Room) : Room;
    return Out;
  }
  return std::nullopt;
}

namespace {

class PairPolicy final : public BlockPolicy {
public:
  PairPolicy(std::vector<Category> Given, PairRules By, LearningLog *Log)
      : Of(std::move(Given)), By(By), Log(Log) {}

  void launchesChanged(const RunState &State) override;
  std::optional<uint32_t> next(const RunState &State, uint32_t Sm) override;
  bool bypasses(const RunState &State, uint32_t A, uint32_t Sm) override;
  void blockGiven(const RunState &State, const PlacedBlock &Which) override;
  void blockEnded(const RunState &State, const PlacedBlock &Which) override;

private:
  bool choosePair(const RunState &State);
  uint32_t partnerFor(const std::vector<uint32_t> &Waiting,
                      std::optional<uint32_t> Left) const;
  void share(const RunState &State);
  PastL1 triedPastL1() const;
  Shares sharesOn(uint32_t Sm) const;
  PairOnSm pairOn(const RunState &State, uint32_t Sm) const;
  PairSample sampleOf(const RunState &State, uint32_t Sm) const;
  void learn(const RunState &State, uint32_t Sm);

  std::vector<Category> Of; ///< Each application.
  PairRules By;
  LearningLog *Log;
  std::vector<uint32_t> Pair; ///< Two, or the last one.
  PairSizes Sizes;
  std::optional<PairShares> Fixed; ///< While nothing is learned.
  std::vector<SmLearner> Learners; ///< Of each SM, while something is.
};

uint32_t PairPolicy::partnerFor(const std::vector<uint32_t> &Waiting,
                                std::optional<uint32_t> Left) const {
  for (uint32_t A : Waiting)
    if (Left ? Of[A].PrefersSp != Of[*Left].PrefersSp
             : Of[A].Type != KernelType::Up)
      return A;
  return Waiting.front();
}

/// Fills the pair up; whether it has changed.
bool PairPolicy::choosePair(const RunState &State) {
  const std::vector<uint32_t> Before = Pair;
  std::erase_if(Pair,
                [&](uint32_t A) { return State.Applications[A].hasEnded(); });
  std::vector<uint32_t> Waiting = unended(State);
  if (Waiting.size() <= 2) {
    Pair = Waiting;
    return Pair != Before;
  }
  while (Pair.size() < 2) {
    std::erase_if(Waiting, [&](uint32_t A) {
      return std::find(Pair.begin(), Pair.end(), A) != Pair.end();
    });
    Pair.push_back(partnerFor(Waiting, Pair.empty() ? std::nullopt
                                                    : std::optional(Pair[0])));
  }
  return Pair != Before;
}

void PairPolicy::launchesChanged(const RunState &State) {
  const bool IsOther = choosePair(State);
  if (Pair.size() < 2) {
    Fixed.reset();
    Learners.clear();
    return;
  }
  const PairSizes Now = {State.Applications[Pair[0]].Block,
                         State.Applications[Pair[1]].Block};
  if (!IsOther && Now == Sizes)
    return;
  Sizes = Now;
  share(State);
}

PastL1 PairPolicy::triedPastL1() const {
  PastL1 Out;
  for (uint32_t I = 0; I < 2; ++I)
    Out[I] =
        By.What == Learns::Bypass && !(By.GuardsL1 && Of[Pair[I]].GainsFromL1);
  return Out;
}

/// The shares that the pair begins with.
void PairPolicy::share(const RunState &State) {
  const std::array<Category, 2> Both = {Of[Pair[0]], Of[Pair[1]]};
  if (By.What == Learns::Nothing) {
    Fixed = By.fixed(Both, Sizes, *State.On);
    return;
  }
  Fixed.reset();
  const std::optional<PairShares> First = firstShares(Both, Sizes, *State.On);
  if (!First) {
    Learners.clear();
    return;
  }
  Learners.resize(State.Sms.size(), SmLearner(*State.On));
  for (SmLearner &Each : Learners)
    Each.restart(*First, triedPastL1());
}

/// Of the two, by the numbers of the applications; empty where nothing is said.
Shares PairPolicy::sharesOn(uint32_t Sm) const {
  if (Learners.empty() && !Fixed)
    return {};
  const PairShares &Is = Learners.empty() ? *Fixed : Learners[Sm].shares();
  Shares Out(Of.size());
  for (uint32_t I = 0; I < 2; ++I)
    Out[Pair[I]] = Is[I];
  return Out;
}

std::optional<uint32_t> PairPolicy::next(const RunState &State, uint32_t Sm) {
  const Shares Limits = sharesOn(Sm);
  return Limits.empty() ? firstBegun(State, Sm, Pair)
                        : fewestWithin(State, Sm, Pair, Limits);
}

bool PairPolicy::bypasses(const RunState &State, uint32_t A, uint32_t Sm) {
  const Shares Limits = sharesOn(Sm);
  return !Limits.empty() && State.Sms[Sm].Of[A].Bypassing < Limits[A].Bypassing;
}

PairOnSm PairPolicy::pairOn(const RunState &State, uint32_t Sm) const {
  const std::vector<Residents> &Has = State.Sms[Sm].Of;
  return {{Has[Pair[0]], Has[Pair[1]]}, Sizes};
}

PairSample PairPolicy::sampleOf(const RunState &State, uint32_t Sm) const {
  const SmSample Is = State.Sample(Sm);
  PairSample Out;
  Out.Time = Is.Time;
  Out.Stalls =
      Is.Stalls[size_t(Stall::Structural)] + Is.Stalls[size_t(Stall::Memory)];
  for (uint32_t I = 0; I < 2; ++I) {
    const auto &Kept = Is.Of[Pair[I]].Kept;
    Out.Sp[I] = Kept[size_t(Unit::Integer)] + Kept[size_t(Unit::Single)] +
                Kept[size_t(Unit::Product)];
    Out.LdSt[I] = Kept[size_t(Unit::Memory)];
  }
  return Out;
}

void PairPolicy::learn(const RunState &State, uint32_t Sm) {
  SmLearner &Learner = Learners[Sm];
  const std::optional<SamplingPeriod> Over =
      Learner.step(pairOn(State, Sm), [&] { return sampleOf(State, Sm); });
  if (!Over || !Log)
    return;
  ++Log->Periods;
  Log->Changes += Learner.shares() != Over->Limits;
  if (Sm == 0)
    Log->OfFirstSm.push_back(*Over);
}

void PairPolicy::blockGiven(const RunState &State, const PlacedBlock &Which) {
  if (Learners.empty())
    return;
  Learners[Which.Sm].given(Which.Place);
  learn(State, Which.Sm);
}

void PairPolicy::blockEnded(const RunState &State, const PlacedBlock &Which) {
  if (Learners.empty())
    return;
  Learners[Which.Sm].ended(Which.Place);
  learn(State, Which.Sm);
}

} // namespace

std::unique_ptr<BlockPolicy> makePairs(std::vector<Category> Of, PairRules By,
                                       LearningLog *Log) {
  return std::make_unique<PairPolicy>(std::move(Of), By, Log);
}

} // namespace blockmaestro::sim
