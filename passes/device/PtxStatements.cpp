// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxStatements.h"

#include "PtxTokens.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// A register array with more elements than these is not taken apart.
constexpr uint64_t MostRegisters = 64;

/// Nor is an operand with more braces and signs inside of each other.
constexpr unsigned MostNested = 16;

/// Recursive descent; every function is false where the text is none that is
/// understood.
class Parser {
public:
  explicit Parser(StringRef Text) : Source(Text), Ahead(Source.next()) {}

  std::optional<std::vector<AssemblyStatement>> run();

private:
  AssemblyToken take();
  bool take(char C);
  bool take(AssemblyTokenKind Kind, AssemblyToken &To);
  bool statement();
  bool directive();
  bool registers();
  bool arrayOf(const std::string &Name, AssemblyStatement &To);
  bool place();
  bool pragma();
  bool named();
  bool instruction(std::string Opcode, bool Guarded);
  bool guarded();
  bool operand(AssemblyOperand &To);
  bool primary(AssemblyOperand &To);
  bool negated(AssemblyOperand &To);
  bool leaf(AssemblyOperand &To);
  bool group(AssemblyOperand &To, char Close);
  bool address(AssemblyOperand &To);
  bool displacement(AssemblyOperand &To);
  bool skipAddress();
  bool atEndOfOperand() const;

  AssemblyLexer Source;
  AssemblyToken Ahead;
  unsigned Nesting = 0;
  std::vector<AssemblyStatement> Found;
};

AssemblyToken Parser::take() {
  AssemblyToken Result = std::move(Ahead);
  Ahead = Source.next();
  return Result;
}

bool Parser::take(char C) {
  if (!Ahead.is(C))
    return false;
  take();
  return true;
}

bool Parser::take(AssemblyTokenKind Kind, AssemblyToken &To) {
  if (Ahead.Kind != Kind)
    return false;
  To = take();
  return true;
}

std::optional<std::vector<AssemblyStatement>> Parser::run() {
  unsigned Depth = 0;
  while (Ahead.Kind != AssemblyTokenKind::End) {
    const bool Begins = take('{');
    const bool Ends = !Begins && take('}');
    if (Ends && Depth == 0)
      return std::nullopt;
    Depth += Begins;
    Depth -= Ends;
    if (Begins || Ends) {
      Found.emplace_back().Kind = Begins ? AssemblyStatement::Form::ScopeBegin
                                         : AssemblyStatement::Form::ScopeEnd;
      continue;
    }
    if (!statement())
      return std::nullopt;
  }
  if (Depth > 0)
    return std::nullopt;
  return std::move(Found);
}

bool Parser::statement() {
  if (Ahead.Kind == AssemblyTokenKind::Directive)
    return directive();
  return take('@') ? guarded() : named();
}

/// Each directive that is understood knows where it ends; not all end with a
/// semicolon.
bool Parser::directive() {
  const std::string Name = take().Text;
  if (Name == "reg")
    return registers();
  if (Name == "loc")
    return place();
  return Name == "pragma" && pragma();
}

/// .reg .b64 a, b<3>;
bool Parser::registers() {
  AssemblyStatement Result;
  Result.Kind = AssemblyStatement::Form::Declaration;
  AssemblyToken Type, Name;
  if (!take(AssemblyTokenKind::Directive, Type))
    return false;
  Result.Words.push_back(Type.Text);
  do {
    if (!take(AssemblyTokenKind::Name, Name) ||
        StringRef(Name.Text).contains('.'))
      return false;
    if (!take('<'))
      Result.Names.push_back(Name.Text);
    else if (!arrayOf(Name.Text, Result))
      return false;
  } while (take(','));
  Found.push_back(std::move(Result));
  return take(';');
}

bool Parser::arrayOf(const std::string &Name, AssemblyStatement &To) {
  AssemblyToken Count;
  if (!take(AssemblyTokenKind::Integer, Count) || Count.Value > MostRegisters ||
      !take('>'))
    return false;
  for (uint64_t I = 0; I < Count.Value; ++I)
    To.Names.push_back(Name + std::to_string(I));
  return true;
}

/// .loc FILE LINE COLUMN, without a semicolon.
bool Parser::place() {
  AssemblyToken Unused;
  for (unsigned I = 0; I < 3; ++I)
    if (!take(AssemblyTokenKind::Integer, Unused))
      return false;
  return !Ahead.is(',');
}

/// Other pragmas may say something of the accesses that follow.
bool Parser::pragma() {
  AssemblyToken Text;
  return take(AssemblyTokenKind::String, Text) && Text.Text == "nounroll" &&
         take(';');
}

bool Parser::guarded() {
  AssemblyOperand Guard;
  AssemblyToken Opcode;
  const bool Opposite = take('!');
  if (!primary(Guard) ||
      (Guard.Kind != AssemblyOperand::Form::Register &&
       Guard.Kind != AssemblyOperand::Form::Argument) ||
      !take(AssemblyTokenKind::Name, Opcode) || !instruction(Opcode.Text, true))
    return false;
  Found.back().Guard = std::move(Guard);
  Found.back().Opposite = Opposite;
  return true;
}

