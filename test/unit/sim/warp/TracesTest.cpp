// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Traces.h"

#include "RandomTraces.h"
#include "WarpModel.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// A block of one warp that reads two sectors.
struct Parts {
  WarpCode Code;
  WarpRoute Route;
  WarpPath Path;

  Parts() {
    Code.Registers = 2;
    Code.Steps.push_back({{}, {{WarpClass::Read, 0, {1}}}});
    Route.Visits = {{0, 1}};
    Route.Accesses = {{false, 2}};
    Path.Sectors = {100, 101};
  }

  BlockTrace trace(uint64_t Block = 0) const {
    BlockTrace Out;
    Out.Block = Block;
    Out.Code = std::make_shared<WarpCode>(Code);
    auto Copy = std::make_shared<WarpPath>(Path);
    Copy->Route = std::make_shared<WarpRoute>(Route);
    Out.Warps = {Copy};
    return Out;
  }

  std::string fault() const { return checkTrace(trace()).message(); }
};

const std::string Of = "the trace of block 0 of launch 0 ";

TEST(CheckTrace, TakesATraceThatKeepsItsPromises) {
  EXPECT_EQ(Parts().fault(), "");
}

TEST(CheckTrace, NamesStepsThatAreNotThere) {
  Parts P;
  P.Route.Visits[0].Step = 1;
  EXPECT_EQ(P.fault(), Of + "visits step 1 of 1");
}

TEST(CheckTrace, NamesRegistersThatAreNotThere) {
  Parts P;
  P.Code.Steps[0].Instructions[0].Operands = {2};
  EXPECT_EQ(P.fault(), Of + "reads register 2 of 2");
}

TEST(CheckTrace, CountsAccesses) {
  Parts P;
  P.Route.Accesses.push_back({true, 1});
  EXPECT_EQ(P.fault(), Of + "has 2 accesses where its steps have 1");
}

TEST(CheckTrace, CountsSectors) {
  Parts P;
  P.Path.Sectors = {100};
  EXPECT_EQ(P.fault(), Of + "has fewer sectors than its accesses");
  P.Path.Sectors = {100, 101, 102};
  EXPECT_EQ(P.fault(), Of + "has more sectors than its accesses");
}

TEST(CheckTrace, SectorsRise) {
  Parts P;
  P.Path.Sectors = {101, 100};
  EXPECT_EQ(P.fault(), Of + "has sectors that do not rise within an access");
}

TEST(CheckTrace, EveryVisitHasLanes) {
  Parts P;
  P.Route.Visits[0].Lanes = 0;
  EXPECT_EQ(P.fault(), Of + "has a visit without lanes");
}

/// Changes one number of a trace.
void damage(BlockTrace &To, RandomTraces &Roll) {
  WarpCode Code = *To.Code;
  WarpPath Path = *To.Warps[0];
  WarpRoute Route = *Path.Route;
  const uint32_t Number = Roll.oneIn(2) ? Roll.upTo(20) : ~0u;
  switch (Roll.upTo(4)) {
  case 0:
    Code.Registers = Roll.upTo(2);
    break;
  case 1:
    Code.Steps.resize(Roll.upTo(uint32_t(Code.Steps.size())));
    break;
  case 2:
    if (!Route.Visits.empty())
      Route.Visits[Roll.upTo(uint32_t(Route.Visits.size()) - 1)].Step = Number;
    break;
  case 3:
    if (!Route.Accesses.empty())
      Route.Accesses[0].Count = Number;
    break;
  default:
    Path.Sectors.resize(Roll.upTo(20));
  }
  Path.Route = std::make_shared<WarpRoute>(Route);
  To.Code = std::make_shared<WarpCode>(Code);
  To.Warps[0] = std::make_shared<WarpPath>(Path);
}

TEST(CheckTrace, WhatItTakesOfDamagedTracesCanBeSimulated) {
  uint32_t Refused = 0;
  for (uint32_t Seed = 0; Seed < 2000; ++Seed) {
    RandomTraces Roll(Seed);
    const Machine On = Roll.machine();
    Recording R = Roll.recording();
    damage(R.Traces[Roll.upTo(uint32_t(R.Traces.size()) - 1)], Roll);
    Result<WarpReport> Got = simulateWarps(R, On, WarpPolicy::LooseRoundRobin);
    Refused += !Got.ok();
    if (!Got.ok())
      EXPECT_EQ(Got.status().message().find("the trace of block "), 0u);
  }
  EXPECT_GT(Refused, 500u);
  EXPECT_LT(Refused, 2000u);
}

TEST(LaunchTraces, SectorsBetweenTracedBlocksAreInProportion) {
  Parts P;
  const BlockTrace First = P.trace(0);
  BlockTrace Last = P.trace(4);
  auto Path = std::make_shared<WarpPath>(*First.Warps[0]);
  Path->Sectors = {140, 141};
  Last.Warps = {Path};
  const LaunchTraces T({&Last, &First});
  std::vector<WarpWork> Work;
  EXPECT_EQ(&T.workOf(1, Work), &First);
  EXPECT_EQ(Work[0].sectors(), (std::vector<uint64_t>{110, 111}));
  EXPECT_EQ(&T.workOf(4, Work), &Last);
  EXPECT_EQ(Work[0].sectors(), (std::vector<uint64_t>{140, 141}));
  EXPECT_EQ(&T.workOf(7, Work), &Last);
  EXPECT_EQ(Work[0].sectors(), (std::vector<uint64_t>{170, 171}));
}

TEST(LaunchTraces, WarpsThatWentAnotherWayAreNotMoved) {
  Parts P;
  const BlockTrace First = P.trace(0);
  P.Path.Sectors = {140, 141};
  const BlockTrace Last = P.trace(4);
  std::vector<WarpWork> Work;
  LaunchTraces({&First, &Last}).workOf(1, Work);
  EXPECT_EQ(Work[0].sectors(), (std::vector<uint64_t>{100, 101}));
}

} // namespace
