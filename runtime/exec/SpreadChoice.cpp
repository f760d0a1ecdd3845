// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpreadChoice.h"

#include <algorithm>
#include <numeric>

namespace blockmaestro {

/// Something else may have happened in the slowest.
SpreadChoice::Time SpreadChoice::Times::usual() const {
  const Time Slowest = *std::max_element(Last.begin(), Last.end());
  const Time Sum = std::accumulate(Last.begin(), Last.end(), Time(0));
  return (Sum - Slowest) / long(Compared - 1);
}

/// Works go this way until the other is tried again.
void SpreadChoice::settle(bool Way) {
  Spread = Way;
  Timing = false;
  Stretches = Vain = 0;
}

/// To spread works has to gain something.
void SpreadChoice::choose() {
  settle(100 * Beside.usual() < 98 * InOrder.usual());
  InOrder.Count = Beside.Count = 0;
}

void SpreadChoice::took(Time Whole, size_t Works, uint64_t WentBeside) {
  ++Stretches;
  if (!Timing) {
    if (Stretches < Patience)
      return;
    Patience = std::min(2 * Patience, MostPatience);
    Timing = Spread = true;
    Stretches = Vain = 0;
    ToSkip = 1;
    return;
  }
  Vain = Spread && WentBeside == 0 ? Vain + 1 : Spread ? 0 : Vain;
  if (Vain == MostInVain)
    return settle(false);
  if (Vain > 0)
    return;
  if (ToSkip > 0) {
    --ToSkip;
    return;
  }
  (Spread ? Beside : InOrder).add(Whole / long(Works));
  Spread = !Spread;
  if (std::min(Beside.Count, InOrder.Count) == Compared)
    choose();
}

bool SpreadChoices::begin(const NodeKind &First) {
  return beginWith(First).spreads();
}

void SpreadChoices::ended(SpreadChoice::Time Took, size_t Works,
                          uint64_t Beside) {
  if (SpreadChoice *Of = takeNow())
    Of->took(Took, Works, Beside);
}

} // namespace blockmaestro
