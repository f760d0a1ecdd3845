// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the modifiers of PTX's memory instructions and comparisons
// mean for the analysis.
// On the data's way: used by PtxAssembly.
// Invariants: a memory instruction with a modifier that is in no table has no
// size. Threads: constant data.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PTXMODIFIERS_H
#define BLOCKMAESTRO_PASSES_DEVICE_PTXMODIFIERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

#include <optional>
#include <string>

namespace blockmaestro {

/// Bytes of a load, store or update by its only type and its vector suffix; 0
/// when they are not clear or a modifier is not known.
uint64_t instructionBytes(llvm::ArrayRef<std::string> Words, bool Updates);

/// Whether the modifiers of a cp.async are known.
bool isKnownCopy(llvm::ArrayRef<std::string> Words);

/// Whether those of a bulk copy are, a reduction for Updates.
bool isKnownBulkCopy(llvm::ArrayRef<std::string> Words, bool Updates);

/// Whether the instruction stays in the memory of its block or thread.
bool isOwnMemory(llvm::ArrayRef<std::string> Words);

/// How "setp.lt.u32" and the like compare two integers, and of how many bits.
struct PredicateRow {
  llvm::CmpInst::Predicate Compare;
  unsigned Bits;
};

/// That of an instruction of these words; none for any other.
std::optional<PredicateRow>
integerComparison(llvm::ArrayRef<std::string> Words);

/// Whether Name is one that the compiler gives registers, so that it may be
/// that of an operand.
bool isCompilerRegister(llvm::StringRef Name);

} // namespace blockmaestro

#endif
