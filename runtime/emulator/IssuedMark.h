// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a mark on all instructions of IR that stand for one instruction
// of PTX which a GPU issues as a short sequence of its own.
// On the data's way: made where PTX is lowered, read by IssuedSequences.
// Invariants: copies of the code have marks of their own, since a mark says
// nothing of other instructions. Threads: none.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEDMARK_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ISSUEDMARK_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace blockmaestro {

/// The metadata of all that stands for one instruction of PTX: of the last that
/// costs something a string of letters (issuedSequenceOf), of the others an
/// empty one.
inline constexpr const char *IssuedMark = "bm.issued";

/// Marks what \p B has behind \p Before, from its beginning where that is null.
void markIssued(llvm::BasicBlock &B, const llvm::Instruction *Before,
                llvm::StringRef Letters);

} // namespace blockmaestro

#endif
