// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphCheck.h"

#include "Encode.h"
#include "Touches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace blockmaestro {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Block b waits for block b + Delta, of grids of four blocks.
Relation shifted(int64_t Delta, uint8_t Hazards) {
  Relation R;
  R.ProducerGrid = R.ConsumerGrid = {4, 1, 1};
  R.Hazards = Hazards;
  Piece P;
  P.Consumer.High[0] = P.Producer.High[0] = 3;
  P.Rows[0].A[0] = 1;
  P.Rows[0].Low = P.Rows[0].High = Delta;
  P.Hazards = Hazards;
  R.Pieces = {P};
  return R;
}

Relation full(uint8_t Hazards) {
  Relation R = shifted(0, Hazards);
  R.Pieces.clear();
  R.Full = true;
  return R;
}

Need need(uint64_t Producer, Relation R, bool Implied = false) {
  Related How;
  How.Form = encode(R);
  How.What = std::move(R);
  return {Producer, Implied, std::make_shared<const Related>(std::move(How))};
}

struct GraphCheckTest : testing::Test {
  GraphCheckTest()
      : Found([this](const std::string &Text) { Said.push_back(Text); }),
        Check(Found) {
    Kernel.Name = "k";
  }

  /// The next launch, of four blocks.
  const Launch &launch(std::vector<Need> Needs, std::vector<uint64_t> InFlight,
                       std::vector<uint64_t> Unordered = {}) {
    auto New = std::make_shared<Launch>();
    New->Id = Launches.size();
    New->Kernel = &Kernel;
    New->Grid = {4, 1, 1};
    New->Block = {32, 1, 1};
    Launches.push_back(New);
    Check.expect({New->Id, New, std::make_shared<LaunchAccesses>(),
                  std::move(Needs), std::move(InFlight), std::move(Unordered)});
    return *New;
  }

  void touch(const Launch &By, uint64_t Block, uint64_t Address, uint32_t Bits,
             uint64_t Bytes = 4) {
    ObservedAccess T;
    T.What = &By;
    T.Block = Block;
    T.Address = Address;
    T.Bytes = Bytes;
    T.Bits = Bits;
    Check.touches(T);
  }

  /// Every block touches word Block + Shift.
  void touchAll(const Launch &By, uint32_t Bits, int64_t Shift = 0) {
    for (uint64_t Block = 0; Block < 4; ++Block)
      if (int64_t(Block) + Shift >= 0 && int64_t(Block) + Shift < 4)
        touch(By, Block, X + 4 * (Block + uint64_t(Shift)), Bits);
  }

  void end(const Launch &Which) {
    for (uint64_t Block = 0; Block < 4; ++Block)
      Check.ends(Which, Block);
  }

  KernelRecord Kernel;
  std::vector<std::shared_ptr<Launch>> Launches;
  std::vector<std::string> Said;
  Findings Found;
  GraphCheck Check;
};

TEST_F(GraphCheckTest, ATrueRelationIsRight) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({need(0, shifted(-1, HazardRAW))}, {0});
  touchAll(B, AccessReads, -1);
  end(B);
  EXPECT_THAT(Said, IsEmpty());
  EXPECT_EQ(Check.summary(),
            "pairs of launches in flight together: 1, related: 1, by exactly "
            "the true pairs of blocks: 1, implied by others: 0; true pairs of "
            "blocks: 3, in relations: 3, missing: 0");
}

TEST_F(GraphCheckTest, NothingRelatesTheLaunches) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({}, {0});
  touch(B, 2, X + 6, AccessReads, 1);
  end(B);
  EXPECT_THAT(Said,
              ElementsAre("graph: block (2,0,0) of kernel 'k' (launch 1) reads "
                          "the byte at 0x8006 that block (1,0,0) of kernel 'k' "
                          "(launch 0) writes, and nothing relates the "
                          "launches"));
}

TEST_F(GraphCheckTest, WhatTheProgramLeavesUnorderedNeedsNoRelation) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({}, {0}, {0});
  touchAll(B, AccessReads);
  end(B);
  EXPECT_THAT(Said, IsEmpty());
  const Launch &C = launch({}, {0, 1}, {1});
  touchAll(C, AccessWrites);
  end(C);
  EXPECT_EQ(Said.size(), 1u) << "the first is still in flight";
}

