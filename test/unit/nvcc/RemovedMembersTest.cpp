// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where cudaDeviceProp gets members back, and where it stays as it is.

#include "RemovedMembers.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace blockmaestro::nvcc;

namespace {

std::string header(const std::string &Members) {
  return "struct other {\n  int reserved[9];\n};\n"
         "struct __device_builtin__ cudaDeviceProp\n{\n" +
         Members + "};\nstruct last {\n  int reserved[7];\n};\n";
}

TEST(RemovedMembers, TakeThePlaceOfReservedOnesOfTheirStruct) {
  const std::string Out = withRemovedMembers(
      header("  int          major;\n  int          reserved[56];\n"));
  EXPECT_NE(Out.find("int          major;\n  BLOCKMAESTRO_REMOVED_MEMBERS("),
            std::string::npos);
  EXPECT_NE(Out.find("int reserved[-BLOCKMAESTRO_REMOVED_MEMBERS_COUNT + 56];"),
            std::string::npos);
  EXPECT_NE(Out.find("struct other {\n  int reserved[9];"), std::string::npos);
  EXPECT_NE(Out.find("struct last {\n  int reserved[7];"), std::string::npos);
}

TEST(RemovedMembers, LinesKeepTheirNumbers) {
  const std::string Text = header("  int reserved[56];\n");
  const std::string Out = withRemovedMembers(Text);
  const std::string First = "#line 1\n";
  ASSERT_NE(Out.find(First), std::string::npos);
  const std::string Behind = Out.substr(Out.find(First) + First.size());
  EXPECT_EQ(std::count(Behind.begin(), Behind.end(), '\n'),
            std::count(Text.begin(), Text.end(), '\n'));
}

TEST(RemovedMembers, StayAwayWhereTheyAreOrHaveNoRoom) {
  EXPECT_EQ(
      withRemovedMembers(header("  int clockRate;\n  int reserved[63];\n")),
      "");
  EXPECT_EQ(withRemovedMembers(header("  int major;\n")), "");
  EXPECT_EQ(withRemovedMembers(header("  char reserved[56];\n")), "");
  EXPECT_EQ(withRemovedMembers("int reserved[3];"), "");
}

} // namespace
