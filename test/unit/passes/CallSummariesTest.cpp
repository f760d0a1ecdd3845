// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Calls that stay: what they reach, which functions they may run, which
// functions are kept from being inlined, and the features behind them.

#include "CallSummaries.h"

#include "Calls.h"
#include "Features.h"
#include "InlinePlan.h"

#include "blockmaestro/Metadata.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

#include "gtest/gtest.h"

using namespace blockmaestro;

namespace {

struct Program {
  explicit Program(const std::string &Text) {
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text, Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
  }
  const llvm::Function &function(const char *Name) const {
    return *M->getFunction(Name);
  }
  /// The first call in kernel k.
  const llvm::CallBase &call() const {
    const llvm::CallBase *Found = nullptr;
    for (const llvm::Instruction &I : llvm::instructions(function("k")))
      if (!Found)
        Found = llvm::dyn_cast<llvm::CallBase>(&I);
    EXPECT_TRUE(Found);
    return *Found;
  }
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

KindSet kinds(std::initializer_list<AccessKind> List) {
  KindSet Set;
  for (AccessKind Kind : List)
    Set.add(Kind);
  return Set;
}

bool has(uint32_t Bits, Feature F) { return Bits >> unsigned(F) & 1; }

constexpr const char *Mutual =
    "@total = addrspace(1) global i32 0\n"
    "@tile = addrspace(3) global [8 x i32] undef\n"
    "define void @even(ptr %a, ptr %b, i32 %n) {\n"
    "  %x = load i32, ptr %b\n"
    "  store i32 %x, ptr addrspace(3) @tile\n"
    "  call void @odd(ptr %b, ptr %a, i32 %n)\n  ret void\n}\n"
    "define void @odd(ptr %a, ptr %b, i32 %n) {\n"
    "  store i32 1, ptr %b\n"
    "  %o = atomicrmw add ptr addrspace(1) @total, i32 1 monotonic\n"
    "  call void @even(ptr %a, ptr %b, i32 %n)\n  ret void\n}\n"
    "define ptx_kernel void @k(ptr %p, ptr %q) {\n"
    "  call void @even(ptr %p, ptr %q, i32 1)\n  ret void\n}\n";

constexpr const char *Pointers =
    "define void @reads(ptr %a) {\n  %x = load i8, ptr %a\n  ret void\n}\n"
    "define void @writes(ptr %a) {\n  store i8 1, ptr %a\n  ret void\n}\n"
    "define void @other(ptr %a, i32 %n) {\n  store i8 1, ptr %a\n"
    "  ret void\n}\n"
    "@table = TABLE [3 x ptr] [ptr @reads, ptr @writes, ptr @other]\n"
    "define ptx_kernel void @k(ptr %f, i64 %i, ptr %p) {\n"
    "  %at = getelementptr ptr, ptr @table, i64 %i\n"
    "  %g = load ptr, ptr %at\n"
    "  call void CALLED(ptr %p)\n  ret void\n}\n";

/// Pointers with a table of linkage Table and a call of Called.
std::string pointers(const char *Table, const char *Called) {
  std::string Text = Pointers;
  Text.replace(Text.find("TABLE"), 5, Table);
  return Text.replace(Text.find("CALLED"), 6, Called);
}

} // namespace

// Through recursion each of the two pointers is read and written.
TEST(CallSummaries, RecursionComesToAFixpoint) {
  Program P(Mutual);
  CallSummaries Summaries;
  CallSummary S = Summaries.of(P.call());
  ASSERT_EQ(S.Parameters.size(), 3u);
  KindSet Both = kinds({AccessKind::Read, AccessKind::Write});
  EXPECT_EQ(S.Parameters[0], Both);
  EXPECT_EQ(S.Parameters[1], Both);
  EXPECT_EQ(S.Parameters[2], KindSet());
  ASSERT_EQ(S.Globals.size(), 1u);
  EXPECT_EQ(S.Globals.front().first->getName(), "total");
  EXPECT_EQ(S.Globals.front().second, kinds({AccessKind::Atomic}));
  EXPECT_EQ(S.Anywhere, KindSet());
}

TEST(CallSummaries, ConstantTablesSayWhatMayBeCalled) {
  Program P(pointers("internal constant", "%g"));
  CallTargets Targets = targetsOf(P.call());
  EXPECT_TRUE(Targets.Complete);
  EXPECT_EQ(Targets.Functions.size(), 2u);
  CallSummaries Summaries;
  CallSummary S = Summaries.of(P.call());
  EXPECT_EQ(S.Anywhere, KindSet());
  EXPECT_EQ(S.Parameters[0], kinds({AccessKind::Read, AccessKind::Write}));
}

// A table that can be written, or a pointer from outside, may lead to another
// file's functions.
TEST(CallSummaries, OtherPointersMayRunAnything) {
  const char *Cases[][2] = {{"global", "%g"},
                            {"externally_initialized constant", "%g"},
                            {"internal constant", "%f"}};
  for (auto [Table, Called] : Cases) {
    Program P(pointers(Table, Called));
    EXPECT_FALSE(targetsOf(P.call()).Complete);
    CallSummaries Summaries;
    CallSummary S = Summaries.of(P.call());
    EXPECT_EQ(S.Anywhere, kinds({AccessKind::Read, AccessKind::Write}));
    EXPECT_EQ(S.Why.Kind, ReasonKind::CallIndirect);
  }
}

TEST(CallSummaries, WhatIsNotSeenKeepsItsReason) {
  Program P("declare void @elsewhere(ptr)\n"
            "define void @f(ptr %a) {\n  %p = load ptr, ptr %a\n"
            "  store i8 1, ptr %p\n  call void @elsewhere(ptr %a)\n"
            "  ret void\n}\n"
            "define ptx_kernel void @k(ptr %p) {\n  call void @f(ptr %p)\n"
            "  ret void\n}\n");
  CallSummaries Summaries;
  CallSummary S = Summaries.of(P.call());
  EXPECT_EQ(S.Why.Kind, ReasonKind::PointerLoaded);
  EXPECT_EQ(S.Anywhere, kinds({AccessKind::Read, AccessKind::Write}));
  EXPECT_EQ(S.Parameters[0], kinds({AccessKind::Read}));
}

TEST(Features, ThroughCallsAndRecursion) {
  Program P(Mutual);
  EXPECT_TRUE(has(featuresOf(P.function("k")), Feature::Recursion));
  EXPECT_FALSE(has(featuresOf(P.function("k")), Feature::IndirectCalls));
  Program Q(pointers("global", "%f"));
  EXPECT_FALSE(has(featuresOf(Q.function("k")), Feature::Recursion));
  EXPECT_TRUE(has(featuresOf(Q.function("k")), Feature::IndirectCalls));
  Program R("declare i32 @vprintf(ptr, ptr)\ndeclare ptr @malloc(i64)\n"
            "define void @f(ptr %a) {\n"
            "  %x = load volatile i32, ptr %a\n"
            "  %n = call i32 @vprintf(ptr %a, ptr %a)\n  ret void\n}\n"
            "define ptx_kernel void @k(ptr %p) {\n  call void @f(ptr %p)\n"
            "  %m = call ptr @malloc(i64 4)\n"
            "  call void asm sideeffect \"trap;\", \"\"()\n  ret void\n}\n");
  uint32_t Bits = featuresOf(R.function("k"));
  EXPECT_TRUE(has(Bits, Feature::Prints));
  EXPECT_TRUE(has(Bits, Feature::DeviceHeap));
  EXPECT_TRUE(has(Bits, Feature::Asserts));
  EXPECT_FALSE(has(Bits, Feature::Volatile));
  Bits = featuresOfOriginal(R.function("k"));
  EXPECT_TRUE(has(Bits, Feature::Volatile));
  EXPECT_TRUE(has(Bits, Feature::InlineAssembly));
}

namespace {

/// A kernel that calls a chain of functions, each of which calls the next
/// twice; the last has Size instructions.
std::string doubling(unsigned Depth, unsigned Size) {
  std::string Text;
  for (unsigned I = 0; I <= Depth; ++I) {
    Text += "define void @f" + std::to_string(I) + "(ptr %a) {\n";
    for (unsigned N = 0; I == Depth && N < Size; ++N)
      Text += "  store i8 1, ptr %a\n";
    for (unsigned N = 0; I < Depth && N < 2; ++N)
      Text += "  call void @f" + std::to_string(I + 1) + "(ptr %a)\n";
    Text += "  ret void\n}\n";
  }
  return Text + "define ptx_kernel void @k(ptr %a) {\n"
                "  call void @f0(ptr %a)\n  ret void\n}\n";
}

} // namespace

TEST(InlinePlan, SmallKernelsTakeInEverything) {
  Program P(doubling(3, 100));
  EXPECT_TRUE(functionsToKeep(*P.M).empty());
}

// 2^20 copies of 100 instructions would be inlined.
TEST(InlinePlan, GrowthIsBounded) {
  Program P(doubling(20, 100));
  std::set<const llvm::Function *> Kept = functionsToKeep(*P.M, 1000);
  EXPECT_FALSE(Kept.empty());
  EXPECT_LT(Kept.size(), 12u);
  EXPECT_FALSE(Kept.count(&P.function("k")));
  EXPECT_EQ(Kept, functionsToKeep(*P.M, 1000));
}

TEST(InlinePlan, RecursionStays) {
  Program P(Mutual);
  std::set<const llvm::Function *> Expected = {&P.function("even"),
                                               &P.function("odd")};
  EXPECT_EQ(functionsToKeep(*P.M), Expected);
}