TEST_F(GraphCheckTest, APairIsLacking) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessReads);
  end(A);
  const Launch &B = launch({need(0, shifted(0, HazardWAR))}, {0});
  touchAll(B, AccessWrites);
  touch(B, 0, X + 12, AccessWrites);
  end(B);
  EXPECT_THAT(Said,
              ElementsAre("graph: block (0,0,0) of kernel 'k' (launch 1) "
                          "writes the byte at 0x800c that block (3,0,0) of "
                          "kernel 'k' (launch 0) reads, and the relation lacks "
                          "the pair"));
}

TEST_F(GraphCheckTest, AHazardIsLacking) {
  const Launch &A = launch({}, {});
  touchAll(A, Atomic);
  end(A);
  const Launch &B = launch({need(0, shifted(0, HazardRAW | HazardWAW))}, {0});
  touchAll(B, Atomic);
  end(B);
  ASSERT_EQ(Said.size(), 1u);
  EXPECT_THAT(Said[0], testing::EndsWith("(launch 0) reads, and the relation "
                                         "lacks the hazard"));
}

TEST_F(GraphCheckTest, TheEncodingLacksAPair) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  Related How;
  How.What = shifted(0, HazardWAW);
  Relation Less = How.What;
  Less.Pieces[0].Consumer.High[0] = 2;
  How.Form = encode(Less);
  const Launch &B =
      launch({{0, false, std::make_shared<const Related>(How)}}, {0});
  touchAll(B, AccessWrites);
  end(B);
  ASSERT_EQ(Said.size(), 1u);
  EXPECT_THAT(Said[0], testing::HasSubstr("block (3,0,0)"));
  EXPECT_THAT(Said[0], testing::EndsWith("the encoding lacks the pair"));
}

TEST_F(GraphCheckTest, CalledExactButIsNot) {
  const Launch &A = launch({}, {});
  touch(A, 1, X, AccessWrites);
  end(A);
  const Launch &B = launch({need(0, shifted(0, HazardRAW))}, {0});
  touch(B, 1, X, AccessReads);
  end(B);
  EXPECT_THAT(Said,
              ElementsAre("graph: block (0,0,0) of kernel 'k' (launch 1) does "
                          "not depend on block (0,0,0) of kernel 'k' (launch "
                          "0), but their relation, called exact but with 3 "
                          "pairs too many, says so"));
}

TEST_F(GraphCheckTest, MorePairsAreRightWhereItIsNotCalledExact) {
  const Launch &A = launch({}, {});
  touch(A, 1, X, AccessWrites);
  end(A);
  Relation Wide = full(HazardRAW);
  Wide.Exact = false;
  const Launch &B = launch({need(0, Wide)}, {0});
  touch(B, 1, X, AccessReads);
  end(B);
  EXPECT_THAT(Said, IsEmpty());
}

/// Launch 2 reads what launch 0 writes; Middle is what launch 1 waits for.
void chain(GraphCheckTest &T, Relation First, Relation Second) {
  const Launch &A = T.launch({}, {});
  T.touchAll(A, AccessWrites);
  const Launch &B = T.launch({need(0, std::move(First))}, {0});
  const Launch &C = T.launch(
      {need(0, shifted(0, HazardRAW), true), need(1, std::move(Second))},
      {0, 1});
  T.touchAll(C, AccessReads);
  T.end(A);
  T.end(B);
  T.end(C);
}

Relation loosely(Relation R) {
  R.Exact = false;
  return R;
}

TEST_F(GraphCheckTest, KeptRelationsOrderWhatIsImplied) {
  chain(*this, loosely(shifted(1, HazardRAW)), loosely(shifted(-1, HazardRAW)));
  EXPECT_EQ(Said.size(), 1u) << "block 0 of launch 2 waits for none";
  EXPECT_THAT(Said[0],
              testing::StartsWith("graph: block (0,0,0) of kernel 'k' (launch "
                                  "2) reads the byte at 0x8000 that block "
                                  "(0,0,0) of kernel 'k' (launch 0) writes"));
  EXPECT_THAT(Said[0], testing::HasSubstr("implied by others"));
}

TEST_F(GraphCheckTest, FullRelationsOrderEverything) {
  chain(*this, loosely(full(HazardRAW)), loosely(full(HazardRAW)));
  EXPECT_THAT(Said, IsEmpty());
}

