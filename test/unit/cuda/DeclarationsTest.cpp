// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a declaration holds, and what it makes of a launch's accesses.

#define BLOCKMAESTRO_ANNOTATE_DEFINE
#include "blockmaestro/annotate.h"

#include "Declarations.h"
#include "Graph.h"

#include <gtest/gtest.h>

#include <thread>

using namespace blockmaestro;

static const void *at(uint64_t Address) {
  return reinterpret_cast<const void *>(Address);
}

TEST(Declarations, AreTakenOnceAndByTheirThread) {
  EXPECT_EQ(takeDeclaration(), nullptr);
  EXPECT_EQ(declare(AccessKind::Read, at(100), 10), BLOCKMAESTRO_DECLARED);
  EXPECT_EQ(declare(AccessKind::Write, at(200), 20), BLOCKMAESTRO_DECLARED);
  std::thread([] { EXPECT_EQ(takeDeclaration(), nullptr); }).join();
  const auto Mine = takeDeclaration();
  ASSERT_NE(Mine, nullptr);
  EXPECT_FALSE(Mine->Broken);
  ASSERT_EQ(Mine->Count, 2u);
  EXPECT_EQ(Mine->Ranges[1].Kind, AccessKind::Write);
  EXPECT_EQ(Mine->Ranges[1].Where.Base, 200u);
  EXPECT_EQ(Mine->Ranges[1].Where.Bytes, 20u);
  EXPECT_EQ(takeDeclaration(), nullptr);
  declare(AccessKind::Read, nullptr, 0);
  forgetDeclaration();
  EXPECT_EQ(takeDeclaration(), nullptr);
}

TEST(Declarations, OneWrongRangeBreaksAll) {
  for (auto [Address, Bytes, Result] :
       {std::tuple(uint64_t(0), uint64_t(1), BLOCKMAESTRO_NULL_RANGE),
        {~uint64_t(0), 2, BLOCKMAESTRO_RANGE_WRAPS},
        {1, ~uint64_t(0), BLOCKMAESTRO_DECLARED},
        {~uint64_t(0), 1, BLOCKMAESTRO_DECLARED}}) {
    declare(AccessKind::Read, at(64), 8);
    EXPECT_EQ(declare(AccessKind::Read, at(Address), Bytes), Result);
    EXPECT_EQ(takeDeclaration()->Broken, Result != BLOCKMAESTRO_DECLARED);
  }
  for (size_t I = 0; I < Declaration::Most; ++I)
    EXPECT_EQ(declare(AccessKind::Read, at(64), 8), BLOCKMAESTRO_DECLARED);
  EXPECT_EQ(declare(AccessKind::Read, at(64), 8), BLOCKMAESTRO_TOO_MANY_RANGES);
  EXPECT_TRUE(takeDeclaration()->Broken);
}

/// One access of each reach to the memory from 1000 to 1999.
static LaunchAccesses oneOfEach() {
  LaunchAccesses Out;
  Out.Grid = {4, 1, 1};
  for (Reach How : {Reach::Coordinates, Reach::Range, Reach::Everything}) {
    BlockAccess &Each = Out.Accesses.emplace_back();
    Each.How = How;
    Each.Kind = AccessKind::Write;
    Each.Where = {1000, 1000};
    if (How == Reach::Coordinates)
      Each.Coordinates.resize(1);
  }
  return Out;
}

static LaunchAccesses declared(AccessKind Kind, uint64_t Base, uint64_t Bytes) {
  AllocationMap Known;
  Known.add({1000, 1000});
  declare(Kind, at(Base), Bytes);
  return declaredAccesses(oneOfEach(), *takeDeclaration(), Known);
}

TEST(Declarations, ReplaceWhatIsOnlyKnownToBeSomewhere) {
  const LaunchAccesses Nothing = declared(AccessKind::Read, 0, 0);
  ASSERT_EQ(Nothing.Accesses.size(), 1u);
  EXPECT_EQ(Nothing.Accesses[0].How, Reach::Coordinates);
  const LaunchAccesses Inside = declared(AccessKind::Read, 1100, 900);
  ASSERT_EQ(Inside.Accesses.size(), 2u);
  EXPECT_EQ(Inside.Accesses[1].How, Reach::Coordinates);
  EXPECT_EQ(Inside.Accesses[1].Where.Base, 1000u);
  EXPECT_FALSE(Inside.Accesses[1].Exact);
  const LaunchAccesses Beyond = declared(AccessKind::Read, 1100, 901);
  ASSERT_EQ(Beyond.Accesses.size(), 2u);
  EXPECT_EQ(Beyond.Accesses[1].How, Reach::Range);
  EXPECT_EQ(Beyond.Accesses[1].Where.Base, 1100u);
}

/// The first byte is written by all launches, whatever is declared.
TEST(Declarations, MeetByTheByte) {
  const LaunchAccesses First = declared(AccessKind::Write, 1100, 100);
  for (auto [Base, Bytes, Reads] :
       {std::tuple(1199, 50, true), {1200, 50, false}, {1199, 5000, true}}) {
    const Relation How = relate(
        First, declared(AccessKind::Read, uint64_t(Base), uint64_t(Bytes)));
    EXPECT_EQ(How.Hazards & HazardRAW, Reads ? HazardRAW : 0) << Base;
    EXPECT_TRUE(How.Hazards & HazardWAW) << Base;
  }
}
