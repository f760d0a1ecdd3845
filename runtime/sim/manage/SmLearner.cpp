// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SmLearner.h"

#include <algorithm>

namespace blockmaestro::sim {

void SmLearner::restart(const PairShares &From, PastL1 OfWhich) {
  std::set<uint32_t> Places = std::move(Here);
  *this = SmLearner(*On);
  Here = std::move(Places);
  Now = From;
  Tried = OfWhich;
}

bool SmLearner::isAsShared(const PairOnSm &Of) const {
  for (uint32_t I = 0; I < 2; ++I)
    if (Of.Has[I].Blocks != Now[I].Blocks ||
        Of.Has[I].Bypassing != Now[I].Bypassing)
      return false;
  return true;
}

std::optional<SamplingPeriod>
SmLearner::step(const PairOnSm &Of,
                const std::function<PairSample()> &Counted) {
  std::optional<SamplingPeriod> Out;
  if (IsSampling && Sampled.empty()) {
    IsSampling = false;
    Out = {Now, Begin, Counted()};
    learn(Of, Out->End);
  }
  if (!IsSampling && isAsShared(Of)) {
    IsSampling = true;
    Sampled = Here;
    Begin = Counted();
  }
  return Out;
}

void SmLearner::learn(const PairOnSm &Of, const PairSample &Until) {
  const double Cycles = double(std::max<uint64_t>(1, Until.Time - Begin.Time));
  std::array<Use, 2> Current;
  for (uint32_t I = 0; I < 2; ++I)
    Current[I] = {double(Until.Sp[I] - Begin.Sp[I]) / Cycles,
                  double(Until.LdSt[I] - Begin.LdSt[I]) / Cycles};
  if (learnsBypass())
    learnBypass(Until.Stalls - Begin.Stalls);
  else if (HasHistory)
    learnBlocks(Of, Current);
  remember(Current);
}

/// Pipelines are remembered as the mean of what was remembered and what is.
void SmLearner::remember(const std::array<Use, 2> &Current) {
  for (uint32_t I = 0; I < 2; ++I)
    History[I] = HasHistory ? Use{(History[I].Sp + Current[I].Sp) / 2,
                                  (History[I].LdSt + Current[I].LdSt) / 2}
                            : Current[I];
  HasHistory = true;
}

/// What was not used and is now has grown.
static double ratio(double A, double B) {
  if (B > 0)
    return A / B;
  return A > 0 ? 2 : 1;
}

void SmLearner::learnBlocks(const PairOnSm &Of,
                            const std::array<Use, 2> &Current) {
  const double OfSp =
      ratio(Current[0].Sp + Current[1].Sp, History[0].Sp + History[1].Sp);
  const double OfLdSt = ratio(Current[0].LdSt + Current[1].LdSt,
                              History[0].LdSt + History[1].LdSt);
  if (OfSp > 1 && OfLdSt > 1)
    return;
  const bool SpIsCritical = OfSp <= OfLdSt;
  const bool SecondPrefersSp = ratio(History[1].Sp, History[1].LdSt) >
                               ratio(History[0].Sp, History[0].LdSt);
  giveOneMore(Of, SpIsCritical == SecondPrefersSp ? 1 : 0);
}

/// Takes blocks from the other one as far as need be.
void SmLearner::giveOneMore(const PairOnSm &Of, uint32_t Which) {
  const uint32_t Other = 1 - Which;
  RoomTaken Taken;
  for (uint32_t I = 0; I <= Now[Which].Blocks; ++I) {
    if (!Taken.hasRoomFor(Of.Size[Which], *On))
      return;
    Taken.add(Of.Size[Which]);
  }
  const uint32_t Left =
      std::min(Now[Other].Blocks, roomFor(Of.Size[Other], Taken, *On));
  if (Left == 0)
    return;
  ++Now[Which].Blocks;
  Now[Other].Blocks = Left;
  Now[Other].Bypassing = std::min(Now[Other].Bypassing, Left);
}

bool SmLearner::learnsBypass() const {
  return (Tried[0] || Tried[1]) && Phase != Bypassing::Learned;
}

void SmLearner::learnBypass(uint64_t Stalls) {
  switch (Phase) {
  case Bypassing::None:
    StallsOfNone = Stalls;
    tryFirst(Tried[0] ? 0 : 1);
    break;
  case Bypassing::First:
    StallsOf[0] = Stalls;
    Now[0].Bypassing = 0;
    if (Tried[1])
      tryFirst(1);
    else
      chooseBypassed();
    break;
  case Bypassing::Second:
    StallsOf[1] = Stalls;
    chooseBypassed();
    break;
  case Bypassing::More: {
    const uint32_t Which = Now[0].Bypassing > 0 ? 0 : 1;
    if (Stalls < StallsOf[Which]) {
      StallsOf[Which] = Stalls;
      tryOneMore(Which);
      break;
    }
    --Now[Which].Bypassing;
    Phase = Bypassing::Learned;
    break;
  }
  case Bypassing::Learned:
    break;
  }
}

/// A first block past L1.
void SmLearner::tryFirst(uint32_t Which) {
  Now[Which].Bypassing = 1;
  Phase = Which == 0 ? Bypassing::First : Bypassing::Second;
}

void SmLearner::chooseBypassed() {
  const uint32_t Which = StallsOf[0] <= StallsOf[1] ? 0 : 1;
  Now[0].Bypassing = Now[1].Bypassing = 0;
  Phase = Bypassing::Learned;
  if (StallsOfNone <= StallsOf[Which])
    return;
  Now[Which].Bypassing = 1;
  tryOneMore(Which);
}

void SmLearner::tryOneMore(uint32_t Which) {
  if (Now[Which].Bypassing == Now[Which].Blocks) {
    Phase = Bypassing::Learned;
    return;
  }
  ++Now[Which].Bypassing;
  Phase = Bypassing::More;
}

} // namespace blockmaestro::sim
