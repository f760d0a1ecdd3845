// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: brings a finished footprint into its one normal order: symbols
// by kind, unused symbols and counters gone, terms by factors.
// On the data's way: after the footprint is built, before anyone sees it.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_SYMBOLORDER_H
#define BLOCKMAESTRO_PASSES_DEVICE_SYMBOLORDER_H

#include "blockmaestro/Footprint.h"

namespace blockmaestro {

void orderSymbols(Footprint &F);

} // namespace blockmaestro

#endif
