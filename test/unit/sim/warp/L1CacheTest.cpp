// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// L1 and what is behind it, with round numbers: 30 cycles to L1, 100 to L2, and
// 101 more to memory.

#include "L1Cache.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

Machine roundMachine() {
  Machine M;
  M.Sms = 2;
  M.ClockMHz = 1000;
  M.Cycles.L1 = 30;
  M.Cycles.L2 = 100;
  M.Cycles.Atomic = 110;
  M.Warps.L1Sets = 4;
  M.Warps.L2Slices = 2;
  M.Warps.L2Sets = 64;
  M.Warps.DramClockMHz = 1000;
  M.Warps.DramLatency = 100;
  return M;
}

class Caches : public testing::Test {
protected:
  Caches() { Level1.start(0); }
  AccessTimes read(std::vector<uint64_t> Sectors, uint64_t At,
                   bool Bypasses = false) {
    return Level1.access(WarpClass::Read, Sectors, Bypasses, At);
  }
  AccessTimes write(std::vector<uint64_t> Sectors, uint64_t At) {
    return Level1.access(WarpClass::Write, Sectors, false, At);
  }

  Machine On = roundMachine();
  Memory Behind{On};
  L1Cache Level1{On, 0, Behind};
};

TEST_F(Caches, ASectorComesFromMemoryThenFromL1) {
  EXPECT_EQ(read({5}, 0).Ready, 201u);
  EXPECT_EQ(read({5}, 300).Ready, 330u);
  EXPECT_EQ(Level1.counts().Hits, 1u);
}

TEST_F(Caches, ASectorThatIsComingIsNotAskedForAgain) {
  read({5}, 0);
  EXPECT_EQ(read({5}, 50).Ready, 201u);
  EXPECT_EQ(Level1.counts().UnderWay, 1u);
  EXPECT_EQ(Behind.counts().Reads, 1u);
}

TEST_F(Caches, WhatAnotherSmHasReadComesFromL2) {
  L1Cache Other(On, 1, Behind);
  Other.start(0);
  const std::vector<uint64_t> Sectors = {5};
  Other.access(WarpClass::Read, Sectors, false, 0);
  EXPECT_EQ(read({5}, 300).Ready, 400u);
  EXPECT_EQ(Behind.counts().Hits, 1u);
}

TEST_F(Caches, ABlockThatGoesPastL1LeavesNothingInIt) {
  read({5}, 0, true);
  EXPECT_EQ(read({5}, 300).Ready, 400u);
}

TEST_F(Caches, WritesGoOnToL2AndMakeNoRoom) {
  write({5}, 0);
  EXPECT_EQ(Behind.counts().Writes, 1u);
  EXPECT_EQ(read({5}, 300).Ready, 400u);
}

TEST_F(Caches, WrittenBackWritesStayUntilTheEnd) {
  On.Warps.L1WriteBack = 1;
  write({5, 6}, 0);
  EXPECT_EQ(read({5}, 300).Ready, 330u);
  EXPECT_EQ(Behind.counts().Writes, 0u);
  Level1.flush(400);
  EXPECT_EQ(Behind.counts().Writes, 2u);
}

TEST_F(Caches, AtomicsAreDoneInL2) {
  read({5}, 0);
  const std::vector<uint64_t> Sectors = {5};
  EXPECT_EQ(Level1.access(WarpClass::Atomic, Sectors, false, 300).Ready, 410u);
  EXPECT_EQ(read({5}, 600).Ready, 700u);
}

TEST_F(Caches, LanesOfOneWordAreServedOneAfterTheOther) {
  On.Warps.AtomicWordCycles = 32;
  read({5}, 0);
  const std::vector<uint64_t> Sectors = {5};
  const auto Atomic = [&](uint32_t Together, uint64_t At) {
    return Level1.access(WarpClass::Atomic, Sectors, false, At, 0, Together)
        .Ready;
  };
  EXPECT_EQ(Atomic(1, 300), 410u);
  EXPECT_EQ(Atomic(32, 600), 710u + 31);
  EXPECT_EQ(Atomic(1, 601), 711u + 31) << "behind the lanes before it";
}

TEST_F(Caches, TheNextAccessWaitsForRoomForItsSectors) {
  On.Warps.L1Misses = 2;
  EXPECT_EQ(read({0}, 0).NextMay, 0u);
  EXPECT_EQ(read({100}, 10).NextMay, 201u);
}

TEST_F(Caches, SectorsAreLookedUpAsFastAsL1GivesThem) {
  On.L1BytesPerCycle = 64;
  read({0, 1, 2, 3, 4, 5}, 0);
  const AccessTimes Is = read({0, 1, 2, 3, 4, 5}, 300);
  EXPECT_EQ(Is.PipeFree, 303u);
  EXPECT_EQ(Is.Ready, 332u);
}

TEST_F(Caches, ABankGivesAWordACycle) {
  read({5}, 0);
  const std::vector<uint64_t> Sectors = {5};
  const auto Read = [&](uint64_t At) {
    return Level1.access(WarpClass::Read, Sectors, false, At, 0,
                         /*Together=*/16);
  };
  EXPECT_EQ(Read(300).PipeFree, 301u);
  const uint64_t Plain = Read(300).Ready;
  On.Warps.L1Banked = 1;
  EXPECT_EQ(Read(300).PipeFree, 316u);
  EXPECT_EQ(Read(300).Ready, Plain + 15);
  EXPECT_EQ(
      Level1.access(WarpClass::Write, Sectors, false, 300, 0, 16).PipeFree,
      301u)
      << "reads alone";
}

