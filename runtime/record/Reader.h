// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: reads a recording file back.
// On the data's way: from runtime/record/Writer to bm-sim and bm-dump.
// Invariants: what is returned keeps every promise of Recording.h: launch and
// block numbers are in range, relations name earlier launches, every piece has
// hazards and positive divisors, and an event has its launch. A file that is
// cut off reads up to its last whole chunk with Truncated set; anything else
// that is wrong is one Status.
// Ownership and threads: returns plain values; no shared state.

#ifndef BLOCKMAESTRO_RUNTIME_RECORD_READER_H
#define BLOCKMAESTRO_RUNTIME_RECORD_READER_H

#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <string>

namespace blockmaestro {

Result<Recording> readRecording(const std::string &Path);

/// The same from memory; Name is used in messages.
Result<Recording> parseRecording(const uint8_t *Data, size_t Bytes,
                                 const std::string &Name);

} // namespace blockmaestro

#endif
