// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which code of two files counts as the same.

#include "AnalysedModule.h"

#include "gtest/gtest.h"

#include <vector>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// The number of the first kernel of a module.
uint64_t codeOf(const std::string &Body, bool Relocatable = false) {
  return analyse(Body, Relocatable)->Record.Kernels.at(0).Code;
}

/// A kernel, with a helper that is not inlined for it is recursive.
std::string program(const std::string &Helper, const std::string &Step,
                    const std::string &Value) {
  return "@table." + Helper +
         " = internal addrspace(1) constant [2 x i32] [i32 4, i32 " + Value +
         "]\n"
         "define internal i32 @" +
         Helper +
         "(i32 %n) {\n"
         "  %end = icmp eq i32 %n, 0\n"
         "  br i1 %end, label %yes, label %no\n"
         "yes:\n  ret i32 0\n"
         "no:\n  %m = " +
         Step + " i32 %n, 1\n  %r = call i32 @" + Helper +
         "(i32 %m)\n"
         "  %p = getelementptr [2 x i32], ptr addrspace(1) @table." +
         Helper +
         ", i32 0, i32 %r\n"
         "  %v = load i32, ptr addrspace(1) %p\n  ret i32 %v\n}\n";
}

std::string kernelCalling(const std::string &Helper) {
  return "define ptx_kernel void @k(ptr %a, i32 %n) {\n"
         "  %v = call i32 @" +
         Helper + "(i32 %n)\n  store i32 %v, ptr %a\n  ret void\n}\n";
}

std::string kernelAround(const std::string &Code) {
  return "define ptx_kernel void @k(ptr %a, i32 %n) {\n" + Code +
         "  ret void\n}\n";
}

} // namespace

TEST(CodeIdentity, NamesAndOrderDoNotCount) {
  const uint64_t One = codeOf(program("f", "sub", "5") + kernelCalling("f"));
  EXPECT_NE(One, 0u);
  EXPECT_EQ(One, codeOf("define internal i32 @other(i32 %n) {\n"
                        "  ret i32 %n\n}\n" +
                        kernelCalling("g") + program("g", "sub", "5")));
  EXPECT_NE(One, codeOf(program("f", "add", "5") + kernelCalling("f")));
  EXPECT_NE(One, codeOf(program("f", "sub", "6") + kernelCalling("f")));
}

TEST(CodeIdentity, WhateverChangesTheResultCounts) {
  const std::vector<std::string> Bodies = {
      "  store i32 %n, ptr %a\n",
      "  store i32 1, ptr %a\n",
      "  store i32 2, ptr %a\n",
      "  store i16 1, ptr %a\n",
      "  store atomic i32 %n, ptr %a monotonic, align 4\n",
      "  store atomic i32 %n, ptr %a syncscope(\"block\") monotonic, align 4\n",
      "  store atomic i32 %n, ptr %a release, align 4\n",
      "  %q = getelementptr i32, ptr %a, i32 %n\n  store i32 1, ptr %q\n",
      "  %q = getelementptr i64, ptr %a, i32 %n\n  store i32 1, ptr %q\n",
      "  %q = atomicrmw add ptr %a, i32 %n monotonic\n",
      "  %q = atomicrmw max ptr %a, i32 %n monotonic\n",
      "  %c = icmp slt i32 %n, 7\n  %q = zext i1 %c to i32\n"
      "  store i32 %q, ptr %a\n",
      "  %c = icmp ult i32 %n, 7\n  %q = zext i1 %c to i32\n"
      "  store i32 %q, ptr %a\n",
      "  call void asm sideeffect \"membar.gl;\", \"\"()\n",
      "  call void asm sideeffect \"membar.cta;\", \"\"()\n",
      "  call void @f(ptr %a)\n",
      "  call void @g(ptr %a)\n",
  };
  std::vector<uint64_t> Numbers;
  for (const std::string &Each : Bodies)
    Numbers.push_back(codeOf("declare void @f(ptr)\ndeclare void @g(ptr)\n" +
                             kernelAround(Each)));
  for (size_t I = 0; I < Numbers.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      EXPECT_NE(Numbers[I], Numbers[J]) << Bodies[I] << Bodies[J];
}

TEST(CodeIdentity, MemoryOfTheFileIsNotThatOfAnother) {
  const std::string Shared = "@v = addrspace(1) global i32 0\n",
                    Own = "@v = internal addrspace(1) global i32 0\n";
  const std::string Kernel =
      kernelAround("  store i32 %n, ptr addrspace(1) @v\n");
  EXPECT_EQ(codeOf(Shared + Kernel), 0u);
  EXPECT_EQ(codeOf(Own + Kernel), 0u);
  EXPECT_EQ(codeOf(Own + Kernel, /*Relocatable=*/true), 0u);
  EXPECT_NE(codeOf(Shared + Kernel, /*Relocatable=*/true), 0u);
}

TEST(CodeIdentity, SharedCodeIsWhatKernelsReachAndFilesMayAllDefine) {
  const std::string Text =
      "@odr = linkonce_odr constant [2 x i32] zeroinitializer\n"
      "@own = internal addrspace(1) global i32 0\n"
      "define linkonce_odr void @inner(ptr %a) {\n"
      "  %v = load i32, ptr @odr\n"
      "  store i32 %v, ptr %a\n  ret void\n}\n"
      "define weak_odr void @outer(ptr %a) {\n"
      "  call void @inner(ptr %a)\n  ret void\n}\n"
      "define linkonce_odr void @apart(ptr %a) {\n"
      "  store i32 1, ptr addrspace(1) @own\n"
      "  ret void\n}\n"
      "define linkonce_odr void @unused(ptr %a) {\n"
      "  ret void\n}\n"
      "define void @strong(ptr %a) {\n"
      "  call void @apart(ptr %a)\n  ret void\n}\n" +
      kernelAround("  call void @outer(ptr %a)\n"
                   "  call void @strong(ptr %a)\n");
  const std::vector<SharedCode> Found =
      analyse(Text, /*Relocatable=*/true)->Record.Shared;
  ASSERT_EQ(Found.size(), 4u);
  EXPECT_EQ(Found[0].Symbol, "inner");
  EXPECT_EQ(Found[1].Symbol, "outer");
  EXPECT_EQ(Found[2].Symbol, "apart");
  EXPECT_EQ(Found[3].Symbol, "odr");
  EXPECT_NE(Found[0].Code, Found[1].Code);
  EXPECT_EQ(Found[2].Code, 0u);
  EXPECT_TRUE(analyse(Text)->Record.Shared.empty());
}