/// Two launches of many blocks that all count in one word, and each have one of
/// their own: as many pairs as there are blocks squared, and all of them true.
TEST_F(GraphCheckTest, ManyBlocksThatShareAWordAreQuick) {
  constexpr uint32_t Blocks = 30000;
  Relation All = full(HazardRAW | HazardWAR | HazardWAW);
  All.ProducerGrid = All.ConsumerGrid = {Blocks, 1, 1};
  for (uint64_t Id : {0, 1, 2}) {
    auto New = std::make_shared<Launch>();
    New->Id = Id;
    New->Kernel = &Kernel;
    New->Grid = {Blocks, 1, 1};
    Launches.push_back(New);
    std::vector<Need> Needs;
    std::vector<uint64_t> Earlier;
    for (uint64_t Before = 0; Before < Id; ++Before) {
      Needs.push_back(need(Before, All, Before + 1 < Id));
      Earlier.push_back(Before);
    }
    Check.expect({Id, New, std::make_shared<LaunchAccesses>(), Needs, Earlier});
    for (uint32_t Block = 0; Block < Blocks; ++Block) {
      touch(*New, Block, X, Atomic);
      touch(*New, Block, X + 64 + 4 * uint64_t(Block), AccessWrites);
      Check.ends(*New, Block);
    }
  }
  EXPECT_THAT(Said, IsEmpty());
  EXPECT_THAT(Check.summary(),
              testing::HasSubstr("true pairs of blocks: 2700000000"));
}

TEST_F(GraphCheckTest, ALaunchIsJudgedWhenAllBesideItHaveEnded) {
  const Launch &A = launch({}, {});
  const Launch &B = launch({}, {0});
  touchAll(B, AccessReads);
  end(B);
  touchAll(A, AccessWrites);
  EXPECT_EQ(Check.summary(), "");
  end(A);
  EXPECT_EQ(Said.size(), 1u);
}

TEST_F(GraphCheckTest, WhatIsNotInFlightIsNotCompared) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({}, {});
  touchAll(B, AccessWrites);
  end(B);
  EXPECT_THAT(Said, IsEmpty());
}

TEST_F(GraphCheckTest, SharedMemoryAndUnknownLaunchesDoNotCount) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({}, {0});
  ObservedAccess T;
  T.What = &B;
  T.Address = X;
  T.Bytes = 4;
  T.Bits = AccessWrites;
  T.Space = AccessSpace::Shared;
  Check.touches(T);
  Launch Other = B;
  Other.Id = uint64_t(1) << 63;
  touchAll(Other, AccessWrites);
  end(Other);
  end(B);
  EXPECT_THAT(Said, IsEmpty());
}

TEST_F(GraphCheckTest, ACopyTouchesWhatItIsExpectedTo) {
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  auto Bytes = std::make_shared<LaunchAccesses>();
  BlockAccess Source;
  Source.How = Reach::Coordinates;
  Source.Where = {X, 64};
  Source.Coordinates = {{.Stride = 1, .Base = 4, .Count = 2},
                        {.Stride = 20, .Count = 2}};
  Bytes->Accesses = {Source};
  Check.expect({7, nullptr, Bytes, {}, {0}});
  EXPECT_THAT(Said,
              ElementsAre("graph: a copy (node 7) reads the byte at 0x8004 "
                          "that block (1,0,0) of kernel 'k' (launch 0) writes, "
                          "and nothing relates the launches"));
}

TEST_F(GraphCheckTest, WatchersHearTheTrueNumberOfPairs) {
  std::vector<uint64_t> Heard;
  Check.watch([&](const RecordedObservation &Seen) {
    Heard = {Seen.Producer, Seen.Consumer, Seen.TrueEdges, Seen.Missing};
  });
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  const Launch &B = launch({need(0, shifted(0, HazardRAW))}, {0});
  touchAll(B, AccessReads);
  touch(B, 0, X + 4, AccessReads);
  end(B);
  EXPECT_THAT(Heard, ElementsAre(0, 1, 5, 1));
}

TEST_F(GraphCheckTest, APairIsMissingOnceForWatchers) {
  std::vector<std::vector<uint64_t>> Heard;
  Check.watch([&](const RecordedObservation &Seen) {
    Heard.push_back({Seen.TrueEdges, Seen.Missing});
  });
  const Launch &A = launch({}, {});
  touchAll(A, AccessWrites);
  end(A);
  // Left out, without the hazard, and nothing orders the pairs.
  const Launch &B = launch({need(0, shifted(0, HazardWAW), true)}, {0});
  touchAll(B, AccessReads);
  end(B);
  EXPECT_THAT(Heard, ElementsAre(ElementsAre(4, 4)));
}

} // namespace
} // namespace blockmaestro
