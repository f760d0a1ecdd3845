// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sequences of commands worked out by hand with the timing of the GTX 480 in
// Table II of Liang et al.

#include "Dram.h"

#include <gtest/gtest.h>

using namespace blockmaestro::sim;

namespace {

class Channel : public testing::Test {
protected:
  Channel() {
    On.DramBanks = 16;
    On.DramBankGroups = 4;
    On.Dram = {2, 3, 6, 12, 28, 12, 40, 12, 4, 5, 12, 2};
  }
  int64_t read(uint32_t Bank, uint64_t Row, int64_t At) {
    return Memory.access(Bank, Row, 1, false, At, Hit);
  }
  int64_t write(uint32_t Bank, uint64_t Row, int64_t At) {
    return Memory.access(Bank, Row, 1, true, At, Hit);
  }

  WarpNumbers On;
  DramChannel Memory{On};
  bool Hit = false;
};

TEST_F(Channel, ReadsARowThatItOpens) {
  // Opened at 100, read at 112, data from 124 to 126.
  EXPECT_EQ(read(0, 1, 100), 126);
  EXPECT_FALSE(Hit);
}

TEST_F(Channel, ReadsOfAnOpenRowAreThreeApartInAGroup) {
  read(0, 1, 100);
  EXPECT_EQ(read(0, 1, 100), 129);
  EXPECT_TRUE(Hit);
}

TEST_F(Channel, RowsOfOtherBanksAreOpenedSixLater) {
  read(0, 1, 100);
  // Opened at 106, read at 118.
  EXPECT_EQ(read(4, 1, 100), 132);
  EXPECT_FALSE(Hit);
}

TEST_F(Channel, AnotherRowOfABankWaitsUntilTheFirstMayBeClosed) {
  read(0, 1, 100);
  // Closed at 128, opened at 140, read at 152.
  EXPECT_EQ(read(0, 2, 100), 166);
}

TEST_F(Channel, ReadsWaitForWritesToHaveEnded) {
  read(0, 1, 100);
  // Written at 160, data until 166; read at 171.
  EXPECT_EQ(write(0, 1, 160), 166);
  EXPECT_EQ(read(0, 1, 160), 185);
}

TEST_F(Channel, WritesArePutIntoTheRowBeforeItIsClosed) {
  write(0, 1, 100);
  // Written at 112, data until 118; closed at 130, opened at 142, read at 154.
  EXPECT_EQ(read(0, 2, 100), 168);
}

TEST_F(Channel, BurstsOfOneSectorFollowEachOther) {
  EXPECT_EQ(Memory.access(0, 1, 2, false, 100, Hit), 129);
}

Machine plainMachine() {
  Machine M;
  M.ClockMHz = 1000;
  M.Warps.DramChannels = 1;
  M.Warps.DramClockMHz = 500;
  M.Warps.DramLatency = 10;
  M.Warps.DramQueue = 2;
  M.Warps.Dram.Ccd = 4;
  return M;
}

TEST(Dram, TimesAreThoseOfTheSms) {
  const Machine M = plainMachine();
  Dram D(M);
  // A burst of 4 cycles of the memory and 10 more are 28 of the SMs.
  EXPECT_EQ(D.access(0, false, 100).Done, 128u);
}

TEST(Dram, AFullQueueTakesNothing) {
  const Machine M = plainMachine();
  Dram D(M);
  EXPECT_EQ(D.access(0, false, 100).Taken, 100u);
  EXPECT_EQ(D.access(1, false, 100).Taken, 100u);
  EXPECT_EQ(D.access(2, false, 100).Taken, 108u);
  EXPECT_EQ(D.access(3, false, 100).Taken, 116u);
}

TEST(Dram, ReadsComeBeforeWritesThatAreGathered) {
  Machine M = plainMachine();
  M.Warps.DramWrites = 4;
  Dram D(M);
  for (uint64_t Sector = 0; Sector < 3; ++Sector)
    EXPECT_EQ(D.access(Sector, true, 100).Taken, 100u);
  EXPECT_EQ(D.access(3, false, 100).Done, 128u);
  // The fourth write begins all of them, of 4 cycles of the memory each.
  EXPECT_EQ(D.access(4, true, 200).Taken, 200u);
  EXPECT_EQ(D.access(5, false, 200).Done, 260u);
}

TEST(Dram, WritesThatAreGatheredAreWrittenByRows) {
  Machine M = plainMachine();
  M.Warps.DramWrites = 4;
  Dram D(M);
  const uint64_t OfRow = M.Warps.DramRowBytes / 32;
  for (uint64_t Sector : {uint64_t(0), 16 * OfRow, uint64_t(1), 16 * OfRow + 1})
    D.access(Sector, true, 0);
  EXPECT_EQ(D.counts().RowHits, 2u);
}

TEST(Dram, GatheredRowsOfOtherBanksComeBeforeThoseOfTheOneJustOpened) {
  Machine M = plainMachine();
  M.Warps.DramBanks = 2;
  M.Warps.DramBankGroups = 1;
  M.Warps.DramWrites = 4;
  M.Warps.Dram.Rc = 100;
  Dram D(M);
  const uint64_t OfRow = M.Warps.DramRowBytes / 32;
  for (uint64_t Row : {0, 2, 3, 5})
    D.access(Row * OfRow, true, 0);
  // Rows 0 and 3 at once, 2 and 5 when their banks may be opened again, at 100:
  // these end at 108, the read 4 later, and 10 more.
  EXPECT_EQ(D.access(5 * OfRow, false, 0).Done, 244u);
}

TEST(Dram, NeighboursAreInOneRow) {
  const Machine M = plainMachine();
  Dram D(M);
  for (uint64_t Sector = 0; Sector < 64; ++Sector)
    D.access(Sector, Sector % 2, 0);
  EXPECT_EQ(D.counts().RowHits, 63u);
  EXPECT_EQ(D.counts().Reads, 32u);
  EXPECT_EQ(D.counts().Writes, 32u);
}

} // namespace
