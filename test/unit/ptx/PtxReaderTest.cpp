// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a text of PTX is taken apart into, whoever reads it, and which place of
// one that is none is named.

#include "PtxOpcodes.h"
#include "PtxStatements.h"
#include "PtxTypes.h"

#include "gtest/gtest.h"

#include <iterator>
#include <random>

using namespace blockmaestro;

namespace {

/// Why Text is not taken apart; empty where it is.
std::string refusalOf(const std::string &Text) {
  const Result<std::vector<PtxStatement>> Read = readPtx(Text);
  return Read.ok() ? "" : Read.status().message();
}

/// The first operand of the only statement of Text.
PtxOperand operandOf(const std::string &Text) {
  const Result<std::vector<PtxStatement>> Read = readPtx(Text);
  return Read.ok() && Read->size() == 1 && !Read->front().Operands.empty()
             ? Read->front().Operands[0]
             : PtxOperand();
}

} // namespace

TEST(PtxReader, PartsOfStatements) {
  const auto Read = readPtx("{ .reg .b32 a, b<2>; L${:uid}: "
                            "@!p ld.global.v2.u32 {a, _}, [$1+-8]; }");
  ASSERT_TRUE(Read.ok());
  ASSERT_EQ(Read->size(), 5U);
  EXPECT_EQ((*Read)[0].Kind, PtxStatementKind::ScopeBegin);
  EXPECT_EQ((*Read)[1].Names, (std::vector<std::string>{"a", "b0", "b1"}));
  EXPECT_EQ((*Read)[1].opcode(), "b32");
  EXPECT_EQ((*Read)[2].Kind, PtxStatementKind::Label);
  EXPECT_EQ((*Read)[2].Names[0], "L${:uid}");
  const PtxStatement &Load = (*Read)[3];
  EXPECT_TRUE(Load.Guarded);
  EXPECT_TRUE(Load.Guard.Negated);
  EXPECT_EQ(Load.opcode(), "ld.global.v2.u32");
  EXPECT_EQ(Load.Operands[0].Kind, PtxOperandKind::Vector);
  EXPECT_EQ(Load.Operands[0].Elements[1].Kind, PtxOperandKind::Sink);
  EXPECT_EQ(Load.Operands[1].Elements[0].Number, 1U);
  EXPECT_EQ(Load.Operands[1].Offset, -8);
  EXPECT_EQ((*Read)[4].Kind, PtxStatementKind::ScopeEnd);
}

TEST(PtxReader, FormsOfOperands) {
  const struct {
    const char *Text;
    PtxOperandKind Kind;
    size_t Elements;
  } Cases[] = {
      {"x a;", PtxOperandKind::Register, 0},
      {"x %tid.x;", PtxOperandKind::Register, 0},
      {"x%tid.x;", PtxOperandKind::Register, 0},
      {"x $$a;", PtxOperandKind::Register, 0},
      {"x _;", PtxOperandKind::Sink, 0},
      {"x $3;", PtxOperandKind::Argument, 0},
      {"x ${3:c};", PtxOperandKind::Argument, 0},
      {"x {a, {b, 1}};", PtxOperandKind::Vector, 2},
      {"x (a), b;", PtxOperandKind::Parenthesized, 1},
      {"x (1, 2);", PtxOperandKind::Parenthesized, 2},
      {"x ();", PtxOperandKind::Parenthesized, 0},
      {"x a|!b;", PtxOperandKind::Pair, 2},
      {"x 4 + 2 * b;", PtxOperandKind::Expression, 3},
      {"x -a;", PtxOperandKind::Expression, 1},
      {"x +a;", PtxOperandKind::Expression, 1},
      {"x [a];", PtxOperandKind::Address, 1},
      {"x [a - 4];", PtxOperandKind::Address, 1},
      {"x [a + $1];", PtxOperandKind::Address, 2},
      {"x [a + 1.5];", PtxOperandKind::Address, 0},
      {"x [a + 4 + 4];", PtxOperandKind::Address, 1},
      {"x [a + b + 4];", PtxOperandKind::Address, 0},
      {"x [a - $1];", PtxOperandKind::Address, 0},
      {"x [[a]];", PtxOperandKind::Address, 0},
      {"x [a, {b, c}];", PtxOperandKind::Coordinates, 2},
      {"x [a + 4, {b}];", PtxOperandKind::Address, 0},
  };
  for (const auto &Case : Cases) {
    const PtxOperand Operand = operandOf(Case.Text);
    EXPECT_EQ(Operand.Kind, Case.Kind) << Case.Text;
    EXPECT_EQ(Operand.Elements.size(), Case.Elements) << Case.Text;
  }
  EXPECT_EQ(operandOf("x [a - 4];").Offset, -4);
  EXPECT_EQ(operandOf("x [a + 4 - 2 * 8];").Offset, -12);
  EXPECT_EQ(operandOf("x ${3:c};").Number, 3U);
  EXPECT_TRUE(operandOf("x {1, [a, 2]};").hasAddress());
}

