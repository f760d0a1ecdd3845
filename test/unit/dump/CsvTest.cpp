// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cells are quoted where RFC 4180 wants it, and only there.

#include "Csv.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

using namespace blockmaestro;

TEST(CsvTest, OnlyWhatWouldBeReadOtherwiseIsQuoted) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  CsvTable Table(Out);
  Table.row("plain", "a,b", "say \"so\"", "two\nlines", "");
  Table.row(uint32_t(7), uint64_t(1) << 63, true, false, std::string("add"));
  Table.add("cell");
  Table.add(uint64_t(0));
  Table.end();
  EXPECT_EQ(Text, "plain,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\n"
                  "7,9223372036854775808,true,false,add\n"
                  "cell,0\n");
}
