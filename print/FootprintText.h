// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: footprints as text, for people and for FileCheck: one set in
// isl's notation for each access.
// On the data's way: shows what passes/device made; used by the passes' dump,
// their remarks and bm-dump. docs/footprint.md describes the form.
// Invariants: the text is a function of the record alone; the footprint is one
// that a reader accepts. Threads: no state.

#ifndef BLOCKMAESTRO_PRINT_FOOTPRINTTEXT_H
#define BLOCKMAESTRO_PRINT_FOOTPRINTTEXT_H

#include "SymbolNames.h"
#include "blockmaestro/Metadata.h"

#include <string>
#include <vector>

namespace blockmaestro {

const char *toText(AccessKind Kind);
const char *toText(Exactness How);

/// "arg0", "arg0@8" (the pointer 8 bytes into argument 0), "@global" or
/// "anywhere".
std::string toText(const Root &R);

/// "a.cu:3:5"
std::string toText(const SourceLocation &Where);

/// See SymbolNames.
std::string toText(const Polynomial &P, const Footprint &F);
std::string toText(const Constraint &C, const Footprint &F);
std::string toText(const Assumption &A, const Footprint &F);

/// The conditions of the set: the access's domain, and the ranges of the values
/// it uses.
std::vector<std::string> conditionTexts(const Access &A, const Footprint &F,
                                        const SymbolNames &Names);

/// What the access assumes: "i32(tx + bx*Dx)", and where, unless everywhere:
/// "u32(tx - 3) where tx < arg1".
std::vector<std::string> assumptionTexts(const Access &A,
                                         const SymbolNames &Names);

/// "{ [bx] -> arg0[4*tx + 4*bx*Dx + 0..3] : tx < arg1 }"
std::string setText(const Access &A, const Footprint &F,
                    const SymbolNames &Names);

/// One line, without a line break and without the place: "read exact { ... },
/// assuming ..., because ...".
std::string toText(const Access &A, const Footprint &F);

/// "6 accesses: 4 exact, 2 bounded"
std::string summaryText(const Footprint &F);

/// The kernel's line, what it uses, its loops, its accesses and a summary; each
/// line ended.
std::string toText(const KernelRecord &K);

} // namespace blockmaestro

#endif
