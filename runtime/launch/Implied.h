// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which relations nobody has to wait for, because two others
// already make every consumer block wait long enough.
// On the data's way: used by Window, after relate and before encode.
// Invariants: sound for every executor that keeps the relations not implied.
// Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_IMPLIED_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_IMPLIED_H

#include "blockmaestro/BlockGraph.h"

namespace blockmaestro {

/// Whether AC follows from AB and BC, for launches A before B before C. May
/// miss a case; never claims one.
bool follows(const Relation &AC, const Relation &AB, const Relation &BC);

} // namespace blockmaestro

#endif
