// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the check that a record's indices point at something.
// On the data's way: the last step of the metadata reader.
// Invariants: a record without inconsistency can be evaluated without any
// further check of indices and offsets. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_METADATACHECK_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_METADATACHECK_H

#include "blockmaestro/Metadata.h"

#include <string>

namespace blockmaestro {

/// What is wrong with the record, or nothing.
std::string findInconsistency(const ModuleRecord &Record);

} // namespace blockmaestro

#endif
