// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintText.h"
#include "FeatureNames.h"

#include "gtest/gtest.h"

#include <set>

using namespace blockmaestro;

namespace {

enum : uint16_t { Tx, By, Dz, Gx, Arg3, Arg0At8, I1, Q0, P0, V0, Q1, Bx, Arg2 };

Footprint symbols() {
  Footprint F;
  F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
               {SymbolKind::BlockIdx, 1, 0, 0, 4, true},
               {SymbolKind::BlockDim, 2, 0, 0, 4, true},
               {SymbolKind::GridDim, 0, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 3, 0, 4, true},
               {SymbolKind::Argument, 0, 0, 8, 8, true},
               {SymbolKind::Counter, 0, 1, 0, 4, true},
               {SymbolKind::Quotient, 0, 0, 0, 8, true},
               {SymbolKind::Power, 0, 0, 0, 8, true},
               {SymbolKind::Value, 0, 0, 0, 8, true},
               {SymbolKind::Quotient, 0, 1, 0, 8, true},
               {SymbolKind::BlockIdx, 0, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 2, 0, 4, true}};
  F.CounterExtents = {{{{8, {}}}}, {{{1, {Arg3}}}}};
  F.Quotients = {{{{{1, {Tx}}}}, {{{16, {}}}}},
                 {{{{5, {}}, {1, {Q0}}}}, {{{1, {Dz}}, {1, {Arg3}}}}}};
  F.Powers = {{{{1, {Arg3}}}}};
  F.Values = {{{}, {{{255, {}}}}}};
  return F;
}

Access accessOf(Polynomial Offset, uint32_t Bytes = 4) {
  Access A;
  A.How = Exactness::Exact;
  A.Base = {RootKind::Argument, 1, 0, ""};
  A.ElementBytes = Bytes;
  A.Offset = std::move(Offset);
  return A;
}

std::string setOf(const Access &A, const Footprint &F) {
  return setText(A, F, SymbolNames(F));
}

} // namespace

TEST(FootprintText, Symbols) {
  const char *Names[] = {"tx", "by", "Dz", "Gx", "arg3", "arg0@8",
                         "i1", "q0", "p0", "v0", "q1",   "bx"};
  Footprint F = symbols();
  for (size_t I = 0; I < std::size(Names); ++I)
    EXPECT_EQ(shortName(F.Symbols[I]), Names[I]);
}

