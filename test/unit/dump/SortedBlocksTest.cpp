// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Blocks come by launch and block, however few are held at a time.

#include "SortedBlocks.h"
#include "Writer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <tuple>
#include <unistd.h>
#include <vector>

using namespace blockmaestro;

namespace {

using Place = std::tuple<uint64_t, uint64_t, uint64_t>;

class SortedBlocksTest : public testing::Test {
protected:
  SortedBlocksTest()
      : Path(testing::TempDir() + "sorted" + std::to_string(::getpid())) {}
  ~SortedBlocksTest() override { std::remove(Path.c_str()); }

  /// Launches of these many blocks, which end in any order, over chunks.
  void record(const std::vector<uint32_t> &Sizes) {
    auto Writer =
        RecordingWriter::open(Path, {"test", "emulated", "serial", 4});
    ASSERT_TRUE(Writer.ok());
    for (uint32_t I = 0; I < Sizes.size(); ++I) {
      RecordedLaunch L;
      L.Id = I;
      L.Kernel = "k";
      L.Grid = {Sizes[I], 1, 1};
      L.Block = {32, 1, 1};
      (*Writer)->launch(L, {});
      for (uint32_t B = 0; B < Sizes[I]; ++B)
        Expected.push_back({I, B, 10 * uint64_t(B) + I});
    }
    std::vector<Place> Ran = Expected;
    std::shuffle(Ran.begin(), Ran.end(), std::mt19937(7));
    for (const auto &[Launch, Block, Start] : Ran) {
      (*Writer)->blockRan({Launch, Block, 500 + Start, 600 + Start, 0},
                          nullptr);
      if (Block % 5 == 0)
        (*Writer)->barrier("cudaDeviceSynchronize", true, {});
    }
    ASSERT_TRUE((*Writer)->close().ok());
  }

  std::vector<Place> blocks(uint64_t Held, LaunchRange Range = {}) {
    DumpOptions Given;
    Given.File = Path;
    Given.Launches = Range;
    auto Read = SortedBlocks::read(Given, Held);
    EXPECT_TRUE(bool(Read));
    std::vector<Place> Out;
    EXPECT_FALSE(bool(Read->forEach([&](const Event &E) {
      EXPECT_EQ(E.End - E.Start, 100u);
      Out.push_back({E.Launch, E.Block, E.Start});
    })));
    return Out;
  }

  std::string Path;
  std::vector<Place> Expected;
};

} // namespace

TEST_F(SortedBlocksTest, TheOrderIsTheSameHoweverFewAreHeld) {
  record({1, 40, 0x10, 3, 100, 1});
  for (uint64_t Held : {1u, 2u, 7u, 41u, 1000u})
    EXPECT_EQ(blocks(Held), Expected) << Held;
}

TEST_F(SortedBlocksTest, ARangeKeepsTimesFromTheFirstStartOfAll) {
  record({4, 8, 2});
  EXPECT_EQ(blocks(3, {1, 1}),
            std::vector<Place>(Expected.begin() + 4, Expected.begin() + 12));
}
