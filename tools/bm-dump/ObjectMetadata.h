// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the records inside an object, archive, library or program.
// On the data's way: reads what passes/host has embedded, with the runtime's
// own reader. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_OBJECTMETADATA_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_OBJECTMETADATA_H

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace blockmaestro {

/// All records of every section `.blockmaestro` in File, archive members in
/// their order. Fails when there are none.
llvm::Expected<std::vector<ModuleRecord>> readObject(llvm::StringRef File);

/// What `footprints` and `metadata` share: options, reading, errors. Calls Text
/// or, with --json, Json on the records. The exit code.
int showRecords(llvm::StringRef Command, llvm::ArrayRef<const char *> Arguments,
                void (*Text)(llvm::ArrayRef<ModuleRecord>),
                void (*Json)(llvm::ArrayRef<ModuleRecord>));

} // namespace blockmaestro

#endif
