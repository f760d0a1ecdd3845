// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the text of inline assembly, as LLVM holds it, as a list of PTX
// statements.
// On the data's way: read by PtxAssembly, which knows what opcodes do.
// Invariants: a text is taken apart as a whole or not at all. ptxas reads a
// text that is taken apart as these very statements; forms that ptxas refuses,
// or that no real program needs, are not taken apart. Names point into the
// text or into the list. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PTXSTATEMENTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_PTXSTATEMENTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace blockmaestro {

struct AssemblyOperand {
  enum class Form {
    Register, ///< Name: a register, a label or a variable.
    Argument, ///< $Number
    Integer,  ///< Value
    Address,  ///< [Parts[0]] or [Parts[0] + Parts[1]]; no Parts: another form.
    Group,    ///< { Parts }, ( Parts ) or Parts[0] | Parts[1].
    Other,    ///< No address; Parts are the operands in it.
  };
  Form Kind = Form::Other;
  std::string Name;
  unsigned Number = 0;
  int64_t Value = 0;
  std::vector<AssemblyOperand> Parts;

  bool hasAddress() const;
};

struct AssemblyStatement {
  enum class Form {
    Instruction,
    Label,       ///< Names[0]
    Declaration, ///< .reg of Names, of the type Words[0].
    ScopeBegin,
    ScopeEnd,
  };
  Form Kind = Form::Instruction;
  bool Guarded = false;
  AssemblyOperand Guard; ///< Where it is guarded: the predicate.
  bool Opposite = false; ///< It runs where that does not hold.
  /// The opcode's parts: "st", "global", "u32".
  std::vector<std::string> Words;
  std::vector<AssemblyOperand> Operands;
  std::vector<std::string> Names;
};

/// The statements of Text, an InlineAsm's string; none where a part of it is
/// not understood.
std::optional<std::vector<AssemblyStatement>>
readAssembly(llvm::StringRef Text);

} // namespace blockmaestro

#endif
