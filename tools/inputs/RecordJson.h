// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: records as JSON, the same keys for both commands.
// On the data's way: shows what passes/host has embedded. docs/bm-dump.md lists
// the keys. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_RECORDJSON_H
#define BLOCKMAESTRO_TOOLS_INPUTS_RECORDJSON_H

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace blockmaestro {

/// A text of a program's, which need not be UTF-8, as JSON must be.
std::string utf8(llvm::StringRef Text);

/// `file`, `line`, `column`; null where nothing is known.
llvm::json::Value toJson(const SourceLocation &Where);

/// `name`, `symbol`, `accesses`, `attributes`, and the module's `source` and
/// `architecture`.
llvm::json::Object toJson(const KernelRecord &Kernel,
                          const ModuleRecord &Module);

/// Everything in the record but the bitcode itself, whose size is given.
llvm::json::Object toJson(const ModuleRecord &Module);

/// Writes the value and a line break to standard output.
void printJson(llvm::json::Value Value);

} // namespace blockmaestro

#endif
