// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The steps of the device analysis one by one: polynomials, reasons, the kernel
// model and its refusals, on IR text.

#include "AnalysedModule.h"
#include "Facts.h"
#include "FootprintText.h"
#include "Polynomials.h"
#include "Reasons.h"

#include "gtest/gtest.h"

#include <set>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

Footprint twoSymbols() {
  Footprint F;
  F.Symbols = {{SymbolKind::ThreadIdx, 0, 0, 0, 4, true},
               {SymbolKind::Argument, 0, 0, 0, 4, true}};
  return F;
}

Polynomial symbol(uint16_t S) { return symbolPolynomial(S); }
Polynomial number(int64_t N) { return constantPolynomial(N); }

} // namespace

TEST(Polynomials, Ranges) {
  Footprint F = twoSymbols();
  Range R = rangeOf(*(5 - symbol(0)), F);
  EXPECT_TRUE(R.Known);
  EXPECT_EQ(int64_t(R.Low), 5 - 1023);
  EXPECT_EQ(int64_t(R.High), 5);
  Polynomial Power = symbol(1);
  for (int I = 0; I < 3; ++I)
    Power = *(Power * symbol(1));
  EXPECT_FALSE(rangeOf(Power, F).Known);
}

TEST(Polynomials, ProvableAssumptions) {
  Footprint F = twoSymbols();
  EXPECT_TRUE(provable({symbol(0), 10, false}, F));
  EXPECT_FALSE(provable({symbol(0), 10, true}, F));
  EXPECT_TRUE(provable({symbol(1), 32, true}, F));
  EXPECT_FALSE(provable({symbol(1), 32, false}, F));
  EXPECT_FALSE(provable({*(symbol(1) + 1), 32, true}, F));
}

/// A number of no bits, the magnitude of a bit, is 0.
TEST(Polynomials, AssumptionsHaveBits) {
  const Footprint F = twoSymbols();
  std::vector<Fact> All;
  addFact(All, {symbol(1), 0, false}, F);
  ASSERT_EQ(All.size(), 1u);
  EXPECT_EQ(All[0].Bits, 1);
  EXPECT_TRUE(equal(All[0], {*(symbol(1) + symbol(1)), 1, false}));
  addFact(All, {number(0), 0, false}, F);
  EXPECT_EQ(All.size(), 1u);
}

TEST(Reasons, TextLeadsBackToItsRow) {
  std::set<std::string> Seen;
  for (int I = 0; I <= static_cast<int>(ReasonKind::DeviceHeap); ++I) {
    ReasonKind Kind = static_cast<ReasonKind>(I);
    EXPECT_EQ(reasonText(Kind).Kind, Kind);
    for (const char *Detail : {"", "line 3"}) {
      const ReasonText *Row = findReason(toText(Rejection{Kind, Detail}));
      ASSERT_TRUE(Row);
      EXPECT_EQ(Row->Kind, Kind);
    }
    EXPECT_TRUE(Seen.insert(reasonText(Kind).Name).second);
  }
  EXPECT_EQ(findReason("no such reason"), nullptr);
}

TEST(KernelModel, ParametersAreLaidOutByAlignment) {
  auto A = analyse("define ptx_kernel void @k(i8 %a, double %b, i1 %c, ptr %d, "
                   "ptr byval([3 x i32]) align 4 %e) { ret void }\n"
                   "define void @helper(ptr %a) { ret void }\n");
  EXPECT_EQ(A->Record.Source, "a.cu");
  ASSERT_EQ(A->Record.Kernels.size(), 1u);
  const KernelRecord &K = A->Record.Kernels[0];
  struct {
    uint32_t Offset, Bytes, Alignment;
    bool Pointer, ByValue;
  } Expected[] = {{0, 1, 1, false, false},
                  {8, 8, 8, false, false},
                  {16, 1, 1, false, false},
                  {24, 8, 8, true, false},
                  {32, 12, 4, false, true}};
  ASSERT_EQ(K.Parameters.size(), std::size(Expected));
  for (size_t I = 0; I < K.Parameters.size(); ++I) {
    EXPECT_EQ(K.Parameters[I].Offset, Expected[I].Offset);
    EXPECT_EQ(K.Parameters[I].Bytes, Expected[I].Bytes);
    EXPECT_EQ(K.Parameters[I].Alignment, Expected[I].Alignment);
    EXPECT_EQ(K.Parameters[I].Pointer, Expected[I].Pointer);
    EXPECT_EQ(K.Parameters[I].ByValue, Expected[I].ByValue);
  }
  EXPECT_EQ(K.ArgumentBytes, 44u);
}

TEST(KernelModel, GlobalsAndArchitecture) {
  auto A =
      analyse("@table = addrspace(1) externally_initialized global [4 x i64] "
              "zeroinitializer\n"
              "@fixed = internal addrspace(4) constant i32 3\n"
              "@tile = internal addrspace(3) global [8 x i32] undef, align 4\n"
              "@more = external addrspace(3) global [0 x i32]\n"
              "define ptx_kernel void @k(ptr %a) #0 {\n"
              "  %x = load i32, ptr addrspace(3) @tile\n"
              "  %y = load i32, ptr addrspace(3) @more\n"
              "  %z = load i32, ptr addrspace(4) @fixed\n"
              "  %s = add i32 %x, %y\n  %t = add i32 %s, %z\n"
              "  store i32 %t, ptr %a\n  ret void\n}\n"
              "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n");
  EXPECT_EQ(A->Record.Architecture, "sm_90");
  ASSERT_EQ(A->Record.Globals.size(), 1u);
  EXPECT_EQ(A->Record.Globals[0].Symbol, "table");
  EXPECT_EQ(A->Record.Globals[0].Bytes, 32u);
  const KernelRecord &K = A->Record.Kernels[0];
  EXPECT_EQ(K.StaticSharedBytes, 32u);
  EXPECT_TRUE(K.has(Feature::DynamicShared));
  EXPECT_FALSE(K.has(Feature::Barrier));
  ASSERT_EQ(K.Bytes.Accesses.size(), 1u);
  EXPECT_EQ(K.Bytes.Accesses[0].Kind, AccessKind::Write);
}

