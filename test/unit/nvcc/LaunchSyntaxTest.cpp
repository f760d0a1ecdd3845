// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which texts are launches that clang would not take, and what becomes of them.

#include "LaunchSyntax.h"

#include <gtest/gtest.h>

using namespace blockmaestro::nvcc;

namespace {

std::string rewritten(const std::string &Text) {
  const std::string Out = rewriteLaunches(Text);
  return Out == Text ? "unchanged" : Out;
}

TEST(LaunchSyntax, BlanksGoBehindTheBrackets) {
  EXPECT_EQ(rewritten("k << <g, b>> >(x);"), "k <<< g, b>>> (x);");
  EXPECT_EQ(rewritten("k < < < g, b > > > (x);"), "k <<<   g, b >>>   (x);");
}

TEST(LaunchSyntax, LineEndsStay) {
  EXPECT_EQ(rewritten("k <<\n< g, b >>\n> (x);"), "k <<<\n g, b >>>\n (x);");
  EXPECT_EQ(rewritten("k << \\\n< g, b >>> (x);"), "k <<< \\\n g, b >>> (x);");
}

TEST(LaunchSyntax, ListsOfGridAndBlockBecomeDim3) {
  EXPECT_EQ(rewritten("k<<<{x, y, 1}, { 2 }>>>(a)"),
            "k<<<dim3(x, y, 1), dim3( 2 )>>>(a)");
  EXPECT_EQ(rewritten("k<<<f({1, 2}), b, 0, {}>>>(a)"), "unchanged");
}

TEST(LaunchSyntax, ShiftsAndTemplatesAreArguments) {
  EXPECT_EQ(rewritten("k<< <n >> 2, v<w<int> >(3)>> >(a)"),
            "k<<< n >> 2, v<w<int> >(3)>>> (a)");
}

TEST(LaunchSyntax, WhatOnlyLooksAlikeStays) {
  for (const char *Text :
       {"k<<<g, b>>>(x);", "friend S &operator<< <>(S &, const T &);",
        "operator << <int>(s, t); a >> b > (c);", "// k << <g, b>> >(x)",
        "/* k << <g, b>> >(x) */", "\"k << <g, b>> >(x)\"",
        "R\"(k << <g, b>> >(x))\"", "a << b < c; d >> e > (f);",
        "int x = 1'000'000 << 2;", "k << <g, b", "k << <g, b; c>> >(x)",
        "k << <g)>> >(x)", "'", "\"", "R\"x(", "<<", "/*"})
    EXPECT_EQ(rewritten(Text), "unchanged") << Text;
}

TEST(LaunchSyntax, EveryLaunchOfATextIsSeen) {
  EXPECT_EQ(rewritten("a<< <1, 1>> >(); b<<<1, 1>>>(); c<<<{1}, 1>>>();"),
            "a<<< 1, 1>>> (); b<<<1, 1>>>(); c<<<dim3(1), 1>>>();");
}

} // namespace
