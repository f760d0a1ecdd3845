// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the graph of a recording as a picture: each block of a launch and
// each pair, or each launch and each relation; in Graphviz's language, or drawn
// by its `dot`.
// On the data's way: behind GraphCommand, for people who look at it.
// Invariants: what is drawn is what `bm-dump graph` lists. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_GRAPHDRAWING_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_GRAPHDRAWING_H

#include "Edges.h"
#include "RecordingInput.h"
#include "RelationFacts.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace blockmaestro {

/// Calls Call(producer block, consumer block) for every pair.
template <typename Function>
void forEachPair(const RecordedRelation &R, const Recording &In,
                 Function Call) {
  forEachEdge(viewOf(R, consumerGrid(R, In)),
              [&](uint64_t C, uint64_t P) { Call(P, C); });
}

/// Writes Graphviz's language, of launches where the options say so.
void printDot(const DumpView &Of, llvm::raw_ostream &Out);

/// Writes the picture that `dot` makes of it; an error where that is not
/// installed or fails.
llvm::Error printSvg(const DumpView &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
