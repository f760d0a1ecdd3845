// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what tools say of a recorded relation: its grids, how many pairs
// of blocks it has, its pattern's name, what its encoding takes.
// On the data's way: from a recording to bm-dump and bm-report, which must say
// the same. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_INPUTS_RELATIONFACTS_H
#define BLOCKMAESTRO_TOOLS_INPUTS_RELATIONFACTS_H

#include "blockmaestro/Recording.h"

#include <string>

namespace blockmaestro {

Dim3 producerGrid(const RecordedRelation &R);
Dim3 consumerGrid(const RecordedRelation &R, const Recording &In);

/// How many distinct pairs of blocks a relation has.
uint64_t edgeCount(const RecordedRelation &R, const Recording &In);

/// "1-to-1", "overlapped", ...
const char *patternName(const RecordedRelation &R, const Recording &In);

/// "full", "closed" or "listed".
const char *formName(const RecordedRelation &R);

/// Equal for relations with the same pairs of blocks by the same hazards.
std::string formKey(const RecordedRelation &R, const Recording &In);

/// "3" for a launch, "copy 3" for a copy.
std::string nodeText(uint64_t Number, bool IsCopy);

/// What the encoding takes on a device.
uint64_t encodedBytes(const RecordedRelation &R);

} // namespace blockmaestro

#endif
