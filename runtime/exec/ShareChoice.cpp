// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShareChoice.h"

#include <algorithm>

namespace blockmaestro {

size_t ShareChoice::next() const {
  return settled() ? Chosen : Seen % All.size();
}

void ShareChoice::settle() {
  const auto Best = std::min_element(Least.begin(), Least.end());
  constexpr int Parts = 30;
  if (*Best + *Best / Parts < Least[0])
    Chosen = size_t(Best - Least.begin());
}

void ShareChoice::saw(size_t Which, std::chrono::nanoseconds Span) {
  const auto Shorter = [&](std::chrono::nanoseconds &Known) {
    Known = Known.count() == 0 ? Span : std::min(Known, Span);
  };
  if (!settled()) {
    Shorter(Least[Which]);
    if (++Seen == Trials * All.size())
      settle();
    return;
  }
  if (Which != Chosen || Chosen == 0)
    return;
  Shorter(Recent);
  if (++SinceReview < Review)
    return;
  if (Recent > Least[0])
    Chosen = 0;
  SinceReview = 0;
  Recent = {};
}

} // namespace blockmaestro