/// A label or an instruction.
bool Parser::named() {
  AssemblyToken Name;
  if (!take(AssemblyTokenKind::Name, Name))
    return false;
  if (!take(':'))
    return instruction(Name.Text, false);
  AssemblyStatement &Label = Found.emplace_back();
  Label.Kind = AssemblyStatement::Form::Label;
  Label.Names.push_back(Name.Text);
  return !StringRef(Name.Text).contains('.') && !Ahead.is(':');
}

bool Parser::instruction(std::string Opcode, bool Guarded) {
  AssemblyStatement Result;
  Result.Guarded = Guarded;
  SmallVector<StringRef, 8> Words;
  StringRef(Opcode).split(Words, '.');
  for (StringRef Word : Words)
    Result.Words.push_back(Word.str());
  if (!Ahead.is(';'))
    do {
      if (!operand(Result.Operands.emplace_back()))
        return false;
    } while (take(','));
  Found.push_back(std::move(Result));
  return take(';');
}

bool Parser::atEndOfOperand() const {
  return any_of(StringRef(",;})]"), [&](char C) { return Ahead.is(C); });
}

/// A primary, a pair, or an expression of numbers and names.
bool Parser::operand(AssemblyOperand &To) {
  if (!primary(To))
    return false;
  if (take('|')) {
    AssemblyOperand Pair;
    Pair.Kind = AssemblyOperand::Form::Group;
    Pair.Parts.push_back(std::move(To));
    if (!primary(Pair.Parts.emplace_back()))
      return false;
    To = std::move(Pair);
  }
  if (atEndOfOperand())
    return true;
  AssemblyOperand Sum;
  Sum.Parts.push_back(std::move(To));
  while (!atEndOfOperand())
    if ((!take('+') && !take('-') && !take('*')) ||
        !primary(Sum.Parts.emplace_back()))
      return false;
  To = std::move(Sum);
  return true;
}

bool Parser::primary(AssemblyOperand &To) {
  if (Nesting == MostNested)
    return false;
  ++Nesting;
  bool Good = false;
  if (take('{'))
    Good = group(To, '}');
  else if (take('('))
    Good = Ahead.is(')') ? take(')') : group(To, ')');
  else if (take('['))
    Good = address(To);
  else
    Good = Ahead.is('!') || Ahead.is('-') ? negated(To) : leaf(To);
  --Nesting;
  return Good;
}

/// !p, or the number of opposite sign.
bool Parser::negated(AssemblyOperand &To) {
  const bool Minus = take().is('-');
  AssemblyOperand Inner;
  if (!primary(Inner))
    return false;
  if (Minus && Inner.Kind == AssemblyOperand::Form::Integer) {
    To = std::move(Inner);
    To.Value = static_cast<int64_t>(-static_cast<uint64_t>(To.Value));
  } else {
    To.Parts.push_back(std::move(Inner));
  }
  return true;
}

bool Parser::leaf(AssemblyOperand &To) {
  using Form = AssemblyOperand::Form;
  AssemblyToken Leaf = take();
  To.Name = Leaf.Text;
  To.Number = static_cast<unsigned>(Leaf.Value);
  To.Value = static_cast<int64_t>(Leaf.Value);
  To.Kind = Leaf.Kind == AssemblyTokenKind::Name       ? Form::Register
            : Leaf.Kind == AssemblyTokenKind::Argument ? Form::Argument
            : Leaf.Kind == AssemblyTokenKind::Integer  ? Form::Integer
                                                       : Form::Other;
  return To.Kind != Form::Other || Leaf.Kind == AssemblyTokenKind::Float;
}

bool Parser::group(AssemblyOperand &To, char Close) {
  To.Kind = AssemblyOperand::Form::Group;
  do {
    if (!operand(To.Parts.emplace_back()))
      return false;
  } while (take(','));
  return take(Close);
}

/// After the bracket. Coordinates, sums of several numbers and the like are
/// addresses without parts.
bool Parser::address(AssemblyOperand &To) {
  using Form = AssemblyOperand::Form;
  To.Kind = Form::Address;
  AssemblyOperand Base, Added;
  if (!primary(Base))
    return false;
  const bool Plain = Base.Kind == Form::Register || Base.Kind == Form::Argument;
  if (Plain && take(']')) {
    To.Parts.push_back(std::move(Base));
    return true;
  }
  if (Plain && take('+') && displacement(Added) && take(']')) {
    To.Parts = {std::move(Base), std::move(Added)};
    return true;
  }
  return skipAddress();
}

/// A number or an argument.
bool Parser::displacement(AssemblyOperand &To) {
  return primary(To) && (To.Kind == AssemblyOperand::Form::Integer ||
                         To.Kind == AssemblyOperand::Form::Argument);
}

/// Up to the bracket that closes the one before.
bool Parser::skipAddress() {
  for (unsigned Depth = 1; Depth > 0;) {
    if (Ahead.is(';') || Ahead.Kind == AssemblyTokenKind::End ||
        Ahead.Kind == AssemblyTokenKind::Bad)
      return false;
    Depth += Ahead.is('[');
    Depth -= Ahead.is(']');
    take();
  }
  return true;
}

} // namespace

bool AssemblyOperand::hasAddress() const {
  return Kind == Form::Address ||
         any_of(Parts,
                [](const AssemblyOperand &Part) { return Part.hasAddress(); });
}

std::optional<std::vector<AssemblyStatement>> readAssembly(StringRef Text) {
  return Parser(Text).run();
}

} // namespace blockmaestro
