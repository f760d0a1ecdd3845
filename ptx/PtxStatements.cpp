// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxStatements.h"

#include "PtxTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <utility>

using namespace llvm;

namespace blockmaestro {

namespace {

/// A register array with more elements than these is not taken apart.
constexpr uint64_t MostRegisters = 4096;

/// Nor is an operand with more braces and signs inside of each other.
constexpr unsigned MostNested = 16;

/// Recursive descent; every function is false where the text is none that is
/// understood.
class Parser {
public:
  explicit Parser(StringRef Text)
      : Text(Text), Source(Text), Ahead(Source.next()) {}

  Result<std::vector<PtxStatement>> run();

private:
  PtxToken take();
  bool take(char C);
  bool take(PtxTokenKind Kind, PtxToken &To);
  bool fail(const char *Expected);
  bool scope(bool Begins);
  bool statement();
  bool directive();
  bool registers();
  bool arrayOf(const std::string &Name, PtxStatement &To);
  bool place();
  bool pragma();
  bool guarded();
  bool named();
  bool instruction(StringRef Opcode, PtxStatement Begun);
  bool endOfStatement();
  bool operand(PtxOperand &To);
  bool expression(PtxOperand &To);
  bool primary(PtxOperand &To);
  bool prefixed(PtxOperand &To);
  bool leaf(PtxOperand &To);
  bool group(PtxOperand &To, char Close);
  static bool unwrap(PtxOperand &To);
  bool address(PtxOperand &To);
  bool knownAddress(PtxOperand &To);
  bool skipAddress();
  bool isAtEndOf(StringRef Signs) const;

