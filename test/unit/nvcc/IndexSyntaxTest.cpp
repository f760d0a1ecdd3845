// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which indices clang would not copy, and what becomes of them.

#include "IndexSyntax.h"

#include <gtest/gtest.h>

using namespace blockmaestro::nvcc;

namespace {

TEST(IndexSyntax, CopiesOfUnknownTypeAreCalls) {
  EXPECT_EQ(rewriteIndices("const auto t = threadIdx, b = blockIdx; "
                           "auto n = gridDim;"),
            "const auto t = blockmaestro_index(threadIdx), "
            "b = blockmaestro_index(blockIdx); "
            "auto n = blockmaestro_index(gridDim);");
}

TEST(IndexSyntax, ArgumentsAreCalls) {
  EXPECT_EQ(rewriteIndices("f(threadIdx); g(1, blockIdx /* b */, x[2]);\n"
                           "h(a(1), // first\n  threadIdx);"),
            "f(blockmaestro_index(threadIdx)); "
            "g(1, blockmaestro_index(blockIdx) /* b */, x[2]);\n"
            "h(a(1), // first\n  blockmaestro_index(threadIdx));");
}

TEST(IndexSyntax, SoAreResultsChoicesAndCaptures) {
  EXPECT_EQ(
      rewriteIndices("return threadIdx; f(c ? threadIdx : blockIdx);\n"
                     "auto t{blockDim}; [n = gridDim, t = threadIdx] {};"),
      "return blockmaestro_index(threadIdx); "
      "f(c ? blockmaestro_index(threadIdx) : "
      "blockmaestro_index(blockIdx));\n"
      "auto t{blockmaestro_index(blockDim)}; "
      "[n = blockmaestro_index(gridDim), "
      "t = blockmaestro_index(threadIdx)] {};");
}

TEST(IndexSyntax, WhatClangTakesStays) {
  for (const char *Text :
       {"int i = threadIdx.x;", "f(threadIdx.x, blockIdx.y);",
        "uint3 t = threadIdx;", "auto i = blockIdx * blockDim + threadIdx;",
        "const auto &t = threadIdx;", "auto i = 0; dim3 n = gridDim;",
        "// f(threadIdx)", "\"f(threadIdx)\"", "dim3 threadIdx, blockIdx;",
        "void f(uint3 threadIdx, dim3 blockDim);",
        "k<<<gridDim, blockDim>>>(p);", "f(gridDim, blockDim);",
        "int v[] = {1, blockIdx};", "enum { blockDim, gridDim };",
        "C() : blockIdx(3), blockDim(4) {}", "[=, threadIdx] {};",
        "#define AT(threadIdx, blockIdx) (threadIdx + blockIdx)"})
    EXPECT_EQ(rewriteIndices(Text), Text);
}

TEST(IndexSyntax, AnUnfinishedTextStays) {
  for (const char *Text :
       {"f(threadIdx", "auto t = threadIdx", "f(threadIdx /*"})
    EXPECT_EQ(rewriteIndices(Text), Text);
}

} // namespace
