// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the tables of a report: launches, relations, copies, barriers and
// waits, a column for each thing that is known of them.
// On the data's way: from a recording to JSON, as docs/bm-report-data.md says.
// Invariants: what bm-dump prints of a recording under the same name is equal.
// Ownership and threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_TABLES_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_TABLES_H

#include "RecordingFacts.h"

#include "llvm/Support/JSON.h"

#include <array>
#include <cstdint>

namespace blockmaestro {

using Size = std::array<uint32_t, 3>;

/// As attributes of the object that is open. Numbers calls, and sizes.
void writeTables(llvm::json::OStream &Out, RecordingFacts &Of,
                 Numbered<Size> &Sizes);

/// Nodes, and where launches stand among them.
void writeMotifs(llvm::json::OStream &Out, const RecordingFacts &Of);

/// How many there are of everything.
void writeCounts(llvm::json::OStream &Out, const RecordingFacts &Of);

} // namespace blockmaestro

#endif
