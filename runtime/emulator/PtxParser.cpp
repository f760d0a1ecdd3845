// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Of one declaration such as r<4>.
constexpr uint64_t MostRegisters = 4096;

bool isNameStart(char C) {
  return isAlpha(C) || C == '_' || C == '%' || C == '$';
}

bool isNamePart(char C) { return isAlnum(C) || C == '_' || C == '$'; }

/// Recursive descent over the characters; the first error stops everything.
class Parsing {
public:
  explicit Parsing(StringRef Text) : Rest(Text) {}

  Result<std::vector<PtxStatement>> run();

private:
  void skipSpace();
  bool consume(char C);
  bool fail(const char *What);
  StringRef name(bool WithDots);
  bool remark();
  bool statement();
  bool declaration(PtxStatement &S);
  bool declareOnce(StringRef Name, uint64_t Count);
  bool instruction(PtxStatement &S);
  bool operand(PtxOperand &Out);
  bool primary(PtxOperand &Out);
  bool list(PtxOperand &Out, char Close);
  bool address(PtxOperand &Out);
  bool argument(PtxOperand &Out);
  bool immediate(PtxOperand &Out);
  bool number(uint64_t &Out);

  StringRef Rest;
  std::vector<PtxStatement> Out;
  std::vector<StringSet<>> Scopes{1}; ///< The registers of those that are open.
  std::string Error;
};

/// Skips white space and both kinds of comments.
void Parsing::skipSpace() {
  for (;;) {
    Rest = Rest.ltrim();
    if (Rest.starts_with("//"))
      Rest = Rest.drop_front(std::min(Rest.find('\n'), Rest.size()));
    else if (Rest.starts_with("/*"))
      Rest = Rest.drop_front(std::min(Rest.find("*/", 2), Rest.size() - 2) + 2);
    else
      return;
  }
}

bool Parsing::consume(char C) {
  skipSpace();
  if (!Rest.starts_with(C))
    return false;
  Rest = Rest.drop_front();
  return true;
}

bool Parsing::fail(const char *What) {
  if (Error.empty())
    Error =
        std::string("expected ") + What + " at '" +
        Rest.take_until([](char C) { return C == '\n'; }).take_front(40).str() +
        "'";
  return false;
}

/// A name, with its dotted parts when \p WithDots ("add.rn.f32", "%tid.x",
/// "ld.global.L2::128B"); empty when there is none.
StringRef Parsing::name(bool WithDots) {
  skipSpace();
  size_t End = 0;
  if (!Rest.empty() && isNameStart(Rest[0]))
    End = 1;
  while (End && End < Rest.size()) {
    if (isNamePart(Rest[End]))
      ++End;
    else if (WithDots && Rest[End] == '.' && End + 1 < Rest.size() &&
             isNamePart(Rest[End + 1]))
      ++End;
    else if (WithDots && Rest.substr(End, 2) == "::")
      End += 2;
    else
      break;
  }
  StringRef Name = Rest.take_front(End);
  Rest = Rest.drop_front(End);
  return Name;
}

bool Parsing::number(uint64_t &Out) {
  bool Minus = consume('-');
  skipSpace();
  unsigned Base = 10;
  if (Rest.starts_with_insensitive("0x")) {
    Base = 16;
    Rest = Rest.drop_front(2);
  } else if (Rest.starts_with_insensitive("0b")) {
    Base = 2;
    Rest = Rest.drop_front(2);
  } else if (Rest.size() > 1 && Rest[0] == '0' && isDigit(Rest[1])) {
    Base = 8;
  }
  if (Rest.consumeInteger(Base, Out))
    return fail("a number");
  if (Rest.starts_with("U") || Rest.starts_with("u"))
    Rest = Rest.drop_front();
  if (Minus)
    Out = -Out;
  return true;
}

