// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What lanes tell one after another becomes what their warp executes.

#include "WarpTracer.h"

#include "Transactions.h"
#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include "gtest/gtest.h"

#include <vector>

using namespace blockmaestro;

namespace {

struct Sink final : EventSink {
  void blockRan(const Event &, const BlockCost *) override {}
  void warpsRan(const BlockTrace &What) override { Traces.push_back(What); }
  std::vector<BlockTrace> Traces;
};

/// Step 0; a loop of 1, 2 (which lanes may skip) and 3; 4, with an access.
std::shared_ptr<TracedCode> makeCode() {
  auto Code = std::make_shared<TracedCode>();
  Code->Code.Steps.resize(5);
  Code->Places.resize(5);
  for (size_t Step : {1, 2, 3})
    Code->Places[Step].Loops = {1};
  Code->Places[4].Accesses = 1;
  Code->Sites = {0};
  return Code;
}

class WarpTracerTest : public testing::Test {
protected:
  void begin(uint32_t Threads, std::shared_ptr<TracedCode> Code = makeCode()) {
    What.Block = {Threads, 1, 1};
    Context.What = &What;
    Context.Shared = Shared;
    Context.SharedBytes = sizeof(Shared);
    Context.LinearBlock = 7;
    Tracer.begin(Context, std::move(Code), Told);
  }
  void steps(uint32_t Thread, std::initializer_list<uint32_t> Steps) {
    for (uint32_t Step : Steps)
      Tracer.step(Thread, Step);
  }
  /// What warp \p Number did, as pairs of step and lanes.
  std::vector<std::pair<uint32_t, uint32_t>> visits(size_t Number = 0) {
    std::vector<std::pair<uint32_t, uint32_t>> Out;
    for (const WarpVisit &V : Told.Traces.back().Warps[Number]->Route->Visits)
      Out.push_back({V.Step, V.Lanes});
    return Out;
  }
  using Visits = std::vector<std::pair<uint32_t, uint32_t>>;

  Launch What;
  BlockContext Context{};
  alignas(256) uint8_t Shared[1024] = {};
  Sink Told;
  WarpTracer Tracer;
};

} // namespace

TEST_F(WarpTracerTest, LanesThatSkipABranchWaitForThoseThatTakeIt) {
  begin(2);
  steps(0, {0, 1, 3, 4});
  steps(1, {0, 1, 2, 3, 4});
  Tracer.end();
  ASSERT_EQ(Told.Traces.size(), 1u);
  EXPECT_EQ(Told.Traces[0].Block, 7u);
  EXPECT_EQ(visits(), (Visits{{0, 3}, {1, 3}, {2, 2}, {3, 3}, {4, 3}}));
}

TEST_F(WarpTracerTest, LanesThatHaveLeftALoopWaitForThoseInIt) {
  begin(3);
  steps(0, {0, 1, 3, 4});
  steps(1, {0, 1, 3, 1, 2, 3, 4});
  steps(2, {0, 1, 2, 3, 1, 3, 1, 3, 4});
  Tracer.end();
  EXPECT_EQ(visits(), (Visits{{0, 7},
                              {1, 7},
                              {2, 4},
                              {3, 7},
                              {1, 6},
                              {2, 2},
                              {3, 6},
                              {1, 4},
                              {3, 4},
                              {4, 7}}));
}

TEST_F(WarpTracerTest, WhatIsBehindABarrierComesAfterAllThatIsBefore) {
  begin(64);
  for (uint32_t Part = 0; Part < 2; ++Part)
    for (uint32_t Thread = 0; Thread < 64; ++Thread)
      steps(Thread, {1, 3});
  Tracer.end();
  const Visits Both = {{1, ~0u}, {3, ~0u}, {1, ~0u}, {3, ~0u}};
  EXPECT_EQ(visits(0), Both);
  EXPECT_EQ(visits(1), Both);
}

TEST_F(WarpTracerTest, FunctionsThatAreCalledComeBeforeWhatFollowsTheCall) {
  auto Code = makeCode();
  Code->Places[1].Loops = Code->Places[2].Loops = Code->Places[3].Loops = {};
  Code->Places[3].IsEntry = true;
  begin(2, Code);
  steps(0, {0, 3, 4, LeavesFunction, 1});
  steps(1, {0, 3, LeavesFunction, 1, 2});
  Tracer.end();
  EXPECT_EQ(visits(), (Visits{{0, 3}, {3, 3}, {4, 1}, {1, 3}, {2, 2}}));
}

