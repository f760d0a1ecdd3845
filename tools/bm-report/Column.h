// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a number for each launch, relation or block, written in the
// shortest of the forms that docs/bm-report-data.md lists.
// On the data's way: from the tables of a report to its JSON.
// Invariants: the same numbers are written in the same form.
// Ownership and threads: plain values and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_COLUMN_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_COLUMN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

using Column = std::vector<int64_t>;

void writeColumn(llvm::json::OStream &Out, const Column &Numbers);

/// As an attribute of the object that is open.
void writeColumn(llvm::json::OStream &Out, llvm::StringRef Name,
                 const Column &Numbers);

} // namespace blockmaestro

#endif