TEST(FootprintText, Polynomials) {
  struct {
    Polynomial P;
    const char *Text;
  } Cases[] = {
      {{}, "0"},
      {{{{7, {}}}}, "7"},
      {{{{-7, {}}}}, "-7"},
      {{{{1, {Tx}}}}, "tx"},
      {{{{-1, {Tx}}}}, "-tx"},
      {{{{-8, {}}, {4, {Tx}}, {-1, {By, Arg3}}}}, "4*tx - by*arg3 - 8"},
      {{{{1, {}}, {2, {I1, I1}}}}, "2*i1*i1 + 1"},
      {{{{INT64_MIN, {}}}}, "-9223372036854775808"},
      {{{{1, {Tx}}, {-16, {Q0}}}}, "tx - 16*floor(tx/16)"},
      {{{{3, {Q1}}}}, "3*floor((floor(tx/16) + 5)/(Dz + arg3))"},
      {{{{1, {Tx, P0}}}}, "tx*2^(arg3)"},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(toText(Case.P, symbols()), Case.Text);
}

TEST(FootprintText, QuotientsOfAnything) {
  struct {
    Polynomial Numerator, Denominator;
    const char *Text;
  } Cases[] = {
      {{{{1, {Tx}}}}, {{{1, {Arg3}}}}, "floor(tx/arg3)"},
      {{{{4, {Tx}}}}, {{{2, {Arg3}}}}, "floor((4*tx)/(2*arg3))"},
      {{{{-1, {Tx}}}}, {{{1, {Dz, Gx}}}}, "floor((-tx)/(Dz*Gx))"},
      {{}, {{{16, {}}}}, "floor(0/16)"},
      {{{{-3, {}}}}, {{{16, {}}}}, "floor((-3)/16)"},
  };
  Footprint F = symbols();
  for (const auto &Case : Cases)
    EXPECT_EQ(SymbolNames(F).text(Quotient{Case.Numerator, Case.Denominator}),
              Case.Text);
}

TEST(FootprintText, Inequalities) {
  struct {
    Polynomial P;
    const char *Text;
  } Cases[] = {
      // What varies is on the left; what is negative moves.
      {{{{-1, {}}, {-1, {Tx}}, {1, {Arg3}}}}, "tx < arg3"},
      {{{{-1, {Tx}}, {1, {Arg3}}}}, "tx <= arg3"},
      {{{{-2, {}}, {-1, {Tx}}, {1, {Arg3}}}}, "tx < arg3 - 1"},
      {{{{3, {}}, {-1, {Tx}}, {1, {Arg3}}}}, "tx <= arg3 + 3"},
      {{{{1, {Tx}}, {-1, {Arg3}}}}, "tx >= arg3"},
      {{{{-1, {}}, {1, {Tx}}, {-1, {Arg3}}}}, "tx > arg3"},
      {{{{-2, {}}, {1, {Tx}}, {-1, {Arg3}}}}, "tx > arg3 + 1"},
      {{{{2, {}}, {1, {Tx}}, {-1, {Arg3}}}}, "tx >= arg3 - 2"},
      {{{{-5, {}}, {1, {Tx}}, {1, {Arg3}}}}, "tx + arg3 >= 5"},
      {{{{-1, {Tx}}, {1, {Arg3}}, {-1, {Arg0At8}}}}, "tx + arg0@8 <= arg3"},
      {{{{-1, {}}, {-1, {Tx}}, {1, {I1}}}}, "tx < i1"},
      {{{{-1, {}}, {-1, {Arg3}}, {2, {V0}}}}, "2*v0 > arg3"},
      {{{{-1, {}}, {-1, {Arg3}}, {1, {Q0}}}}, "floor(tx/16) > arg3"},
      // Alone with a number.
      {{{{-1, {}}, {1, {Tx}}}}, "tx >= 1"},
      {{{{1, {Tx}}}}, "tx >= 0"},
      {{{{3, {}}, {1, {Tx}}}}, "tx >= -3"},
      {{{{15, {}}, {-1, {Tx}}}}, "tx < 16"},
      {{{{-1, {Tx}}}}, "tx <= 0"},
      {{{{-4, {}}, {-1, {Tx}}}}, "tx < -3"},
      // Nothing varies.
      {{{{-1, {}}, {1, {Arg3}}}}, "arg3 >= 1"},
      {{{{-1, {}}, {-1, {Arg3}}, {1, {Arg0At8}}}}, "arg3 < arg0@8"},
      {{{{-1, {}}}}, "-1 >= 0"},
      // The ends of the numbers.
      {{{{INT64_MIN, {}}, {1, {Tx}}}}, "tx >= 9223372036854775808"},
      {{{{INT64_MAX, {}}, {-1, {Tx}}}}, "tx < 9223372036854775808"},
      {{{{INT64_MIN, {Tx}}}}, "9223372036854775808*tx <= 0"},
  };
  Footprint F = symbols();
  for (const auto &Case : Cases)
    EXPECT_EQ(toText(Constraint{Case.P, false}, F), Case.Text);
}

TEST(FootprintText, EqualitiesAndAssumptions) {
  Footprint F = symbols();
  Polynomial P{{{-1, {}}, {-1, {Tx}}, {1, {Arg3}}}};
  EXPECT_EQ(toText(Constraint{P, true}, F), "tx = arg3 - 1");
  EXPECT_EQ(toText(Constraint{{{{1, {Tx}}}}, true}, F), "tx = 0");
  EXPECT_EQ(toText(Constraint{{{{3, {}}}}, true}, F), "3 = 0");
  EXPECT_EQ(toText(Assumption{P, 32, true}, F), "i32(-tx + arg3 - 1)");
  EXPECT_EQ(toText(Assumption{P, 64, false}, F), "u64(-tx + arg3 - 1)");
}

TEST(FootprintText, RangesOfValues) {
  Footprint F = symbols();
  F.Values = {{{}, {{{255, {}}}}},
              {{{{-1, {}}}}, {{{-1, {}}, {1, {Arg3}}}}},
              {{{{1, {Tx}}}}, {{{-3, {}}, {1, {Arg3}}}}},
              {{}, {{{2, {}}, {1, {Arg3}}}}},
              {{}, {{{-1, {}}}}}};
  const char *Texts[] = {"0 <= v0 <= 255", "-1 <= v1 < arg3",
                         "tx <= v2 < arg3 - 2", "0 <= v3 <= arg3 + 2",
                         "0 <= v4 <= -1"};
  for (uint16_t I = 0; I < std::size(Texts); ++I)
    EXPECT_EQ(SymbolNames(F).rangeText(I), Texts[I]);
}

TEST(FootprintText, Roots) {
  EXPECT_EQ(toText(Root{RootKind::Argument, 2, 0, ""}), "arg2");
  EXPECT_EQ(toText(Root{RootKind::Argument, 2, 16, ""}), "arg2@16");
  EXPECT_EQ(toText(Root{RootKind::Global, 0, 0, "table"}), "@table");
  EXPECT_EQ(toText(Root{}), "anywhere");
}

TEST(FootprintText, BytesOfAnElement) {
  struct {
    Polynomial Offset;
    uint32_t Bytes;
    const char *Text;
  } Cases[] = {
      {{{{4, {Tx}}}}, 4, "{ [bx] -> arg1[4*tx + 0..3] }"},
      {{{{8, {}}, {4, {Tx}}}}, 4, "{ [bx] -> arg1[4*tx + 8..11] }"},
      {{{{-8, {}}, {4, {Tx}}}}, 4, "{ [bx] -> arg1[4*tx - 8 + 0..3] }"},
      {{}, 4, "{ [bx] -> arg1[0..3] }"},
      {{{{8, {}}}}, 16, "{ [bx] -> arg1[8..23] }"},
      {{{{-4, {}}}}, 4, "{ [bx] -> arg1[-4..-1] }"},
      {{{{1, {Tx}}}}, 1, "{ [bx] -> arg1[tx] }"},
      {{{{5, {}}, {1, {Tx}}}}, 1, "{ [bx] -> arg1[tx + 5] }"},
      {{}, 1, "{ [bx] -> arg1[0] }"},
      {{{{INT64_MAX, {}}}}, 4, "{ [bx] -> arg1[9223372036854775807 + 0..3] }"},
      {{{{INT64_MIN, {}}}},
       4,
       "{ [bx] -> arg1[-9223372036854775808..-9223372036854775805] }"},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(setOf(accessOf(Case.Offset, Case.Bytes), symbols()), Case.Text);
}

TEST(FootprintText, TheTupleNamesTheBlockDimensionsThatMatter) {
  Footprint F = symbols();
  EXPECT_EQ(setOf(accessOf({{{4, {Bx}}}}), F), "{ [bx] -> arg1[4*bx + 0..3] }");
  EXPECT_EQ(setOf(accessOf({{{4, {By}}}}), F),
            "{ [bx, by] -> arg1[4*by + 0..3] }");
  F.CounterExtents[1] = {{{1, {By}}}};
  EXPECT_EQ(setOf(accessOf({{{4, {I1}}}}), F),
            "{ [bx, by] -> arg1[4*i1 + 0..3] }");
  F.Symbols[By].Dimension = 2;
  Access Guarded = accessOf({});
  Guarded.Domain = {{{{{1, {By}}}}, false}};
  EXPECT_EQ(setOf(Guarded, F), "{ [bx, by, bz] -> arg1[0..3] : bz >= 0 }");
  F.Quotients[0].Numerator = {{{1, {By}}}};
  EXPECT_EQ(setOf(accessOf({{{4, {Q0}}}}), F),
            "{ [bx, by, bz] -> arg1[4*floor(bz/16) + 0..3] }");
}

TEST(FootprintText, ValuesBringTheirRange) {
  Footprint F = symbols();
  Access A = accessOf({{{4, {V0}}}});
  EXPECT_EQ(setOf(A, F), "{ [bx] -> arg1[4*v0 + 0..3] : 0 <= v0 <= 255 }");
  A.Domain = {{{{{-1, {V0}}, {1, {Arg3}}}}, false}};
  EXPECT_EQ(setOf(A, F),
            "{ [bx] -> arg1[4*v0 + 0..3] : v0 <= arg3 and 0 <= v0 <= 255 }");
  F.Quotients[0].Numerator = {{{1, {V0}}}};
  EXPECT_EQ(setOf(accessOf({{{4, {Q0}}}}), F),
            "{ [bx] -> arg1[4*floor(v0/16) + 0..3] : 0 <= v0 <= 255 }");
}

TEST(FootprintText, WiderAccessesHaveNoOffset) {
  Footprint F = symbols();
  Access A = accessOf({{{4, {Tx}}}});
  A.How = Exactness::Allocation;
  EXPECT_EQ(setOf(A, F), "{ [bx] -> arg1[*] }");
  EXPECT_EQ(setOf(Access(), F), "{ [bx] -> anywhere }");
}

TEST(FootprintText, OneLineOfAnAccess) {
  Footprint F = symbols();
  Access A;
  A.Reason = "it is so";
  EXPECT_EQ(toText(A, F),
            "read unknown { [bx] -> anywhere }, because it is so");
  A.Kind = AccessKind::Atomic;
  A.How = Exactness::Bounded;
  A.Base = {RootKind::Argument, 1, 0, ""};
  A.ElementBytes = 8;
  A.Offset.Terms = {{8, {Tx}}};
  A.Domain = {{{{{1, {Arg3}}}}, false}, {{{{1, {Tx}}}}, true}};
  A.Assumptions = {{{{{1, {Arg3}}}}, 16, true}, {{{{1, {Tx}}}}, 8, false}};
  A.Where = {"a.cu", 3, 5};
  EXPECT_EQ(toText(A, F),
            "atomic bounded { [bx] -> arg1[8*tx + 0..7] : arg3 >= 0 and tx = 0 "
            "}, assuming i16(arg3), u8(tx), because it is so");
}

TEST(FootprintText, WhereAssumptionsMustHold) {
  const Footprint F = symbols();
  Access A = accessOf({{{4, {Tx}}}});
  A.Domain = {{{{{1, {Arg3}}}}, false}, {{{{1, {Tx}}}}, true}};
  A.Assumptions = {{{{{1, {Arg3}}}}, 16, true},
                   {{{{1, {Arg3}}}}, 8, true, {0}},
                   {{{{1, {Tx}}}}, 8, false, {0, 1}},
                   {{{{2, {Tx}}}}, 8, false, {0, 1}}};
  const std::string Text = toText(A, F);
  EXPECT_EQ(Text.substr(Text.find("assuming")),
            "assuming i16(arg3), assuming i8(arg3) where arg3 >= 0, assuming "
            "u8(tx), u8(2*tx) where the conditions hold");
  EXPECT_EQ(assumptionTexts(A, SymbolNames(F)),
            (std::vector<std::string>{"i16(arg3)", "i8(arg3) where arg3 >= 0",
                                      "u8(tx) where the conditions hold",
                                      "u8(2*tx) where the conditions hold"}));
}

TEST(FootprintText, Kernels) {
  KernelRecord K;
  K.Symbol = "_Z1kv";
  K.Name = "k()";
  EXPECT_EQ(toText(K), "kernel k()  [_Z1kv]\n  0 accesses\n");
  K.StaticSharedBytes = 64;
  K.add(Feature::Barrier);
  K.add(Feature::Prints);
  K.Bytes = symbols();
  K.Bytes.CounterExtents = {{{{1, {Arg3}}}}, {{{1, {Q0}}}}};
  K.Bytes.Accesses.resize(1);
  Access A = accessOf({{{4, {Tx}}}});
  A.Kind = AccessKind::Write;
  A.How = Exactness::Bounded;
  A.Assumptions = {{{{{1, {Arg3}}}}, 16, true}, {{{{1, {Tx}}}}, 8, false}};
  A.Reason = "it is so";
  A.Where = {"a.cu", 3, 5};
  K.Bytes.Accesses.push_back(A);
  EXPECT_EQ(toText(K), "kernel k()  [_Z1kv]\n  shared 64 bytes\n"
                       "  barrier, prints\n"
                       "  loop i0 < arg3\n  loop i1 < floor(tx/16)\n"
                       "  read   unknown    { [bx] -> anywhere }\n"
                       "  write  bounded    { [bx] -> arg1[4*tx + 0..3] }\n"
                       "    assuming i16(arg3), u8(tx)\n"
                       "    because it is so\n"
                       "    at a.cu:3:5\n"
                       "  2 accesses: 1 bounded, 1 unknown\n");
}

TEST(FootprintText, LongQuotientsAreDefinedOnce) {
  Footprint F = symbols();
  Polynomial Long;
  for (int I = 0; I < 40; ++I)
    Long.Terms.push_back({I + 1, {Tx}});
  F.Quotients[0].Numerator = Long;
  SymbolNames Names(F);
  EXPECT_EQ(Names.text(Polynomial{{{16, {Q0}}}}), "16*q0");
  ASSERT_EQ(Names.definitions().size(), 1u);
  EXPECT_EQ(Names.definitions()[0].substr(0, 24), "q0 = floor((tx + 2*tx + ");
  KernelRecord K;
  K.Bytes = F;
  EXPECT_NE(toText(K).find("\n  with q0 = floor((tx + 2*tx"),
            std::string::npos);
}

// A reader should refuse these; text of a hundred doublings must still end.
TEST(FootprintText, ChainsAndCirclesOfQuotientsStaySmall) {
  Footprint F;
  for (uint16_t I = 0; I < 100; ++I) {
    F.Symbols.push_back({SymbolKind::Quotient, 0, I, 0, 8, true});
    uint16_t Next = (I + 1) % 100;
    F.Quotients.push_back({{{{1, {Next}}, {1, {Next, Next}}}}, {{{2, {}}}}});
  }
  SymbolNames Names(F);
  size_t Bytes = 0;
  for (const std::string &Definition : Names.definitions())
    Bytes += Definition.size();
  EXPECT_GT(Names.definitions().size(), 1u);
  EXPECT_LT(Bytes, 100u * 600);
}

TEST(FootprintText, EveryFeatureHasAName) {
  KernelRecord K;
  std::set<std::string> Names;
  for (unsigned I = 0; I < FeatureCount; ++I) {
    K.add(static_cast<Feature>(I));
    Names.insert(toText(static_cast<Feature>(I)));
  }
  EXPECT_EQ(Names.size(), FeatureCount);
  EXPECT_EQ(featureNames(K).size(), FeatureCount);
  K.Features = 0;
  EXPECT_TRUE(featureNames(K).empty());
  K.add(Feature::Clock);
  K.add(Feature::DynamicShared);
  EXPECT_EQ(featureNames(K),
            (std::vector<std::string>{"dynamic shared memory", "clock"}));
}
