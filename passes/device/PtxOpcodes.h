// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the opcodes of PTX mean for memory: tables of those that are
// known, with their modifiers.
// On the data's way: used by PtxAssembly.
// Invariants: an opcode that is in no table is not known, and a memory
// instruction with a modifier that is in no table has no size. Threads:
// constant data.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PTXOPCODES_H
#define BLOCKMAESTRO_PASSES_DEVICE_PTXOPCODES_H

#include "PtxAssembly.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

#include <string>

namespace blockmaestro {

enum class InstructionRole {
  Registers,  ///< No memory, and no operand in brackets.
  Harmless,   ///< No memory but the block's own.
  Load,       ///< ld d, [a]
  Store,      ///< st [a], v
  Update,     ///< atom d, [a], v
  Reduce,     ///< red [a], v
  CopyIn,     ///< cp.async [shared], [a], size, fewer
  BulkIn,     ///< cp.async.bulk [shared], [a], size, [barrier]
  BulkOut,    ///< cp.async.bulk [a], [shared], size
  BulkUpdate, ///< cp.reduce.async.bulk [a], [shared], size
  Branch,     ///< bra
  Exit,
  Opaque, ///< Any memory, but nothing else.
};

struct InstructionRow {
  const char *Prefix; ///< Of the opcode, whole words only.
  InstructionRole Role;
  bool AssemblyEffects::*Flag = nullptr;
};

/// What the opcode of Words is; null when it is not known.
const InstructionRow *findInstruction(llvm::ArrayRef<std::string> Words);

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

/// Bytes of "u32", "f16x2", "b128"; 0 for what is no type.
uint64_t typeBytes(llvm::StringRef Word);

/// Whether Name is one that the compiler gives registers, so that it may be
/// that of an operand.
bool isCompilerRegister(llvm::StringRef Name);

} // namespace blockmaestro

#endif
