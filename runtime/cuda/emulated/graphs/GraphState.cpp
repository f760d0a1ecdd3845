// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphState.h"

namespace blockmaestro::emulated {

GraphState &graphState() {
  static auto *State = new GraphState;
  return *State;
}

} // namespace blockmaestro::emulated
