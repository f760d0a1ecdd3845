// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: changes metadata so that most of it still gets past the reader:
// fields of a record that was read, or bytes under a checksum that is right.
// On the data's way: before MetadataFuzzer hands the bytes to the reader.
// Threads: no state; the same seed gives the same change.

#ifndef BLOCKMAESTRO_TEST_FUZZ_RECORDMUTATOR_H
#define BLOCKMAESTRO_TEST_FUZZ_RECORDMUTATOR_H

#include "blockmaestro/Metadata.h"

#include <cstddef>
#include <cstdint>

namespace blockmaestro {

/// Changes a few fields, counts included, to likely and unlikely values.
void mutateFields(ModuleRecord &Record, uint32_t Seed);

/// Puts a header with the right size and checksum in front of the bytes behind
/// it. Returns the new size, at most Size.
size_t fixHeader(uint8_t *Data, size_t Size);

} // namespace blockmaestro

#endif