/// An integer, 0fHEX, 0dHEX or a decimal fraction.
bool Parsing::immediate(PtxOperand &Out) {
  Out.Kind = PtxOperandKind::Immediate;
  skipSpace();
  for (auto [Prefix, Bits] : {std::pair("0f", 32U), std::pair("0d", 64U)})
    if (Rest.starts_with_insensitive(Prefix)) {
      StringRef Digits = Rest.substr(2, Bits / 4);
      if (Digits.size() != Bits / 4 || Digits.getAsInteger(16, Out.Bits))
        return fail("the digits of a floating-point number");
      Out.FloatBits = Bits;
      Rest = Rest.drop_front(2 + Digits.size());
      return true;
    }
  StringRef Decimal = Rest.take_while(
      [](char C) { return isDigit(C) || C == '.' || C == '-' || C == '+'; });
  if (!Decimal.contains('.'))
    return number(Out.Bits);
  StringRef Exponent = Rest.drop_front(Decimal.size());
  size_t Length = Decimal.size();
  if (Exponent.starts_with_insensitive("e"))
    Length += 1 + Exponent.drop_front()
                      .take_while([](char C) {
                        return isDigit(C) || C == '-' || C == '+';
                      })
                      .size();
  double Value;
  if (Rest.take_front(Length).getAsDouble(Value))
    return fail("a number");
  Out.Bits = bit_cast<uint64_t>(Value);
  Out.FloatBits = 64;
  Rest = Rest.drop_front(Length);
  return true;
}

/// $N, ${N} or, as a plain constant, ${N:c}.
bool Parsing::argument(PtxOperand &Out) {
  Out.Kind = PtxOperandKind::Argument;
  bool Braced = consume('{');
  if (Rest.consumeInteger(10, Out.Number))
    return fail("the number of an operand");
  if (Braced)
    Rest.consume_front(":c");
  return !Braced || consume('}') || fail("}");
}

bool Parsing::list(PtxOperand &Out, char Close) {
  do {
    if (!operand(Out.Elements.emplace_back()))
      return false;
  } while (consume(','));
  return consume(Close) || fail(Close == '}' ? "}" : "]");
}

/// [ base ], [ base + number ], [ base - number ]; of textures [ a, { b, c } ].
bool Parsing::address(PtxOperand &Out) {
  Out.Kind = PtxOperandKind::Address;
  if (!primary(Out.Elements.emplace_back()))
    return false;
  skipSpace();
  bool Plus = consume('+');
  skipSpace();
  if (Plus || Rest.starts_with("-")) {
    PtxOperand Added;
    if (!primary(Added))
      return false;
    if (Added.Kind == PtxOperandKind::Immediate)
      Out.Offset = int64_t(Added.Bits);
    else
      Out.Elements.push_back(Added);
  }
  if (!consume(','))
    return consume(']') || fail("]");
  Out.Kind = PtxOperandKind::Coordinates;
  return list(Out, ']');
}

bool Parsing::primary(PtxOperand &Out) {
  skipSpace();
  if (consume('{')) {
    Out.Kind = PtxOperandKind::Vector;
    return list(Out, '}');
  }
  if (consume('['))
    return address(Out);
  if (Rest.size() > 1 && Rest[0] == '$' && Rest[1] != '$' &&
      (isDigit(Rest[1]) || Rest[1] == '{')) {
    Rest = Rest.drop_front();
    return argument(Out);
  }
  if (!Rest.empty() && isNameStart(Rest[0])) {
    Out.Name = name(/*WithDots=*/Rest[0] == '%');
    Out.Kind =
        Out.Name == "_" ? PtxOperandKind::Sink : PtxOperandKind::Register;
    return true;
  }
  return immediate(Out);
}

/// a primary, !p, or a|b.
bool Parsing::operand(PtxOperand &Out) {
  Out.Negated = consume('!');
  if (!primary(Out))
    return false;
  if (!consume('|'))
    return true;
  PtxOperand Pair;
  Pair.Kind = PtxOperandKind::Pair;
  Pair.Elements.push_back(Out);
  if (!primary(Pair.Elements.emplace_back()))
    return false;
  Out = std::move(Pair);
  return true;
}

