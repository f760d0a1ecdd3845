// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FootprintText.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

Footprint symbols() {
  Footprint F;
  F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
               {SymbolKind::BlockIdx, 1, 0, 0, 4, true},
               {SymbolKind::BlockDim, 2, 0, 0, 4, true},
               {SymbolKind::GridDim, 0, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 3, 0, 4, true},
               {SymbolKind::Argument, 0, 0, 8, 8, true},
               {SymbolKind::Counter, 0, 1, 0, 4, true}};
  return F;
}

} // namespace

TEST(FootprintText, Symbols) {
  const char *Names[] = {"threadIdx.x", "blockIdx.y", "blockDim.z", "gridDim.x",
                         "arg3",        "arg0@8",     "i1"};
  Footprint F = symbols();
  for (size_t I = 0; I < F.Symbols.size(); ++I)
    EXPECT_EQ(toText(F.Symbols[I]), Names[I]);
}

TEST(FootprintText, Polynomials) {
  struct {
    Polynomial P;
    const char *Text;
  } Cases[] = {
      {{}, "0"},
      {{{{7, {}}}}, "7"},
      {{{{-7, {}}}}, "-7"},
      {{{{1, {0}}}}, "threadIdx.x"},
      {{{{-1, {0}}}}, "-threadIdx.x"},
      {{{{-8, {}}, {4, {0}}, {-1, {1, 4}}}},
       "4*threadIdx.x - blockIdx.y*arg3 - 8"},
      {{{{1, {}}, {2, {6, 6}}}}, "2*i1*i1 + 1"},
      {{{{INT64_MIN, {}}}}, "-9223372036854775808"},
  };
  for (const auto &Case : Cases)
    EXPECT_EQ(toText(Case.P, symbols()), Case.Text);
}

TEST(FootprintText, ConstraintsAndAssumptions) {
  Footprint F = symbols();
  Polynomial P{{{-1, {0}}, {1, {4}}}};
  EXPECT_EQ(toText(Constraint{P, false}, F), "-threadIdx.x + arg3 >= 0");
  EXPECT_EQ(toText(Constraint{P, true}, F), "-threadIdx.x + arg3 = 0");
  EXPECT_EQ(toText(Assumption{P, 32, true}, F), "i32(-threadIdx.x + arg3)");
  EXPECT_EQ(toText(Assumption{P, 64, false}, F), "u64(-threadIdx.x + arg3)");
}

TEST(FootprintText, Roots) {
  EXPECT_EQ(toText(Root{RootKind::Argument, 2, 0, ""}), "arg2");
  EXPECT_EQ(toText(Root{RootKind::Argument, 2, 16, ""}), "arg2@16");
  EXPECT_EQ(toText(Root{RootKind::Global, 0, 0, "table"}), "@table");
  EXPECT_EQ(toText(Root{}), "anywhere");
}

TEST(FootprintText, AccessesShowOnlyWhatTheyHave) {
  Footprint F = symbols();
  Access A;
  A.Reason = "it is so";
  EXPECT_EQ(toText(A, F), "read    unknown     anywhere  because it is so");
  A.Kind = AccessKind::Atomic;
  A.How = Exactness::Bounded;
  A.Base = {RootKind::Argument, 1, 0, ""};
  A.ElementBytes = 8;
  A.Offset.Terms = {{8, {0}}};
  A.Domain = {{{{{1, {4}}}}, false}, {{{{1, {0}}}}, true}};
  A.Assumptions = {{{{{1, {4}}}}, 16, true}};
  A.Where = {"a.cu", 3, 5};
  EXPECT_EQ(toText(A, F),
            "atomic  bounded     arg1  8 bytes at { 8*threadIdx.x : arg3 >= 0 "
            "and threadIdx.x = 0 }  assuming i16(arg3)  because it is so  "
            "a.cu:3:5");
}

TEST(FootprintText, Kernels) {
  KernelRecord K;
  K.Symbol = "_Z1kv";
  K.Name = "k()";
  EXPECT_EQ(toText(K), "kernel k()  [_Z1kv]\n");
  K.StaticSharedBytes = 64;
  K.add(Feature::Barrier);
  K.add(Feature::DynamicShared);
  K.Bytes = symbols();
  K.Bytes.CounterExtents = {{{{1, {4}}}}};
  K.Bytes.Accesses.resize(1);
  EXPECT_EQ(toText(K), "kernel k()  [_Z1kv]\n  shared 64 bytes\n"
                       "  dynamic shared memory\n  barrier\n  loop i0 < arg3\n"
                       "  read    unknown     anywhere\n");
}
