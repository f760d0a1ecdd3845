// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a kernel does beyond the bytes it touches, in words.
// On the data's way: shows KernelRecord::Features; used by the text and the
// JSON of footprints and metadata, so that both say the same.
// Invariants: one word or two for every Feature. Threads: no state.

#ifndef BLOCKMAESTRO_PRINT_FEATURENAMES_H
#define BLOCKMAESTRO_PRINT_FEATURENAMES_H

#include "blockmaestro/Metadata.h"

#include <string>
#include <vector>

namespace blockmaestro {

/// "barrier", "dynamic shared memory".
const char *toText(Feature F);

/// The names of the features K has, in the order of the enumeration.
std::vector<std::string> featureNames(const KernelRecord &K);

} // namespace blockmaestro

#endif
