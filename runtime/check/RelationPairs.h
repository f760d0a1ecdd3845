// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a relation and its encoding spelled out for one consumer block:
// read off the definitions in BlockGraph.h and Encoding.h, nothing shared with
// what made them.
// On the data's way: GraphCheck compares it with the true edges.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_RELATIONPAIRS_H
#define BLOCKMAESTRO_RUNTIME_CHECK_RELATIONPAIRS_H

#include "BlockRow.h"

#include "blockmaestro/BlockGraph.h"

#include <cstdint>

namespace blockmaestro {

/// The hazards that \p R has between the blocks of the producer and consumer
/// block \p Consumer.
void hazardsOfBlock(const Relation &R, uint64_t Consumer, BlockRow &Out);

} // namespace blockmaestro

#endif