TEST_F(WarpTracerTest, SectorsAreThoseOfAllLanesAndWavefrontsOfTheWorstBank) {
  begin(64);
  const uint32_t Site = packSite(0, AccessKind::Read);
  for (uint32_t Thread = 0; Thread < 32; ++Thread) {
    steps(Thread, {4});
    Tracer.touch(Thread, Site, 0x1000 + 64 * (31 - Thread), 8);
  }
  for (uint32_t Thread = 32; Thread < 64; ++Thread) {
    steps(Thread, {4});
    Tracer.touch(Thread, Site, uint64_t(&Shared[Thread % 8 * 128]), 4);
  }
  Tracer.end();
  const WarpPath &Global = *Told.Traces[0].Warps[0];
  ASSERT_EQ(Global.Route->Accesses.size(), 1u);
  EXPECT_FALSE(Global.Route->Accesses[0].Shared);
  EXPECT_EQ(Global.Route->Accesses[0].Count, 32u);
  ASSERT_EQ(Global.Sectors.size(), 32u);
  EXPECT_EQ(Global.Sectors[0], 0x1000u / 32);
  EXPECT_EQ(Global.Sectors[31], 0x1000u / 32 + 62);
  const WarpPath &OfBanks = *Told.Traces[0].Warps[1];
  EXPECT_TRUE(OfBanks.Route->Accesses[0].Shared);
  EXPECT_EQ(OfBanks.Route->Accesses[0].Count, 8u);
  EXPECT_TRUE(OfBanks.Sectors.empty());
}

TEST_F(WarpTracerTest, AtomicsOfGlobalMemorySayHowManyLanesWantOneWord) {
  begin(8);
  const uint32_t Site = packSite(0, AccessKind::Atomic);
  for (uint32_t Thread = 0; Thread < 8; ++Thread) {
    steps(Thread, {4});
    Tracer.touch(Thread, Site, 0x40 + 4 * (Thread % 3), 4);
  }
  Tracer.end();
  const WarpAccess &Only = Told.Traces[0].Warps[0]->Route->Accesses[0];
  EXPECT_EQ(Only.Count, 1u);
  EXPECT_EQ(Only.Together, 3u) << "of threads 0, 3 and 6";
}

TEST_F(WarpTracerTest, LanesWhoseAccessGoesElsewhereDoNotGoTogether) {
  begin(3);
  const uint32_t Site = packSite(0, AccessKind::Write);
  const uint64_t Addresses[] = {0x40, uint64_t(&Shared[4]), 0x60};
  for (uint32_t Thread = 0; Thread < 3; ++Thread) {
    steps(Thread, {4});
    Tracer.touch(Thread, Site, Addresses[Thread], 4);
  }
  Tracer.end();
  EXPECT_EQ(visits(), (Visits{{4, 5}, {4, 2}}));
  EXPECT_EQ(Told.Traces[0].Warps[0]->Sectors, (std::vector<uint64_t>{2, 3}));
}

TEST_F(WarpTracerTest, AnAccessThatTouchesNothingIsOneOfNothing) {
  begin(1);
  steps(0, {4, 4});
  Tracer.end();
  const WarpRoute &Route = *Told.Traces[0].Warps[0]->Route;
  ASSERT_EQ(Route.Accesses.size(), 2u);
  EXPECT_EQ(Route.Accesses[0].Count, 0u);
}

TEST_F(WarpTracerTest, ABlockThatTellsTooMuchHasNoTrace) {
  WarpTracer Small(1000);
  begin(32);
  Small.begin(Context, makeCode(), Told);
  for (uint32_t Times = 0; Times < 1000; ++Times)
    Small.step(0, 1);
  Small.end();
  EXPECT_TRUE(Told.Traces.empty());
  Small.begin(Context, makeCode(), Told);
  Small.step(0, 0);
  Small.end();
  EXPECT_EQ(Told.Traces.size(), 1u) << "the next one may be short";
}
