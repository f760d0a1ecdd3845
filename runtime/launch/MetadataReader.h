// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the reader of the metadata that the passes put into host objects.
// On the data's way: from the section `.blockmaestro` to the launch path and to
// bm-dump.
// Invariants: the bytes are not trusted. Every count is checked against what is
// left before anything is allocated, and every index (symbols, arguments,
// counters) against what it points into, so that later stages need not check.
// Anything else than a whole record of this version gives one Status.
// Ownership: the records own their bytes. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_METADATAREADER_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_METADATAREADER_H

#include "blockmaestro/Metadata.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

/// Reads the record at Data and moves Data and Size behind it and its padding.
/// On failure they are unchanged.
Result<ModuleRecord> readRecord(const uint8_t *&Data, size_t &Size);

/// Reads a whole section: records one after the other, zero words between
/// them. No bytes at all give no records.
Result<std::vector<ModuleRecord>> readMetadata(const uint8_t *Data,
                                               size_t Size);

} // namespace blockmaestro

#endif
