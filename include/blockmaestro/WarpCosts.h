// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which number of a block's costs counts the instructions of a
// class of warp instructions.
// On the data's way: where the emulated device counts what a GPU issues, and
// where bm-dump sums traces up. Threads: pure functions.

#ifndef BLOCKMAESTRO_WARPCOSTS_H
#define BLOCKMAESTRO_WARPCOSTS_H

#include "Event.h"
#include "WarpTrace.h"

namespace blockmaestro {

/// Of a class without isAccess(), whose accesses have numbers of their own.
constexpr uint64_t BlockCost::*costFieldOf(WarpClass Class) {
  switch (Class) {
  case WarpClass::Integer:
  case WarpClass::Product:
  case WarpClass::Comparison:
    return &BlockCost::Integer;
  case WarpClass::Single:
    return &BlockCost::Single;
  case WarpClass::Double:
    return &BlockCost::Double;
  case WarpClass::Special:
  case WarpClass::Approximation:
  case WarpClass::Conversion:
    return &BlockCost::Special;
  case WarpClass::Branch:
    return &BlockCost::Branches;
  case WarpClass::Exchange:
    return &BlockCost::Exchanges;
  case WarpClass::Barrier:
    return &BlockCost::Barriers;
  case WarpClass::Private:
    return &BlockCost::Private;
  default:
    return &BlockCost::Other;
  }
}

} // namespace blockmaestro

#endif
