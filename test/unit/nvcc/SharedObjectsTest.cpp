// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which objects in shared memory clang would not take, and what becomes of
// them.

#include "SharedObjects.h"

#include <gtest/gtest.h>

using namespace blockmaestro::nvcc;

namespace {

TEST(SharedObjects, BarriersBecomeStorage) {
  EXPECT_EQ(
      rewriteSharedObjects("__shared__ cuda::barrier<cuda::thread_scope_block> "
                           "bar;"),
      "__shared__ blockmaestro_shared<cuda::barrier<cuda::thread_scope_block>> "
      "bar_storage; auto &bar = bar_storage.Value;");
}

TEST(SharedObjects, SoDoesADim3) {
  EXPECT_EQ(rewriteSharedObjects("__shared__ dim3 size;"),
            "__shared__ blockmaestro_shared<dim3> size_storage; auto &size = "
            "size_storage.Value;");
}

TEST(SharedObjects, ArraysStayArrays) {
  EXPECT_EQ(rewriteSharedObjects(
                "__shared__ cuda::pipeline_shared_state<S, 2> p[2][N];"),
            "__shared__ blockmaestro_shared<cuda::pipeline_shared_state<S, 2>"
            "[2][N]> p_storage; auto &p = p_storage.Value;");
}

TEST(SharedObjects, AliasesAreFollowed) {
  EXPECT_EQ(
      rewriteSharedObjects("using barrier = cuda::barrier<S>;\n"
                           "  __shared__ barrier bar;"),
      "using barrier = cuda::barrier<S>;\n"
      "  __shared__ blockmaestro_shared<barrier> bar_storage; auto &bar = "
      "bar_storage.Value;");
}

TEST(SharedObjects, OthersStay) {
  for (const char *Text :
       {"__shared__ int a[4];", "__shared__ barrier b;", "cuda::barrier<S> b;",
        "__shared__ cuda::barrier<S> *p;", "__shared__ cuda::barrier<S",
        "__shared__", "// __shared__ cuda::latch l;",
        "__shared__ cuda::atomic<int> a;"})
    EXPECT_EQ(rewriteSharedObjects(Text), Text);
}

} // namespace
