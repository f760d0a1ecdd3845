// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a recorded run as a Perfetto trace: counters, launches in flight,
// where the host waited, and the blocks on their workers or SMs.
// On the data's way: from a recording to TraceWriter; docs/bm-dump.md says what
// is in it.
// Invariants: slices of a track follow each other. What a recording has no time
// of is not drawn: the host's calls are where the blocks around them say that
// they were. Ownership and threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_TIMELINE_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_TIMELINE_H

#include "RecordingInput.h"

#include "llvm/Support/raw_ostream.h"

namespace blockmaestro {

void printTimeline(const DumpView &Of, llvm::raw_ostream &Out);

} // namespace blockmaestro

#endif
