// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamState.h"

namespace blockmaestro {

StreamState &streamState() {
  static auto *State = new StreamState;
  return *State;
}

} // namespace blockmaestro
