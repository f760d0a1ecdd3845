// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the records inside an object, archive, library or program.
// On the data's way: reads what passes/host has embedded, with the runtime's
// own reader. Invariants: all records or one error; the error names the file,
// and in an archive the member. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_OBJECTMETADATA_H
#define BLOCKMAESTRO_TOOLS_INPUTS_OBJECTMETADATA_H

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <vector>

namespace blockmaestro {

/// All records of every section `.blockmaestro` in File, archive members in
/// their order. Fails when there are none.
llvm::Expected<std::vector<ModuleRecord>> readObject(llvm::StringRef File);

/// The same from memory; the buffer's name is the file's, which errors have,
/// and beside which the members of a thin archive lie.
llvm::Expected<std::vector<ModuleRecord>>
readObject(llvm::MemoryBufferRef Bytes);

} // namespace blockmaestro

#endif
