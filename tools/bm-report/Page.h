// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the page of a report: one file with its style, its scripts and
// its data, which needs nothing else.
// On the data's way: from the data, as JSON, and the parts of the page in
// share/blockmaestro/report to what a browser opens.
// Invariants: the same data gives the same bytes. A part is put where the
// page names it, and nothing is looked for in what has been put.
// Ownership and threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_PAGE_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_PAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace blockmaestro {

/// share/blockmaestro/report beside the folder of the running program.
std::string pageFolder(const char *Argument0);

/// report.html of the folder with report.css, the scripts that scripts.txt
/// lists, and the data: gzip's form of it in base64.
llvm::Expected<std::string> makePage(llvm::StringRef Folder,
                                     llvm::StringRef Data);

/// In gzip's form, without a name or a time.
std::string gzip(llvm::StringRef Text);

} // namespace blockmaestro

#endif
