// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SharedMappings.h"

#include <gtest/gtest.h>

using namespace blockmaestro;

namespace {

constexpr const char *Maps =
    "555000-556000 r-xp 00000000 fe:01 77 /bin/program\n"
    "700000-704000 rw-s 00001000 00:01 1024 /memfd:ring (deleted)\n"
    "704000-708000 rw-p 00000000 00:00 0 \n"
    "710000-714000 rw-s 00000000 00:01 1024 /memfd:ring (deleted)\n"
    "720000-724000 rw-s 00000000 00:01 2048 /memfd:other (deleted)\n"
    "not a line of a map\n";

} // namespace

TEST(SharedMappings, PiecesAreBytesOfFiles) {
  const std::vector<FilePiece> Found = sharedPieces(Maps, 0x701000, 0x10000);
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].File, "00:01 1024");
  EXPECT_EQ(Found[0].Begin, 0x2000u);
  EXPECT_EQ(Found[0].End, 0x5000u);
  EXPECT_EQ(Found[1].Begin, 0u);
  EXPECT_EQ(Found[1].End, 0x1000u);
  EXPECT_TRUE(sharedPieces(Maps, 0x704000, 0x4000).empty());
}

TEST(SharedMappings, SameBytesAtAnotherAddress) {
  SharedMappings Known;
  const auto Add = [&](uint64_t Address, uint64_t Bytes) {
    return Known.add(Address, sharedPieces(Maps, Address, Bytes));
  };
  EXPECT_TRUE(Add(0x700000, 0x4000).empty());
  EXPECT_TRUE(Add(0x704000, 0x4000).empty());
  EXPECT_TRUE(Add(0x720000, 0x4000).empty());
  // Its first page is in no memory noted before, the next are.
  EXPECT_TRUE(Add(0x710000, 0x1000).empty());
  EXPECT_EQ(Add(0x711000, 0x1000), std::vector<uint64_t>{0x700000});
  Known.remove(0x700000);
  EXPECT_TRUE(Add(0x712000, 0x1000).empty());
}
