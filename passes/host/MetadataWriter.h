// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a ModuleRecord as bytes.
// On the data's way: from the device passes to the handover, and from there
// unchanged into the section `.blockmaestro` of the host object.
// Invariants: the same record gives the same bytes; the size is a multiple of
// MetadataAlignment. The layout is docs/metadata.md. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_HOST_METADATAWRITER_H
#define BLOCKMAESTRO_PASSES_HOST_METADATAWRITER_H

#include "blockmaestro/Metadata.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

/// One record with its header and padding.
std::vector<uint8_t> serialize(const ModuleRecord &Record);

} // namespace blockmaestro

#endif
