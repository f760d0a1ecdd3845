// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which inline assembly clang would not take, and what becomes of it.

#include "AssemblySyntax.h"

#include <gtest/gtest.h>

using namespace blockmaestro::nvcc;

namespace {

TEST(AssemblySyntax, SpecialRegistersGetTwoSigns) {
  EXPECT_EQ(rewriteAssembly(R"(asm("mov.u32 %0, %laneid;" : "=r"(id));)"),
            R"(asm("mov.u32 %0, %%laneid;" : "=r"(id));)");
  EXPECT_EQ(rewriteAssembly("__asm__ __volatile__ (\"mov.u32 %0,\"\n"
                            "  \" %lanemask_lt;\" : \"=r\"(x) :: \"memory\");"),
            "__asm__ __volatile__ (\"mov.u32 %0,\"\n"
            "  \" %%lanemask_lt;\" : \"=r\"(x) :: \"memory\");");
}

TEST(AssemblySyntax, EveryAssemblyOfATextIsRewritten) {
  EXPECT_EQ(rewriteAssembly(R"(asm("%tid" :: ); f("%tid"); asm("%smid" : );)"),
            R"(asm("%%tid" :: ); f("%tid"); asm("%%smid" : );)");
}

TEST(AssemblySyntax, WhatClangTakesStays) {
  for (const char *Text :
       {R"(asm("mov.u32 %0, %%laneid;" : "=r"(id));)",
        R"(asm("mov.u32 r, %laneid;");)", R"(asm("add %0, %c1;" : "=r"(x));)",
        R"(asm("mov %[out], %%clock;" : [out] "=r"(x));)",
        R"(printf("%ld: %laneid", a ? b : c);)",
        R"(// asm("%laneid" : "=r"(x)))", R"(int asmx("%laneid" : 1);)"})
    EXPECT_EQ(rewriteAssembly(Text), Text);
}

TEST(AssemblySyntax, AnUnfinishedTextStays) {
  for (const char *Text : {"asm(\"%laneid", "asm", "asm volatile", "asm(\"%"})
    EXPECT_EQ(rewriteAssembly(Text), Text);
}

} // namespace
