// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the text of inline assembly, as LLVM holds it, as a list of PTX
// statements.
// On the data's way: read by passes/device, which says what the statements do
// to memory, and by runtime/emulator, which makes IR of them.
// Invariants: a text is taken apart as a whole or not at all. Where ptxas takes
// a text that is taken apart, it reads these very statements; it refuses some
// that are: an empty statement, a last one without its semicolon, [a - 4], 1u.
// Forms that no real program needs are not taken apart. Nothing is known here
// of what an instruction does. Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_PTX_PTXSTATEMENTS_H
#define BLOCKMAESTRO_PTX_PTXSTATEMENTS_H

#include "blockmaestro/Status.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

enum class PtxOperandKind {
  Register,      ///< Name: a register, a label or a variable.
  Argument,      ///< $Number, an operand of the asm statement.
  Immediate,     ///< Bits: an integer, or a number in floating point.
  Vector,        ///< { Elements }
  Parenthesized, ///< ( Elements ), of calls.
  Pair,          ///< Elements[0] | Elements[1]
  /// [Elements[0] + Elements[1] + Offset]; the second may be missing. Without
  /// Elements: an address of another form.
  Address,
  Coordinates, ///< [Elements], of textures and tensor maps.
  Expression,  ///< Sums and products of Elements that are not all integers.
  Sink,        ///< _
};

struct PtxOperand {
  PtxOperandKind Kind = PtxOperandKind::Sink;
  std::string Name;
  unsigned Number = 0;
  uint64_t Bits = 0;
  unsigned FloatBits = 0; ///< Of an immediate: 32, 64, or 0 for an integer.
  int64_t Offset = 0;
  bool Negated = false; ///< !p
  std::vector<PtxOperand> Elements;

  bool isInteger() const {
    return Kind == PtxOperandKind::Immediate && FloatBits == 0 && !Negated;
  }
  /// Whether brackets stand in it.
  bool hasAddress() const;
};

enum class PtxStatementKind {
  Instruction,
  Label,       ///< Names[0]
  Declaration, ///< .reg of Names, of the type Words[0].
  ScopeBegin,
  ScopeEnd,
};

struct PtxStatement {
  PtxStatementKind Kind = PtxStatementKind::Instruction;
  bool Guarded = false;
  PtxOperand Guard;               ///< When Guarded: a register or an argument.
  std::vector<std::string> Words; ///< The opcode's: "st", "global", "u32".
  std::vector<PtxOperand> Operands;
  std::vector<std::string> Names; ///< Those of an array one by one.

  std::string opcode() const;
};

/// The statements of \p Text, an InlineAsm's string. Refuses with the place
/// that is not understood.
Result<std::vector<PtxStatement>> readPtx(llvm::StringRef Text);

} // namespace blockmaestro

#endif