/// Notes that Name, or Name0 .. of an array, is declared. A name that an outer
/// scope has is refused: here all scopes are one.
bool Parsing::declareOnce(StringRef Name, uint64_t Count) {
  for (uint64_t N = 0; N < std::max<uint64_t>(Count, 1); ++N) {
    const std::string Full =
        Count ? (Name + std::to_string(N)).str() : Name.str();
    if (any_of(Scopes, [&](const StringSet<> &S) { return S.contains(Full); }))
      return fail("a name that is declared once");
    Scopes.back().insert(Full);
  }
  return true;
}

/// .reg .type name, name, ...; the dot of .reg has been seen.
bool Parsing::declaration(PtxStatement &S) {
  S.Kind = PtxStatementKind::Declaration;
  StringRef Words = name(/*WithDots=*/true);
  if (!Words.consume_front("reg"))
    return fail("'.reg'");
  Words.consume_front(".");
  if (Words.empty() && consume('.'))
    Words = name(/*WithDots=*/true);
  S.Opcode = Words;
  do {
    PtxOperand &Declared = S.Operands.emplace_back();
    Declared.Kind = PtxOperandKind::Register;
    Declared.Name = name(/*WithDots=*/false);
    if (Declared.Name.empty())
      return fail("the name of a register");
    uint64_t Count = 0;
    if (consume('<') &&
        (!number(Count) || Count > MostRegisters || !consume('>')))
      return fail("a count of registers");
    Declared.Bits = Count;
    if (!declareOnce(Declared.Name, Count))
      return false;
  } while (consume(','));
  return true;
}

bool Parsing::instruction(PtxStatement &S) {
  if (consume('@')) {
    S.Guarded = true;
    S.Guard.Negated = consume('!');
    bool Negated = S.Guard.Negated;
    if (!primary(S.Guard))
      return false;
    S.Guard.Negated = Negated;
  }
  S.Opcode = name(/*WithDots=*/true);
  if (S.Opcode.empty())
    return fail("an instruction");
  if (!S.Guarded && consume(':')) {
    S.Kind = PtxStatementKind::Label;
    return true;
  }
  skipSpace();
  while (!Rest.empty() && Rest[0] != ';' && Rest[0] != '}') {
    if (!operand(S.Operands.emplace_back()))
      return false;
    if (!consume(','))
      break;
    skipSpace();
  }
  return true;
}

/// What changes nothing: .pragma "nounroll"; or .loc FILE LINE COLUMN, without
/// a semicolon. False, and nothing is read, where none is here.
bool Parsing::remark() {
  const StringRef Before = Rest;
  const StringRef Word = consume('.') ? name(/*WithDots=*/false) : StringRef();
  skipSpace();
  if (Word == "pragma" && Rest.consume_front("\"nounroll\"") && consume(';'))
    return true;
  uint64_t Unused = 0;
  if (Word == "loc" && number(Unused) && number(Unused) && number(Unused) &&
      !consume(','))
    return true;
  Rest = Before;
  return false;
}

/// One statement with its semicolon; scopes are flat, see declareOnce().
bool Parsing::statement() {
  StringRef From = Rest;
  PtxStatement S;
  bool Good = consume('.') ? declaration(S) : instruction(S);
  if (!Good)
    return false;
  S.Text = From.take_front(From.size() - Rest.size()).trim();
  skipSpace();
  if (S.Kind != PtxStatementKind::Label && !consume(';') && !Rest.empty() &&
      Rest[0] != '}')
    return fail("';'");
  Out.push_back(std::move(S));
  return true;
}

Result<std::vector<PtxStatement>> Parsing::run() {
  for (skipSpace(); !Rest.empty(); skipSpace()) {
    if (consume('{'))
      Scopes.emplace_back();
    else if (Scopes.size() > 1 && consume('}'))
      Scopes.pop_back();
    else if (!consume(';') && !remark() && !statement())
      break;
  }
  if (Error.empty() && Scopes.size() != 1)
    fail("balanced braces");
  if (!Error.empty())
    return Status(StatusCode::Unsupported, Error);
  return std::move(Out);
}

} // namespace

Result<std::vector<PtxStatement>> parsePtx(StringRef Text) {
  return Parsing(Text).run();
}

} // namespace blockmaestro
