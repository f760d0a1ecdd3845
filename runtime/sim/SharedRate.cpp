// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedRate.h"

#include <algorithm>
#include <cmath>

namespace blockmaestro::sim {

/// Begins anew where nobody is, so that the clock's numbers stay small.
void SharedRate::advance(uint64_t Now) {
  if (Goals.empty())
    Clock = 0;
  else if (Now != At)
    Clock += double(Now - At) / double(Goals.size());
  At = Now;
}

void SharedRate::join(uint64_t Now, double Work, uint32_t Who) {
  advance(Now);
  Goals.push({Clock + Work, Who});
}

uint64_t SharedRate::next() const {
  if (Goals.empty())
    return Never;
  const double Left = (Goals.top().Clock - Clock) * double(Goals.size());
  return At + uint64_t(std::ceil(std::max(Left, 0.0)));
}

bool SharedRate::leave(uint64_t Now, uint32_t &Who) {
  advance(Now);
  if (Goals.empty() || Goals.top().Clock > Clock)
    return false;
  Who = Goals.top().Who;
  Goals.pop();
  return true;
}

} // namespace blockmaestro::sim
