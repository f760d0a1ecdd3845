// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What the text says is what the footprint says: isl reads affine conditions
// and offsets, and finds the numbers that plain arithmetic finds.

#include "FootprintText.h"

#include <gtest/gtest.h>
#include <isl/ctx.h>
#include <isl/set.h>

#include <random>

using namespace blockmaestro;

namespace {

enum : uint16_t { Tx, Bx, Arg1, Thread, Group, Value, SymbolCount };
constexpr uint16_t FreeSymbols[] = {Tx, Bx, Arg1, Value};

Footprint symbols() {
  Footprint F;
  F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
               {SymbolKind::BlockIdx, 0, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 1, 0, 4, true},
               {SymbolKind::Quotient, 0, 0, 0, 8, true},
               {SymbolKind::Quotient, 0, 1, 0, 8, true},
               {SymbolKind::Value, 0, 0, 0, 8, true}};
  F.Quotients = {{{{{1, {Tx}}}}, {{{16, {}}}}},
                 {{{{-5, {}}, {2, {Bx}}, {-1, {Thread}}}}, {{{3, {}}}}}};
  F.Values = {{{{{-2, {}}}}, {{{7, {}}}}}};
  return F;
}

int64_t floorDivide(int64_t A, int64_t B) { return A / B - (A % B < 0); }

/// Numbers for the symbols: random ones, and the quotients they make.
struct Point {
  int64_t Of[SymbolCount];

  explicit Point(std::mt19937 &Random) {
    for (uint16_t S : FreeSymbols)
      Of[S] = int64_t(Random() % 81) - 40;
    Of[Thread] = floorDivide(Of[Tx], 16);
    Of[Group] = floorDivide(-5 + 2 * Of[Bx] - Of[Thread], 3);
  }

  int64_t operator()(const Polynomial &P) const {
    int64_t Sum = 0;
    for (const Monomial &M : P.Terms)
      Sum += M.Coefficient * (M.Factors.empty() ? 1 : Of[M.Factors[0]]);
    return Sum;
  }

  /// "tx = 3 and bx = -1 and ..."
  std::string text(const Footprint &F) const {
    std::string Text;
    for (uint16_t S : FreeSymbols)
      Text += (Text.empty() ? "" : " and ") + shortName(F.Symbols[S]) + " = " +
              std::to_string(Of[S]);
    return Text;
  }
};

Polynomial randomSum(std::mt19937 &Random) {
  Polynomial P;
  for (uint16_t S = 0; S <= SymbolCount; ++S)
    if (Random() % 2) {
      int64_t Coefficient = int64_t(Random() % 9) - 4;
      if (S == 0)
        P.Terms.push_back({Coefficient * 7 - 1, {}});
      else if (Coefficient)
        P.Terms.push_back({Coefficient, {uint16_t(S - 1)}});
    }
  return P;
}

class IslText : public testing::Test {
protected:
  ~IslText() override { isl_ctx_free(Context); }

  /// Whether some point satisfies Conditions; fails when isl cannot read them.
  bool holds(const std::string &Conditions) {
    std::string Text = "[tx, bx, arg1, v0] -> { [o] : " + Conditions + " }";
    isl_set *Set = isl_set_read_from_str(Context, Text.c_str());
    EXPECT_NE(Set, nullptr) << Text;
    bool Empty = isl_set_is_empty(Set) != isl_bool_false;
    isl_set_free(Set);
    return !Empty;
  }

  isl_ctx *Context = isl_ctx_alloc();
  Footprint F = symbols();
  SymbolNames Names{F};
  std::mt19937 Random{7};
};

} // namespace

TEST_F(IslText, ConditionsMeanTheConstraint) {
  for (int I = 0; I < 150; ++I) {
    Constraint C{randomSum(Random), I % 4 == 0};
    for (int J = 0; J < 4; ++J) {
      Point P(Random);
      int64_t Number = P(C.Value);
      bool Expected = C.Equality ? Number == 0 : Number >= 0;
      EXPECT_EQ(holds(Names.text(C) + " and " + P.text(F)), Expected)
          << Names.text(C) << " at " << P.text(F);
    }
  }
}

TEST_F(IslText, SumsHaveTheirValue) {
  for (int I = 0; I < 150; ++I) {
    Polynomial Sum = randomSum(Random);
    Point P(Random);
    std::string Is = "o = " + Names.text(Sum) + " and " + P.text(F);
    EXPECT_TRUE(holds(Is + " and o = " + std::to_string(P(Sum)))) << Is;
    EXPECT_FALSE(holds(Is + " and o != " + std::to_string(P(Sum)))) << Is;
  }
}

TEST_F(IslText, RangesIncludeBothEnds) {
  for (int64_t Value = -4; Value < 10; ++Value)
    EXPECT_EQ(holds(Names.rangeText(0) + " and v0 = " + std::to_string(Value)),
              -2 <= Value && Value <= 7);
  F.Values[0].High = {{{-3, {}}, {1, {Arg1}}}};
  std::string Range = Names.rangeText(0);
  EXPECT_EQ(Range, "-2 <= v0 < arg1 - 2");
  EXPECT_TRUE(holds(Range + " and arg1 = 9 and v0 = 6"));
  EXPECT_FALSE(holds(Range + " and arg1 = 9 and v0 = 7"));
}
