// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchingLibraries.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

/// A program that has loaded none hears nothing.
TEST(ClosedLibraries, AreNotNamedWhereThereAreNone) {
  ClosedLibraries Libraries;
  EXPECT_EQ(Libraries.sentence(), "");
  EXPECT_EQ(Libraries.sentence(), "");
}

TEST(ClosedLibraries, AreKnownByWhatTheyAreCalled) {
  EXPECT_TRUE(launchesKernels("/x/libcufft.so.12"));
  EXPECT_TRUE(launchesKernels("libnvrtc.so.13"));
  EXPECT_FALSE(launchesKernels("/libcufft/libc.so.6"));
}
