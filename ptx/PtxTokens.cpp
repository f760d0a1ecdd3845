// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <limits>

using namespace llvm;

namespace blockmaestro {

static bool isNameCharacter(char C) { return isAlnum(C) || C == '_'; }

bool PtxLexer::isNameAhead(StringRef At) const {
  return !At.empty() && (isNameCharacter(At.front()) || At.starts_with("$$") ||
                         At.starts_with("${:uid}"));
}

void PtxLexer::skipBlanks() {
  for (;;) {
    Rest = Rest.ltrim();
    size_t End = 0;
    if (Rest.starts_with("//"))
      End = Rest.find('\n');
    else if (Rest.starts_with("/*"))
      End = Rest.find("*/", 2) == StringRef::npos ? StringRef::npos
                                                  : Rest.find("*/", 2) + 2;
    else
      return;
    Rest = Rest.drop_front(std::min(End, Rest.size()));
  }
}

/// A dollar of PTX is two in LLVM's text, and one number of the whole statement
/// has a name of its own.
bool PtxLexer::takeNameCharacter(std::string &To) {
  if (Rest.consume_front("$$")) {
    To += '$';
  } else if (Rest.consume_front("${:uid}")) {
    To += "${:uid}";
  } else if (!Rest.empty() && isNameCharacter(Rest.front())) {
    To += Rest.front();
    Rest = Rest.drop_front();
  } else {
    return false;
  }
  return true;
}

/// A name next to an argument is a name that only the final text has.
PtxToken PtxLexer::name(std::string Begun) {
  PtxToken Result{PtxTokenKind::Name, std::move(Begun)};
  for (;;) {
    while (takeNameCharacter(Result.Text)) {
    }
    const unsigned Joint = Rest.starts_with("::")  ? 2
                           : Rest.starts_with(".") ? 1
                                                   : 0;
    if (Joint == 0 || !isNameAhead(Rest.drop_front(Joint)))
      break;
    Result.Text += Rest.take_front(Joint);
    Rest = Rest.drop_front(Joint);
  }
  if (Result.Text == "%" || Rest.starts_with("$"))
    Result.Kind = PtxTokenKind::Bad;
  return Result;
}

/// $3, ${3} or, as a constant without a sign before it, ${3:c}.
PtxToken PtxLexer::argument() {
  PtxToken Result{PtxTokenKind::Argument, ""};
  const bool Braced = Rest.consume_front("{");
  if (Rest.consumeInteger(10, Result.Value) ||
      (Braced && !Rest.consume_front("}") && !Rest.consume_front(":c}")) ||
      Result.Value > std::numeric_limits<unsigned>::max() ||
      isNameAhead(Rest) || Rest.starts_with(".") || Rest.starts_with("$") ||
      Rest.starts_with("%"))
    Result.Kind = PtxTokenKind::Bad;
  return Result;
}

static bool readInteger(StringRef Text, uint64_t &Value) {
  Text.consume_back_insensitive("u");
  unsigned Base = 10;
  if (Text.consume_front_insensitive("0x"))
    Base = 16;
  else if (Text.consume_front_insensitive("0b"))
    Base = 2;
  else if (Text.size() > 1 && Text.front() == '0')
    Base = 8;
  return !Text.getAsInteger(Base, Value);
}

/// The bits behind 0f or 0d.
static bool readFloatBits(StringRef Text, PtxToken &To) {
  for (const unsigned Bits : {32U, 64U})
    if (Text.consume_front_insensitive(Bits == 32 ? "0f" : "0d")) {
      To.FloatBits = Bits;
      return Text.size() == Bits / 4 && !Text.getAsInteger(16, To.Value);
    }
  return false;
}

static bool readFraction(StringRef Text, PtxToken &To) {
  double Value = 0;
  if (Text.find_first_of(".eE") == StringRef::npos ||
      !all_of(Text,
              [](char C) {
                return isDigit(C) || C == '.' || C == 'e' || C == 'E' ||
                       C == '-' || C == '+';
              }) ||
      Text.getAsDouble(Value))
    return false;
  To.Value = bit_cast<uint64_t>(Value);
  To.FloatBits = 64;
  return true;
}

PtxToken PtxLexer::number() {
  PtxToken Result{PtxTokenKind::Integer, ""};
  bool Exponent = false;
  while (!Rest.empty() &&
         (isNameCharacter(Rest.front()) || Rest.front() == '.' ||
          (Exponent && (Rest.front() == '-' || Rest.front() == '+')))) {
    Exponent = toLower(Rest.front()) == 'e' &&
               !StringRef(Result.Text).starts_with_insensitive("0x");
    Result.Text += Rest.front();
    Rest = Rest.drop_front();
  }
  if (!readInteger(Result.Text, Result.Value))
    Result.Kind =
        readFloatBits(Result.Text, Result) || readFraction(Result.Text, Result)
            ? PtxTokenKind::Float
            : PtxTokenKind::Bad;
  if (Rest.starts_with("$") || Rest.starts_with("%"))
    Result.Kind = PtxTokenKind::Bad;
  return Result;
}

PtxToken PtxLexer::string() {
  const size_t End = Rest.find_first_of("\"\n");
  if (End == StringRef::npos || Rest[End] == '\n')
    return {PtxTokenKind::Bad, ""};
  PtxToken Result{PtxTokenKind::String, Rest.take_front(End).str()};
  Rest = Rest.drop_front(End + 1);
  return Result;
}

/// A directive, or a fraction that begins with its point.
PtxToken PtxLexer::dotted() {
  if (Rest.size() > 1 && isDigit(Rest[1]))
    return number();
  Rest = Rest.drop_front();
  if (Rest.empty() || !isAlpha(Rest.front()))
    return {PtxTokenKind::Bad, ""};
  PtxToken Result{PtxTokenKind::Directive, ""};
  while (takeNameCharacter(Result.Text)) {
  }
  return Result;
}

PtxToken PtxLexer::token() {
  if (Rest.empty())
    return {};
  if (isDigit(Rest.front()))
    return number();
  if (isNameAhead(Rest))
    return name("");
  if (Rest.front() == '.')
    return dotted();
  const char First = Rest.front();
  Rest = Rest.drop_front();
  switch (First) {
  case '%':
    return isNameAhead(Rest) ? name("%") : PtxToken{PtxTokenKind::Bad, ""};
  case '$':
    return argument();
  case '"':
    return string();
  default:
    return {StringRef("{}[](),;:|!+-*@<>").contains(First) ? PtxTokenKind::Sign
                                                           : PtxTokenKind::Bad,
            std::string(1, First)};
  }
}

PtxToken PtxLexer::next() {
  skipBlanks();
  const size_t Begin = Size - Rest.size();
  PtxToken Result = token();
  Result.Begin = Begin;
  return Result;
}

} // namespace blockmaestro
