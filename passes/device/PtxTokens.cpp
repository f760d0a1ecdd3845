// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace blockmaestro {

static bool isNameCharacter(char C) { return isAlnum(C) || C == '_'; }

bool AssemblyLexer::isNameAhead(StringRef At) const {
  return !At.empty() && (isNameCharacter(At.front()) || At.starts_with("$$") ||
                         At.starts_with("${:uid}"));
}

void AssemblyLexer::skipBlanks() {
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
bool AssemblyLexer::takeNameCharacter(std::string &To) {
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
AssemblyToken AssemblyLexer::name(std::string Begun) {
  AssemblyToken Result{AssemblyTokenKind::Name, std::move(Begun)};
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
  if (Result.Text == "%" || Rest.starts_with("$") || Rest.starts_with("%"))
    Result.Kind = AssemblyTokenKind::Bad;
  return Result;
}

/// Only in its plain form: $3 or ${3}.
AssemblyToken AssemblyLexer::argument() {
  AssemblyToken Result{AssemblyTokenKind::Argument, ""};
  const bool Braced = Rest.consume_front("{");
  if (Rest.consumeInteger(10, Result.Value) ||
      (Braced && !Rest.consume_front("}")) || isNameAhead(Rest) ||
      Rest.starts_with(".") || Rest.starts_with("$") || Rest.starts_with("%"))
    Result.Kind = AssemblyTokenKind::Bad;
  return Result;
}

static bool isInteger(StringRef Text, uint64_t &Value) {
  Text.consume_back("U");
  unsigned Base = 10;
  if (Text.consume_front("0x") || Text.consume_front("0X"))
    Base = 16;
  else if (Text.consume_front("0b") || Text.consume_front("0B"))
    Base = 2;
  else if (Text.size() > 1 && Text.front() == '0')
    Base = 8;
  return !Text.getAsInteger(Base, Value);
}

static bool isFloat(StringRef Text) {
  double Unused = 0;
  for (const auto &[Prefix, Digits] : {std::pair("0f", 8), std::pair("0d", 16)})
    if (Text.starts_with_insensitive(Prefix))
      return Text.size() == size_t(Digits) + 2 &&
             all_of(Text.drop_front(2), isHexDigit);
  return all_of(Text,
                [](char C) {
                  return isDigit(C) || C == '.' || C == 'e' || C == 'E' ||
                         C == '-' || C == '+';
                }) &&
         !Text.getAsDouble(Unused);
}

AssemblyToken AssemblyLexer::number() {
  AssemblyToken Result{AssemblyTokenKind::Integer, ""};
  bool Exponent = false;
  while (!Rest.empty() &&
         (isNameCharacter(Rest.front()) || Rest.front() == '.' ||
          (Exponent && (Rest.front() == '-' || Rest.front() == '+')))) {
    Exponent = toLower(Rest.front()) == 'e' &&
               !StringRef(Result.Text).starts_with_insensitive("0x");
    Result.Text += Rest.front();
    Rest = Rest.drop_front();
  }
  if (!isInteger(Result.Text, Result.Value))
    Result.Kind = isFloat(Result.Text) ? AssemblyTokenKind::Float
                                       : AssemblyTokenKind::Bad;
  if (Rest.starts_with("$") || Rest.starts_with("%"))
    Result.Kind = AssemblyTokenKind::Bad;
  return Result;
}

AssemblyToken AssemblyLexer::string() {
  const size_t End = Rest.find_first_of("\"\n");
  if (End == StringRef::npos || Rest[End] == '\n')
    return {AssemblyTokenKind::Bad, ""};
  AssemblyToken Result{AssemblyTokenKind::String, Rest.take_front(End).str()};
  Rest = Rest.drop_front(End + 1);
  return Result;
}

AssemblyToken AssemblyLexer::next() {
  skipBlanks();
  if (Rest.empty())
    return {};
  if (isDigit(Rest.front()))
    return number();
  if (isNameAhead(Rest))
    return name("");
  const char First = Rest.front();
  Rest = Rest.drop_front();
  switch (First) {
  case '%':
    return isNameAhead(Rest) ? name("%")
                             : AssemblyToken{AssemblyTokenKind::Bad, ""};
  case '$':
    return argument();
  case '"':
    return string();
  case '.':
    if (!Rest.empty() && isAlpha(Rest.front())) {
      AssemblyToken Result{AssemblyTokenKind::Directive, ""};
      while (takeNameCharacter(Result.Text)) {
      }
      return Result;
    }
    return {AssemblyTokenKind::Bad, ""};
  default:
    return {StringRef("{}[](),;:|!+-*@<>").contains(First)
                ? AssemblyTokenKind::Sign
                : AssemblyTokenKind::Bad,
            std::string(1, First)};
  }
}

} // namespace blockmaestro
