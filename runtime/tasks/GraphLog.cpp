// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphLog.h"

#include <algorithm>

namespace blockmaestro {

bool GraphLog::follow(std::span<const GraphStep> Asked) {
  if (Asked.size() > Steps.size() - Next ||
      !std::equal(Asked.begin(), Asked.end(), Steps.begin() + Next))
    return false;
  Next += Asked.size();
  return true;
}

void GraphLog::leave() {
  Steps.resize(Next);
  Follows = false;
}

bool GraphLog::restart() {
  if (TooLong)
    Steps = {};
  TooLong = false;
  Next = 0;
  Follows = !Steps.empty();
  return Follows;
}

} // namespace blockmaestro