TEST(PtxReader, Numbers) {
  const struct {
    const char *Text;
    uint64_t Bits;
    unsigned FloatBits;
  } Cases[] = {
      {"x 10;", 10, 0},
      {"x 0x1fU;", 31, 0},
      {"x 0b101u;", 5, 0},
      {"x 017;", 15, 0},
      {"x -1;", ~0ULL, 0},
      {"x +1;", 1, 0},
      {"x +1.5;", 0x3ff8000000000000, 64},
      {"x 1 + 2 * 3 - 4;", 3, 0},
      {"x 20 - 2 * 3 * 2;", 8, 0},
      {"x (1 + 2) * (3);", 9, 0},
      {"x 0f3F800000;", 0x3f800000, 32},
      {"x -0f3F800000;", 0xbf800000, 32},
      {"x 0d3FF0000000000000;", 0x3ff0000000000000, 64},
      {"x 1.5;", 0x3ff8000000000000, 64},
      {"x .5;", 0x3fe0000000000000, 64},
      {"x 15e-1;", 0x3ff8000000000000, 64},
      {"x -1.5E+0;", 0xbff8000000000000, 64},
  };
  for (const auto &Case : Cases) {
    const PtxOperand Number = operandOf(Case.Text);
    EXPECT_EQ(Number.Kind, PtxOperandKind::Immediate) << Case.Text;
    EXPECT_EQ(Number.Bits, Case.Bits) << Case.Text;
    EXPECT_EQ(Number.FloatBits, Case.FloatBits) << Case.Text;
  }
}

TEST(PtxReader, LastSemicolonMayBeLeftOut) {
  for (const char *Text : {"x a", "{ x a }", "{ .reg .b32 a }", "x", ";; x;"})
    EXPECT_EQ(refusalOf(Text), "") << Text;
}

TEST(PtxReader, PlaceThatIsNotUnderstood) {
  const struct {
    const char *Text;
    const char *Refusal;
  } Cases[] = {
      {"x a b;\nx;", "expected ';' at 'b;'"},
      {"x [a", "expected ']' at ''"},
      {"x [a;", "expected ']' at ';'"},
      {"x {a;", "expected the end of a list at ';'"},
      {"x a,;", "expected an operand at ';'"},
      {"x a$1;", "expected an operand at 'a$1;'"},
      {"x $1a;", "expected an operand at '$1a;'"},
      {"x 08;", "expected an operand at '08;'"},
      {"x 0f12;", "expected an operand at '0f12;'"},
      {"x \"a\";", "expected an operand at '\"a\";'"},
      {"{ x;", "expected balanced braces at ''"},
      {"x; }", "expected balanced braces at '}'"},
      {"@4 x;", "expected a predicate before the instruction at 'x;'"},
      {"@p", "expected an instruction at ''"},
      {"a.b: x;", "expected a label at 'x;'"},
      {".align 4;", "expected a directive that is known at '.align 4;'"},
      {".reg x;", "expected the type of a register at 'x;'"},
      {".reg .v2 .b32 x;", "expected the name of a register at '.b32 x;'"},
      {".reg .b32 x<4097>;", "expected a count of registers at '>;'"},
      {".loc 1 2, x;", "expected a line and a column at ', x;'"},
      {".pragma \"other\";", "expected the pragma \"nounroll\" at ';'"},
      {"x ((((((((((((((((((1))))))))))))))))));",
       "expected fewer braces inside of each other at "
       "'((1))))))))))))))))));'"},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(refusalOf(Case.Text), Case.Refusal) << Case.Text;
}

TEST(PtxReader, AnyTextIsReadOrItsPlaceIsNamed) {
  static constexpr const char *Pieces[] = {
      "x",  "a",  "a.b", "%r",  "$1",     "${2:c}", "$$",   "${:uid}", "1",
      "-",  "+",  "0x",  "1.5", "0f",     "{",      "}",    "[",       "]",
      "(",  ")",  ",",   ";",   ":",      "|",      "!",    "@",       "<",
      "3>", "/*", "*/",  "//",  "\n",     "\"",     ".reg", ".b32",    ".loc",
      " ",  ".",  "::",  "_",   ".pragma"};
  unsigned Understood = 0;
  for (uint32_t Seed = 0; Seed < 20000; ++Seed) {
    std::minstd_rand Random(Seed);
    std::string Text;
    for (uint32_t Length = Random() % 24; Length > 0; --Length)
      Text += Pieces[Random() % std::size(Pieces)];
    const Result<std::vector<PtxStatement>> Read = readPtx(Text);
    EXPECT_TRUE(Read.ok() || Read.status().message().rfind("expected ", 0) == 0)
        << Text;
    Understood += Read.ok();
  }
  EXPECT_GT(Understood, 200U);
}

TEST(PtxReader, FirstOpcodeRowThatFits) {
  EXPECT_EQ(findPtxOpcode({"cp", "async", "bulk", "tensor", "1d"})->Role,
            PtxRole::Opaque);
  EXPECT_EQ(findPtxOpcode({"cp", "async", "ca"})->Role, PtxRole::CopyIn);
  EXPECT_EQ(findPtxOpcode({"bar", "warp"})->Service, PtxService::None);
  EXPECT_EQ(findPtxOpcode({"bar", "sync"})->Service, PtxService::BlockBarrier);
  EXPECT_EQ(findPtxOpcode({"add", "u32"})->Role, PtxRole::Registers);
  EXPECT_EQ(findPtxOpcode({"tcgen05", "mma"})->Role, PtxRole::Anything);
  EXPECT_EQ(findPtxOpcode({"addition", "u32"}), nullptr);
}

TEST(PtxReader, BytesOfTypes) {
  EXPECT_EQ(ptxTypeBytes("f16x2"), 4U);
  EXPECT_EQ(ptxTypeBytes("b128"), 16U);
  EXPECT_EQ(ptxTypeBytes("pred"), 0U);
  EXPECT_EQ(ptxTypeBytes("s4"), 0U);
  EXPECT_EQ(ptxTypeBytes("b24"), 0U);
}