// A parameter struct the kernel writes is no longer what the launch passed.
TEST(KernelModel, WrittenAggregatesAreNotLaunchValues) {
  const char *Before = "define ptx_kernel void @k(ptr byval({ptr, i32}) %a) {\n"
                       "  %q = getelementptr i8, ptr %a, i64 8\n";
  const char *After = "  %p = load ptr, ptr %a\n  %n = load i32, ptr %q\n"
                      "  %w = sext i32 %n to i64\n"
                      "  %at = getelementptr i8, ptr %p, i64 %w\n"
                      "  store i8 0, ptr %at\n  ret void\n}\n";
  auto Kept = analyse(std::string(Before) + After);
  EXPECT_EQ(toText(Kept->Record.Kernels[0]),
            "kernel k  [k]\n  write  exact      { [bx] -> arg0[arg0@8] }\n"
            "  1 access: 1 exact\n");
  auto Written =
      analyse(std::string(Before) + "  store volatile i32 5, ptr %q\n" + After);
  ASSERT_EQ(Written->Record.Kernels[0].Bytes.Accesses.size(), 1u);
  EXPECT_EQ(Written->Record.Kernels[0].Bytes.Accesses[0].How,
            Exactness::Unknown);
}

TEST(AccessCollection, CopiesAndUnseenCallees) {
  auto A = analyse(
      "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
      "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
      "declare double @__nv_modf(double, ptr)\n"
      "define ptx_kernel void @k(ptr %a, ptr %b, i64 %n) {\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %b, i64 24, i1 false)\n"
      "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)\n"
      "  %x = call double @__nv_modf(double 1.0, ptr %b)\n"
      "  ret void\n}\n");
  EXPECT_EQ(toText(A->Record.Kernels[0]),
            "kernel k  [k]\n"
            "  loop i0 < arg2\n"
            "  read   exact      { [bx] -> arg1[0..23] }\n"
            "  write  exact      { [bx] -> arg0[0..23] }\n"
            "  write  exact      { [bx] -> arg0[i0] }\n"
            "    assuming u63(arg2)\n"
            "  read   allocation { [bx] -> arg1[*] }\n"
            "    because the pointer is passed to a function whose body is not "
            "visible\n"
            "  write  allocation { [bx] -> arg1[*] }\n"
            "    because the pointer is passed to a function whose body is not "
            "visible\n"
            "  5 accesses: 3 exact, 2 allocation\n");
}

// What a texture or surface shows is in no pointer argument.
TEST(AccessCollection, DescriptorsLeadAnywhere) {
  auto A = analyse(
      "declare {float, float, float, float} "
      "@llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)\n"
      "declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)\n"
      "define ptx_kernel void @t(i64 %a, ptr %p) {\n"
      "  %x = call {float, float, float, float} "
      "@llvm.nvvm.tex.unified.1d.v4f32.s32(i64 %a, i32 0)\n"
      "  store {float, float, float, float} %x, ptr %p\n  ret void\n}\n"
      "define ptx_kernel void @s(i64 %a) {\n"
      "  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %a, i32 0, i32 1)\n"
      "  ret void\n}\n");
  for (const KernelRecord &K : A->Record.Kernels) {
    ASSERT_GE(K.Bytes.Accesses.size(), 2u) << toText(K);
    EXPECT_EQ(K.Bytes.Accesses[0].How, Exactness::Unknown);
    EXPECT_EQ(K.Bytes.Accesses[1].How, Exactness::Unknown);
    EXPECT_EQ(K.Bytes.Accesses[1].Kind, AccessKind::Write);
  }
}

// Another block may have changed the element between the load and the store,
// so the store must not be optimised away before it is counted.
TEST(Canonicalize, RedundantAccessesStay) {
  auto A = analyse("define ptx_kernel void @k(ptr %a) {\n"
                   "  %x = load i32, ptr %a\n  store i32 %x, ptr %a\n"
                   "  %b = getelementptr i8, ptr %a, i64 4\n"
                   "  %dead = load i32, ptr %b\n  ret void\n}\n");
  EXPECT_EQ(toText(A->Record.Kernels[0]),
            "kernel k  [k]\n"
            "  read   exact      { [bx] -> arg0[0..3] }\n"
            "  write  exact      { [bx] -> arg0[0..3] }\n"
            "  read   exact      { [bx] -> arg0[4..7] }\n"
            "  3 accesses: 3 exact\n");
}

TEST(Analysis, InvalidModuleIsRefused) {
  llvm::LLVMContext Context;
  llvm::Module M("broken", Context);
  llvm::Function *F = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(Context), false),
      llvm::Function::ExternalLinkage, "k", M);
  llvm::BasicBlock::Create(Context, "entry", F);
  auto Record = analyzeDeviceModule(M, /*Relocatable=*/false);
  ASSERT_FALSE(bool(Record));
  EXPECT_NE(
      llvm::toString(Record.takeError()).find("the device module is not valid"),
      std::string::npos);
}
