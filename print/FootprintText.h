// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: footprints as text, for people and for FileCheck.
// On the data's way: shows what passes/device made; used by the passes' dump,
// their remarks and bm-dump.
// Invariants: one access per line; the text is a function of the record alone.
// The form is described in docs/footprint.md. Threads: no state.

#ifndef BLOCKMAESTRO_PRINT_FOOTPRINTTEXT_H
#define BLOCKMAESTRO_PRINT_FOOTPRINTTEXT_H

#include "blockmaestro/Metadata.h"

#include <string>

namespace blockmaestro {

/// "threadIdx.x", "gridDim.y", "arg3", "arg0@8" (the scalar 8 bytes into
/// argument 0) or "i0" (a loop counter).
std::string toText(const Symbol &S);

/// "4*threadIdx.x + 4*blockIdx.x*blockDim.x - 8"; "0" without terms.
std::string toText(const Polynomial &P, const Footprint &F);

/// "arg3 - 1 >= 0" or "threadIdx.x = 0".
std::string toText(const Constraint &C, const Footprint &F);

/// "i32(arg3 + 1)" or "u32(...)": the value must fit so many bits.
std::string toText(const Assumption &A, const Footprint &F);

/// "arg0", "arg0@8", "@global" or "anywhere".
std::string toText(const Root &R);

const char *toText(AccessKind Kind);
const char *toText(Exactness How);

/// One line, without a line break.
std::string toText(const Access &A, const Footprint &F);

/// The kernel's line, one line per loop and one per access, each ended.
std::string toText(const KernelRecord &K);

} // namespace blockmaestro

#endif
