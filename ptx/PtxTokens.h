// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the text of inline assembly, as LLVM holds it, as tokens.
// On the data's way: read by PtxStatements.
// Invariants: what is no token of PTX, or one that only the text with the
// arguments put in has, is Bad. Threads: one per lexer.

#ifndef BLOCKMAESTRO_PTX_PTXTOKENS_H
#define BLOCKMAESTRO_PTX_PTXTOKENS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

enum class PtxTokenKind {
  End,
  Name,      ///< With the dotted parts and the :: in it: "ld.global.u32".
  Directive, ///< ".reg"
  Argument,  ///< $3, ${3}, ${3:c}
  Integer,
  Float,
  String,
  Sign, ///< One character.
  Bad,
};

struct PtxToken {
  PtxTokenKind Kind = PtxTokenKind::End;
  std::string Text;
  uint64_t Value = 0;     ///< Of a Float its bits.
  unsigned FloatBits = 0; ///< 32, or 64 for decimal fractions too.
  size_t Begin = 0;       ///< Where in the whole text.

  bool is(char C) const {
    return Kind == PtxTokenKind::Sign && Text.front() == C;
  }
};

/// The tokens of an InlineAsm's string.
class PtxLexer {
public:
  explicit PtxLexer(llvm::StringRef Text) : Rest(Text), Size(Text.size()) {}

  PtxToken next();

private:
  void skipBlanks();
  bool takeNameCharacter(std::string &To);
  bool isNameAhead(llvm::StringRef At) const;
  PtxToken token();
  PtxToken name(std::string Begun);
  PtxToken argument();
  PtxToken number();
  PtxToken string();
  PtxToken dotted();

  llvm::StringRef Rest;
  size_t Size;
};

} // namespace blockmaestro

#endif
