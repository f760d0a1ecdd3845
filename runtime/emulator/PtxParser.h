// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the text of an inline PTX statement as a list of instructions,
// declarations and labels.
// On the data's way: read by PtxLowering, which gives it a meaning.
// Invariants: names and opcodes point into the text that was parsed; nothing is
// known here of what an instruction does. Threads: stateless.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_PTXPARSER_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_PTXPARSER_H

#include "blockmaestro/Status.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <vector>

namespace blockmaestro {

enum class PtxOperandKind {
  Register,    ///< A local name or a special register, or a label.
  Argument,    ///< $N, an operand of the asm statement.
  Immediate,   ///< A number; bits of a float for 0f, of a double for 0d.
  Vector,      ///< { a, b, ... }
  Address,     ///< [ Elements[0] + Offset ]
  Coordinates, ///< [ a, b ], of textures and surfaces.
  Pair,        ///< a | b
  Sink,        ///< _
};

struct PtxOperand {
  PtxOperandKind Kind = PtxOperandKind::Sink;
  llvm::StringRef Name;             ///< Of a register.
  unsigned Number = 0;              ///< Of an argument.
  uint64_t Bits = 0;                ///< Of an immediate.
  unsigned FloatBits = 0;           ///< 32, 64, or 0: an integer.
  int64_t Offset = 0;               ///< Of an address.
  bool Negated = false;             ///< !p
  std::vector<PtxOperand> Elements; ///< Of vector, address and pair.
};

enum class PtxStatementKind { Instruction, Declaration, Label };

struct PtxStatement {
  PtxStatementKind Kind = PtxStatementKind::Instruction;
  llvm::StringRef Text;   ///< The whole statement, for messages.
  llvm::StringRef Opcode; ///< "add.rn.f32", the type of a declaration, a label.
  bool Guarded = false;
  PtxOperand Guard;                          ///< When Guarded.
  llvm::SmallVector<PtxOperand, 4> Operands; ///< Or the names declared.
  /// Of a declaration such as r<4>: how many registers, 0 for a plain name.
  unsigned Count = 0;
};

/// Parses \p Text, written as LLVM holds it ($N are the statement's operands,
/// % needs no doubling). Refuses with the place that is not understood.
Result<std::vector<PtxStatement>> parsePtx(llvm::StringRef Text);

} // namespace blockmaestro

#endif
