// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryCheck.h"

#include "Touches.h"

#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

constexpr uint64_t Base = 0x700000;

struct MemoryCheckTest : testing::Test {
  MemoryCheckTest() { Check.add(Base, 400, "cudaMalloc"); }

  std::string said(uint64_t Address, uint32_t Bits = AccessReads,
                   uint64_t Bytes = 4) {
    return Check.touches(K.touch(5, 37, Address, Bits, Bytes)).message();
  }

  LaunchOfK K;
  MemoryCheck Check;
};

TEST_F(MemoryCheckTest, InsideIsFine) {
  EXPECT_EQ(said(Base), "");
  EXPECT_EQ(said(Base + 396), "");
  EXPECT_EQ(said(Base + 384, AccessWrites, 16), "");
}

TEST_F(MemoryCheckTest, SaysWhereTheThreadAndTheAllocationAre) {
  EXPECT_EQ(said(Base + 400, AccessWrites),
            "invalid write of 4 bytes at 0x700190 by block (1,1,0), thread "
            "(5,1,0) of kernel 'k' at k.cu:3: 1 byte after the end of the 400 "
            "bytes at 0x700000 from cudaMalloc");
  EXPECT_NE(said(Base - 8).find("8 bytes before the 400 bytes"),
            std::string::npos);
}

TEST_F(MemoryCheckTest, AnAccessMayNotRunOutOfItsArea) {
  EXPECT_NE(said(Base + 398).find("runs past the end of the 400 bytes"),
            std::string::npos);
}

TEST_F(MemoryCheckTest, UseAfterRelease) {
  EXPECT_TRUE(Check.release(Base).empty());
  EXPECT_NE(said(Base + 4).find("use after release of the 400 bytes"),
            std::string::npos);
}

TEST_F(MemoryCheckTest, QuarantineGivesTheOldestBack) {
  Check.add(0x10000000, MemoryCheck::QuarantineBytes, "cudaMalloc");
  EXPECT_TRUE(Check.release(Base).empty());
  EXPECT_EQ(Check.release(0x10000000), std::vector<uint64_t>{Base});
  EXPECT_NE(said(0x10000000).find("use after release"), std::string::npos);
  EXPECT_EQ(said(Base).find("use after release"), std::string::npos);
}

TEST_F(MemoryCheckTest, MisalignedAndNull) {
  ObservedAccess T = K.touch(0, 0, Base + 2, AccessReads);
  T.Alignment = 4;
  EXPECT_EQ(Check.touches(T).code(), StatusCode::Misaligned);
  EXPECT_NE(said(0).find("a null pointer"), std::string::npos);
}

TEST_F(MemoryCheckTest, HostMemoryIsNamed) {
  int OnTheHost = 0;
  EXPECT_NE(said(reinterpret_cast<uint64_t>(&OnTheHost)).find("of the host"),
            std::string::npos);
}

TEST_F(MemoryCheckTest, SharedMemory) {
  ObservedAccess T = K.touch(0, 0, 0x10, AccessWrites);
  T.Space = AccessSpace::Shared;
  EXPECT_TRUE(Check.touches(T).ok());
  T.Space = AccessSpace::OutsideShared;
  EXPECT_NE(Check.touches(T).message().find("outside the block's shared"),
            std::string::npos);
}

TEST_F(MemoryCheckTest, BadReleases) {
  EXPECT_NE(Check.badRelease(Base + 4, "cudaFree").find("invalid release"),
            std::string::npos);
  (void)Check.release(Base);
  EXPECT_EQ(Check.badRelease(Base, "cudaFree"),
            "double release: cudaFree of 0x700000, the 400 bytes from "
            "cudaMalloc were released before");
}

TEST_F(MemoryCheckTest, LeaksAreTheProgramsOwn) {
  Check.add(Base + 4096, 64, "cudaMallocManaged");
  Check.add(Base + 8192, 64, "the variable 'x'");
  (void)Check.release(Base);
  EXPECT_EQ(Check.leaks(),
            std::vector<std::string>{"leak: 64 bytes at 0x701000 from "
                                     "cudaMallocManaged were never released"});
}

} // namespace
} // namespace blockmaestro
