// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emulated/memory/DeviceArena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace blockmaestro;

namespace {

char *bytes(void *Memory) { return static_cast<char *>(Memory); }

} // namespace

TEST(DeviceArena, WholeGranulesTouchWithoutGap) {
  DeviceArena Arena(0);
  char *A = bytes(Arena.allocate(512)), *B = bytes(Arena.allocate(256)),
       *C = bytes(Arena.allocate(1));
  EXPECT_EQ(B, A + 512);
  EXPECT_EQ(C, B + 256);
  EXPECT_EQ(bytes(Arena.allocate(1)), C + DeviceArena::Granule);
}

TEST(DeviceArena, GapsBeforeBetweenAndBehind) {
  DeviceArena Arena(1000);
  char *A = bytes(Arena.allocate(512)), *B = bytes(Arena.allocate(512));
  EXPECT_EQ(B, A + 512 + 1024);
  std::memset(A - 1024, 1, 512 + 2 * 1024);
  std::memset(B, 2, 512 + 1024);
  EXPECT_EQ(A[511], 1);
}

TEST(DeviceArena, TheLowestPlaceThatFitsIsTakenAgain) {
  DeviceArena Arena(0);
  void *A = Arena.allocate(256), *B = Arena.allocate(512),
       *C = Arena.allocate(256), *D = Arena.allocate(256);
  Arena.release(B);
  EXPECT_EQ(Arena.allocate(256), B);
  Arena.release(B);
  Arena.release(A);
  Arena.release(C);
  EXPECT_EQ(Arena.allocate(1024), A);
  Arena.release(D);
}

TEST(DeviceArena, LargeOnesComeAndGo) {
  constexpr size_t Large = size_t(1) << 30;
  DeviceArena Arena(0);
  void *Small = Arena.allocate(256);
  for (int I = 0; I < 100; ++I) {
    char *Each = bytes(Arena.allocate(Large));
    ASSERT_NE(Each, nullptr);
    EXPECT_EQ(Each[Large - 1], 0);
    Each[Large - 1] = 1;
    Arena.release(Each);
  }
  EXPECT_EQ(Arena.allocate(size_t(-8)), nullptr);
  Arena.release(Small);
  EXPECT_EQ(Arena.allocate(256), Small);
}

/// Against a plain record of who has which byte.
TEST(DeviceArena, AllocationsKeepApart) {
  std::mt19937 Random(7);
  for (size_t Gap : {0, 256, 1024}) {
    DeviceArena Arena(Gap);
    std::map<char *, size_t> Live;
    for (int Step = 0; Step < 4000; ++Step) {
      if (!Live.empty() && Random() % 3 == 0) {
        auto Gone = std::next(Live.begin(), long(Random() % Live.size()));
        Arena.release(Gone->first);
        Live.erase(Gone);
        continue;
      }
      const size_t Size = 1 + Random() % (Random() % 8 ? 5000 : 3'000'000);
      char *New = bytes(Arena.allocate(Size));
      ASSERT_NE(New, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(New) % DeviceArena::Granule, 0u);
      const auto Behind = Live.lower_bound(New);
      if (Behind != Live.end())
        ASSERT_LE(New + Size + Gap, Behind->first);
      if (Behind != Live.begin())
        ASSERT_LE(std::prev(Behind)->first + std::prev(Behind)->second + Gap,
                  New);
      Live.emplace(New, Size);
    }
  }
}