  StringRef Text;
  PtxLexer Source;
  PtxToken Ahead;
  unsigned Nesting = 0;
  unsigned Depth = 0; ///< Scopes that are open.
  std::vector<PtxStatement> Found;
  std::string Error;
};

PtxToken Parser::take() {
  PtxToken Result = std::move(Ahead);
  Ahead = Source.next();
  return Result;
}

bool Parser::take(char C) {
  if (!Ahead.is(C))
    return false;
  take();
  return true;
}

bool Parser::take(PtxTokenKind Kind, PtxToken &To) {
  if (Ahead.Kind != Kind)
    return false;
  To = take();
  return true;
}

/// The first failure is the one that is reported.
bool Parser::fail(const char *Expected) {
  const StringRef Place =
      Text.drop_front(Ahead.Begin).take_until([](char C) { return C == '\n'; });
  if (Error.empty())
    Error = std::string("expected ") + Expected + " at '" +
            Place.take_front(40).str() + "'";
  return false;
}

Result<std::vector<PtxStatement>> Parser::run() {
  bool Good = true;
  while (Good && Ahead.Kind != PtxTokenKind::End)
    if (take('{'))
      Good = scope(/*Begins=*/true);
    else if (Ahead.is('}'))
      Good = Depth > 0 ? scope(/*Begins=*/false) : fail("balanced braces");
    else
      Good = take(';') || statement();
  if (Good && Depth > 0)
    Good = fail("balanced braces");
  if (!Good)
    return Status(StatusCode::Unsupported, Error);
  return std::move(Found);
}

bool Parser::scope(bool Begins) {
  if (!Begins)
    take();
  Depth += Begins ? 1 : -1;
  Found.emplace_back().Kind =
      Begins ? PtxStatementKind::ScopeBegin : PtxStatementKind::ScopeEnd;
  return true;
}

bool Parser::statement() {
  if (Ahead.Kind == PtxTokenKind::Directive)
    return directive();
  return take('@') ? guarded() : named();
}

/// Each directive that is understood knows where it ends; not all end with a
/// semicolon.
bool Parser::directive() {
  if (Ahead.Text == "reg")
    return registers();
  if (Ahead.Text == "loc")
    return place();
  return Ahead.Text == "pragma" ? pragma() : fail("a directive that is known");
}

/// .reg .b64 a, b<3>;
bool Parser::registers() {
  PtxStatement Result;
  Result.Kind = PtxStatementKind::Declaration;
  PtxToken Type, Name;
  take();
  if (!take(PtxTokenKind::Directive, Type))
    return fail("the type of a register");
  Result.Words.push_back(Type.Text);
  do {
    if (!take(PtxTokenKind::Name, Name) || StringRef(Name.Text).contains('.'))
      return fail("the name of a register");
    if (!take('<'))
      Result.Names.push_back(Name.Text);
    else if (!arrayOf(Name.Text, Result))
      return fail("a count of registers");
  } while (take(','));
  Found.push_back(std::move(Result));
  return endOfStatement();
}

bool Parser::arrayOf(const std::string &Name, PtxStatement &To) {
  PtxToken Count;
  if (!take(PtxTokenKind::Integer, Count) || Count.Value > MostRegisters ||
      !take('>'))
    return false;
  for (uint64_t I = 0; I < Count.Value; ++I)
    To.Names.push_back(Name + std::to_string(I));
  return true;
}

/// .loc FILE LINE COLUMN, without a semicolon.
bool Parser::place() {
  PtxToken Unused;
  take();
  for (unsigned I = 0; I < 3; ++I)
    if (!take(PtxTokenKind::Integer, Unused))
      return fail("a line and a column");
  return !Ahead.is(',') || fail("a .loc of three numbers");
}

/// Other pragmas may say something of the accesses that follow.
bool Parser::pragma() {
  PtxToken Word;
  take();
  if (!take(PtxTokenKind::String, Word) || Word.Text != "nounroll")
    return fail("the pragma \"nounroll\"");
  return take(';') || fail("';'");
}

bool Parser::guarded() {
  PtxStatement Result;
  PtxToken Opcode;
  Result.Guarded = true;
  if (!primary(Result.Guard))
    return false;
  if (Result.Guard.Kind != PtxOperandKind::Register &&
      Result.Guard.Kind != PtxOperandKind::Argument)
    return fail("a predicate before the instruction");
  if (!take(PtxTokenKind::Name, Opcode))
    return fail("an instruction");
  return instruction(Opcode.Text, std::move(Result));
}

/// A label or an instruction.
bool Parser::named() {
  PtxToken Name;
  if (!take(PtxTokenKind::Name, Name))
    return fail("an instruction");
  if (!take(':'))
    return instruction(Name.Text, {});
  PtxStatement &Label = Found.emplace_back();
  Label.Kind = PtxStatementKind::Label;
  Label.Names.push_back(Name.Text);
  return (!StringRef(Name.Text).contains('.') && !Ahead.is(':')) ||
         fail("a label");
}

bool Parser::instruction(StringRef Opcode, PtxStatement Begun) {
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  for (StringRef Word : Words)
    Begun.Words.push_back(Word.str());
  if (!isAtEndOf(";}"))
    do {
      if (!operand(Begun.Operands.emplace_back()))
        return false;
    } while (take(','));
  Found.push_back(std::move(Begun));
  return endOfStatement();
}

bool Parser::endOfStatement() {
  return take(';') || isAtEndOf("}") || fail("';'");
}

/// The end of the text is the end of anything.
bool Parser::isAtEndOf(StringRef Signs) const {
  return Ahead.Kind == PtxTokenKind::End ||
         any_of(Signs, [&](char C) { return Ahead.is(C); });
}

bool isIntegerOperand(const PtxOperand &Operand) { return Operand.isInteger(); }

/// A primary, a pair, or an expression of numbers and names.
bool Parser::operand(PtxOperand &To) {
  if (!primary(To))
    return false;
  if (take('|')) {
    PtxOperand Pair;
    Pair.Kind = PtxOperandKind::Pair;
    Pair.Elements.push_back(std::move(To));
    if (!primary(Pair.Elements.emplace_back()))
      return false;
    To = std::move(Pair);
  }
  return isAtEndOf(",;})]") || expression(To);
}

/// What follows the first term To of an expression; one of integers alone is
/// its value, products before sums.
bool Parser::expression(PtxOperand &To) {
  PtxOperand All;
  All.Kind = PtxOperandKind::Expression;
  All.Elements.push_back(std::move(To));
  uint64_t Sum = 0, Product = All.Elements[0].Bits;
  while (!isAtEndOf(",;})]")) {
    const bool Times = take('*'), Minus = !Times && take('-');
    if (!Times && !Minus && !take('+'))
      return fail("';'");
    PtxOperand &Next = All.Elements.emplace_back();
    if (!primary(Next))
      return false;
    if (!Times)
      Sum += std::exchange(Product, Minus ? -1 : 1);
    Product *= Next.Bits;
  }
  To = std::move(All);
  if (all_of(To.Elements, isIntegerOperand)) {
    To = {};
    To.Kind = PtxOperandKind::Immediate;
    To.Bits = Sum + Product;
  }
  return true;
}

bool Parser::primary(PtxOperand &To) {
  if (Nesting == MostNested)
    return fail("fewer braces inside of each other");
  ++Nesting;
  bool Good = false;
  if (take('{')) {
    To.Kind = PtxOperandKind::Vector;
    Good = group(To, '}');
  } else if (take('(')) {
    To.Kind = PtxOperandKind::Parenthesized;
    Good = take(')') || (group(To, ')') && unwrap(To));
  } else if (take('[')) {
    Good = address(To);
  } else {
    Good = Ahead.is('!') || Ahead.is('-') || Ahead.is('+') ? prefixed(To)
                                                           : leaf(To);
  }
  --Nesting;
  return Good;
}

/// !p, or a number with its sign.
bool Parser::prefixed(PtxOperand &To) {
  const PtxToken Sign = take();
  if (!primary(To))
    return false;
  const bool IsNumber = To.Kind == PtxOperandKind::Immediate && !To.Negated;
  if (Sign.is('!')) {
    To.Negated = !To.Negated;
  } else if (IsNumber && Sign.is('-')) {
    To.Bits =
        To.FloatBits ? To.Bits ^ uint64_t(1) << (To.FloatBits - 1) : -To.Bits;
  } else if (!IsNumber) {
    PtxOperand Signed;
    Signed.Kind = PtxOperandKind::Expression;
    Signed.Elements.push_back(std::move(To));
    To = std::move(Signed);
  }
  return true;
}

bool Parser::leaf(PtxOperand &To) {
  switch (Ahead.Kind) {
  case PtxTokenKind::Name:
    To.Kind =
        Ahead.Text == "_" ? PtxOperandKind::Sink : PtxOperandKind::Register;
    To.Name = take().Text;
    return true;
  case PtxTokenKind::Argument:
    To.Kind = PtxOperandKind::Argument;
    To.Number = static_cast<unsigned>(take().Value);
    return true;
  case PtxTokenKind::Integer:
  case PtxTokenKind::Float:
    To.Kind = PtxOperandKind::Immediate;
    To.FloatBits = Ahead.FloatBits;
    To.Bits = take().Value;
    return true;
  default:
    return fail("an operand");
  }
}

bool Parser::group(PtxOperand &To, char Close) {
  do {
    if (!operand(To.Elements.emplace_back()))
      return false;
  } while (take(','));
  return take(Close) || fail("the end of a list");
}

/// A number in parentheses is that number.
bool Parser::unwrap(PtxOperand &To) {
  if (To.Elements.size() == 1 && To.Elements[0].isInteger())
    To = PtxOperand(To.Elements[0]);
  return true;
}

/// After the bracket. What is no address of a known form is skipped.
bool Parser::address(PtxOperand &To) {
  const PtxLexer SourceBefore = Source;
  const PtxToken AheadBefore = Ahead;
  const std::string ErrorBefore = Error;
  if (knownAddress(To))
    return true;
  Source = SourceBefore;
  Ahead = AheadBefore;
  Error = ErrorBefore;
  To = {};
  To.Kind = PtxOperandKind::Address;
  return skipAddress();
}

/// A register, an argument or a number.
bool isTerm(const PtxOperand &Operand) {
  return !Operand.Negated &&
         (Operand.Kind == PtxOperandKind::Register ||
          Operand.Kind == PtxOperandKind::Argument || Operand.isInteger());
}

/// A term, plus a term or a sum of numbers; or a term and coordinates.
bool Parser::knownAddress(PtxOperand &To) {
  To.Kind = PtxOperandKind::Address;
  if (Ahead.is('[') || !primary(To.Elements.emplace_back()) ||
      !isTerm(To.Elements[0]))
    return false;
  if (take(',')) {
    To.Kind = PtxOperandKind::Coordinates;
    return group(To, ']');
  }
  if (take('+') || Ahead.is('-')) {
    PtxOperand Added;
    if (!operand(Added) || !isTerm(Added))
      return false;
    if (Added.Kind == PtxOperandKind::Immediate)
      To.Offset = static_cast<int64_t>(Added.Bits);
    else
      To.Elements.push_back(std::move(Added));
  }
  return take(']');
}

/// Up to the bracket that closes the one before.
bool Parser::skipAddress() {
  for (unsigned Open = 1; Open > 0;) {
    if (isAtEndOf(";") || Ahead.Kind == PtxTokenKind::Bad)
      return fail("']'");
    Open += Ahead.is('[');
    Open -= Ahead.is(']');
    take();
  }
  return true;
}

} // namespace

bool PtxOperand::hasAddress() const {
  return Kind == PtxOperandKind::Address ||
         Kind == PtxOperandKind::Coordinates ||
         any_of(Elements,
                [](const PtxOperand &Part) { return Part.hasAddress(); });
}

std::string PtxStatement::opcode() const { return join(Words, "."); }

Result<std::vector<PtxStatement>> readPtx(StringRef Text) {
  return Parser(Text).run();
}

} // namespace blockmaestro
