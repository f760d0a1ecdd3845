// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HoldChoice.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro {

/// Of the last stretches, without those that took longest: something else may
/// have happened in these.
HoldChoice::Time HoldChoice::Times::usual() const {
  constexpr auto Kept = Compared - Compared / 4;
  std::array<Time, Compared> Sorted = Last;
  std::sort(Sorted.begin(), Sorted.end());
  return std::accumulate(Sorted.begin(), Sorted.begin() + Kept, Time(0)) / Kept;
}

/// To hold works has to gain something: what goes one by one the device has at
/// once.
bool HoldChoice::isFaster(bool Way) const {
  const bool HeldGains = 100 * Of[false].usual() < 97 * Of[true].usual();
  return Way != HeldGains;
}

/// Whether a stretch of the way that was chosen counts.
bool HoldChoice::counts(HoldGain Gain) {
  if (Straight || Gain == HoldGain::Little)
    return true;
  if (Gain == HoldGain::Much)
    Count = Idle = 0;
  else
    ++Idle;
  return Gain == HoldGain::None && Idle % IdleForOne == 0;
}

void HoldChoice::took(Time Whole, size_t Works, HoldGain Gain) {
  const bool Way = goesStraight();
  Of[Way].add(Whole / static_cast<long>(Works));
  Longest = std::max(Longest, Works);
  Count += Trying || counts(Gain);
  if (Count < (Trying ? Compared : Patience))
    return;
  if (Trying) {
    Straight = isFaster(Way) ? Way : !Way;
    Patience = std::min(2 * Patience, MostPatience);
  }
  Trying = !Trying;
  Count = 0;
}

bool HoldChoices::begin(const NodeKind &First) {
  return beginWith(First).goesStraight();
}

/// What was chosen is forgotten where this stretch is another.
bool HoldChoices::goesOn(size_t Works) {
  const bool Same = now() && Works < MostWorks && now()->isLike(Works + 1);
  if (!Same && now())
    *takeNow() = HoldChoice();
  return Same;
}

void HoldChoices::ended(HoldChoice::Time Took, size_t Works, HoldGain Gain) {
  HoldChoice *Of = takeNow();
  if (Of && Works <= MostWorks)
    Of->took(Took, Works, Gain);
}

} // namespace blockmaestro