/// Of which SM 0 is near sector 0 and far from sector 8.
Machine machineOfHalves() {
  Machine M = roundMachine();
  M.Warps.L2Halves = 2;
  M.Warps.CyclesL2Far = 40;
  return M;
}

TEST(Halves, ASectorOfTheOtherHalfTakesLongerUntilThereIsACopy) {
  const Machine On = machineOfHalves();
  Memory Level2(On);
  Level2.read(0, 0, 0);
  Level2.read(1, 8, 0);
  EXPECT_EQ(Level2.read(0, 0, 1000), 1100u);
  EXPECT_EQ(Level2.read(0, 8, 2000), 2140u);
  EXPECT_EQ(Level2.read(0, 8, 3000), 3100u);
}

TEST(Halves, AWriteLeavesACopyInItsOwnHalfAndNoneInTheOther) {
  const Machine On = machineOfHalves();
  Memory Level2(On);
  EXPECT_EQ(Level2.write(0, 8, 32, 1000), 1070u);
  EXPECT_EQ(Level2.read(0, 8, 2000), 2100u);
  EXPECT_EQ(Level2.write(1, 8, 32, 3000), 3050u);
  EXPECT_EQ(Level2.read(0, 8, 4000), 4140u);
}

TEST(Halves, AtomicsAreDoneInTheHalfOfTheSector) {
  const Machine On = machineOfHalves();
  Memory Level2(On);
  Level2.write(0, 8, 32, 0);
  EXPECT_EQ(Level2.atomic(0, 8, 1, 1000), 1150u);
  EXPECT_EQ(Level2.read(0, 8, 2000), 2140u) << "its copy was of before";
}

TEST(Halves, SlicesServeByTheClockOfL2) {
  Machine On = roundMachine();
  On.Warps.L2ClockMHz = 400;
  Memory Level2(On);
  for (uint64_t Sector : {0, 1, 2})
    Level2.read(0, Sector, 0);
  EXPECT_EQ(Level2.read(0, 0, 1000), 1100u);
  EXPECT_EQ(Level2.read(0, 1, 1000), 1103u);
  EXPECT_EQ(Level2.read(0, 2, 1000), 1105u);
}

TEST(Slices, AReadThatWaitsForItsSliceServesOthersOfItsSector) {
  Machine On = roundMachine();
  On.Sms = 3;
  On.Warps.L2Interval = 10;
  Memory Level2(On);
  for (uint64_t Sector : {0, 1})
    Level2.read(0, Sector, 0);
  EXPECT_EQ(Level2.read(0, 0, 1000), 1100u);
  EXPECT_EQ(Level2.read(0, 1, 1000), 1110u);
  EXPECT_EQ(Level2.read(1, 1, 1003), 1110u) << "with the one before";
  EXPECT_EQ(Level2.read(2, 0, 1003), 1120u) << "its slice has begun before";
}

TEST_F(Caches, AnswersPassThePortOfTheSmOneAfterTheOther) {
  read({0, 1, 2, 3}, 0);
  On.SmBytesPerCycle = 16;
  // All are in L2; the last of four sectors waits for three of two cycles. A
  // slice takes a sector a cycle, so that no time is lost there.
  EXPECT_EQ(read({0, 1, 2, 3}, 400, true).Ready, 506u);
}

TEST_F(Caches, AnswersOfL2PassThePortBeforeThoseOfMemory) {
  read({5}, 0, true);
  On.SmBytesPerCycle = 16;
  read({1000}, 400, true);
  EXPECT_EQ(read({5}, 410, true).Ready, 510u);
}

/// Of sectors that all are in L2.
TEST(WritePorts, SmsThatShareOneSendOneAfterTheOther) {
  Machine On = roundMachine();
  On.Sms = 4;
  On.Warps.WritePortSms = 2;
  On.Warps.WritePortBytes = 4;
  Memory Level2(On);
  EXPECT_EQ(Level2.write(0, 0, 32, 1000), 1050u);
  EXPECT_EQ(Level2.write(1, 8, 32, 1000), 1050u) << "by a port of its own";
  EXPECT_EQ(Level2.write(2, 16, 32, 1000), 1058u) << "by that of SM 0";
}

TEST(WritePorts, AnAtomicTakesWhatItIsSaidToTake) {
  Machine On = roundMachine();
  On.Warps.WritePortBytes = 4;
  On.Warps.AtomicBytes = 48;
  Memory Level2(On);
  for (uint64_t Sector : {0, 8})
    Level2.write(0, Sector, 32, 0);
  EXPECT_EQ(Level2.atomic(0, 0, 1, 1000), 1110u);
  EXPECT_EQ(Level2.atomic(0, 8, 1, 1000), 1122u);
}

TEST_F(Caches, AnAccessAloneCanTakeLessThanOneOfTheBlockTier) {
  On.Warps.CyclesL1Access = 25;
  read({5}, 0);
  EXPECT_EQ(read({5}, 300).Ready, 325u);
}

TEST_F(Caches, SharedMemoryTakesItsPartOfL1) {
  On.Warps.L1Sets = 0;
  On.L1BytesPerSm = 4096;
  Level1.start(4096);
  read({5}, 0);
  EXPECT_EQ(read({5}, 300).Ready, 400u);
  Level1.start(2048);
  read({5}, 600);
  EXPECT_EQ(read({5}, 800).Ready, 830u);
}

TEST_F(Caches, SharedMemoryHasItsLeastPartAlways) {
  On.Warps.L1Sets = 0;
  On.L1BytesPerSm = 4096;
  On.Warps.L1SharedLeast = 4096;
  Level1.start(0);
  read({5}, 0);
  EXPECT_EQ(read({5}, 300).Ready, 400u);
}

} // namespace
