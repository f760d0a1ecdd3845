// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the text of inline assembly, as LLVM holds it, as tokens.
// On the data's way: read by PtxStatements.
// Invariants: what is no token of PTX, or one that only the text with the
// arguments put in has, is Bad. Threads: one per lexer.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PTXTOKENS_H
#define BLOCKMAESTRO_PASSES_DEVICE_PTXTOKENS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

enum class AssemblyTokenKind {
  End,
  Name,      ///< With the dotted parts and the :: in it: "ld.global.u32".
  Directive, ///< ".reg"
  Argument,  ///< $3
  Integer,
  Float,
  String,
  Sign, ///< One character.
  Bad,
};

struct AssemblyToken {
  AssemblyTokenKind Kind = AssemblyTokenKind::End;
  std::string Text;
  uint64_t Value = 0;

  bool is(char C) const {
    return Kind == AssemblyTokenKind::Sign && Text.front() == C;
  }
};

/// The tokens of an InlineAsm's string.
class AssemblyLexer {
public:
  explicit AssemblyLexer(llvm::StringRef Text) : Rest(Text) {}

  AssemblyToken next();

private:
  void skipBlanks();
  bool takeNameCharacter(std::string &To);
  bool isNameAhead(llvm::StringRef At) const;
  AssemblyToken name(std::string Begun);
  AssemblyToken argument();
  AssemblyToken number();
  AssemblyToken string();

  llvm::StringRef Rest;
};

} // namespace blockmaestro

#endif
