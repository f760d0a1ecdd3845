// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the kernels of a report: what their launches did together, the
// bytes that their lines touch, and why these are not exact.
// On the data's way: from a recording's facts and the program's records to
// JSON, as docs/bm-report-data.md says.
// Invariants: footprints are what bm-dump footprints prints. Ownership and
// threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_KERNELS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_KERNELS_H

#include "RecordingFacts.h"
#include "Runs.h"

#include "llvm/Support/JSON.h"

namespace blockmaestro {

/// As lists of objects. Baseline is null where nothing was simulated.
void writeKernels(llvm::json::OStream &Out, RecordingFacts &Of,
                  const Run *Baseline);
void writeReasons(llvm::json::OStream &Out, const RecordingFacts &Of);

} // namespace blockmaestro

#endif
