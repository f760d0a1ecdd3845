// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the subcommands that show metadata share: reading,
// choosing kernels, errors.
// On the data's way: from ObjectMetadata to FootprintsCommand and
// MetadataCommand. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDSCOMMAND_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDSCOMMAND_H

#include "Options.h"

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace blockmaestro {

struct RecordsView {
  void (*Text)(llvm::ArrayRef<ModuleRecord> Records);
  void (*Json)(llvm::ArrayRef<ModuleRecord> Records);
};

/// Reads the file and shows it; returns the exit code.
int showRecords(const RecordsView &View, const DumpOptions &Given);

/// Leaves only the kernels called Name: "_Z5scaleIfEvPT_" or, as in the source,
/// "scale", "scale<float>" or "void scale<float>(float*)"; and only modules
/// that have one. Fails when none has.
llvm::Error selectKernel(std::vector<ModuleRecord> &Records,
                         llvm::StringRef Name);

} // namespace blockmaestro

#endif
