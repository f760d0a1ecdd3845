// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TrueEdges.h"

#include "KeptOrder.h"
#include "RelationPairs.h"

#include "Edges.h"
#include "Encode.h"
#include "blockmaestro/BlockGraph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

namespace blockmaestro {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ByteSetTest, RangesThatTouchAreOne) {
  ByteSet Set;
  EXPECT_THAT(Set.ranges(), IsEmpty());
  Set.add(8, 4);
  Set.add(0, 4);
  Set.add(4, 4);
  EXPECT_THAT(Set.ranges(), ElementsAre(ByteRange{0, 12}));
  Set.add(20, 1);
  Set.add(2, 3);
  EXPECT_THAT(Set.ranges(), ElementsAre(ByteRange{0, 12}, ByteRange{20, 21}));
}

TEST(ByteSetTest, HoldsWhatWasAdded) {
  std::mt19937 Numbers(11);
  ByteSet Set;
  std::set<uint64_t> Bytes;
  for (int I = 0; I < 3000; ++I) {
    uint64_t At = Numbers() % 20000, Count = 1 + Numbers() % 16;
    Set.add(At, Count);
    for (uint64_t B = At; B < At + Count; ++B)
      Bytes.insert(B);
  }
  std::set<uint64_t> Kept;
  for (const ByteRange &Each : Set.ranges())
    for (uint64_t B = Each.First; B < Each.End; ++B)
      EXPECT_TRUE(Kept.insert(B).second);
  EXPECT_EQ(Kept, Bytes);
}

TEST(ByteSetTest, TheFirstCommonByte) {
  ByteSet A, B;
  A.add(0, 4);
  A.add(100, 50);
  B.add(4, 90);
  B.add(120, 1);
  (void)A.ranges();
  (void)B.ranges();
  EXPECT_EQ(firstCommon(A, B), 120u);
  EXPECT_EQ(firstCommon(B, A), 120u);
  EXPECT_EQ(firstCommon(A, ByteSet()), std::nullopt);
}

/// What one block touched, byte by byte.
struct PlainTouches {
  std::set<uint64_t> Reads, Writes;
};

bool meet(const std::set<uint64_t> &A, const std::set<uint64_t> &B) {
  return std::any_of(A.begin(), A.end(), [&](auto X) { return B.count(X); });
}

/// A block with some accesses of a small memory, as the index gets it and as
/// bytes.
BlockTouches randomBlock(std::mt19937 &Numbers, PlainTouches &Plain) {
  BlockTouches Out;
  for (uint32_t I = Numbers() % 6; I > 0; --I) {
    uint64_t At = Numbers() % 120, Count = 1 + Numbers() % 8;
    bool Reads = Numbers() % 2, Writes = !Reads || Numbers() % 4 == 0;
    for (uint64_t B = At; B < At + Count; ++B) {
      if (Reads)
        Plain.Reads.insert(B);
      if (Writes)
        Plain.Writes.insert(B);
    }
    if (Reads)
      Out.Reads.add(At, Count);
    if (Writes)
      Out.Writes.add(At, Count);
  }
  (void)Out.Reads.ranges();
  (void)Out.Writes.ranges();
  return Out;
}

TEST(TrueEdgesTest, EqualThosePairByPair) {
  std::mt19937 Numbers(5);
  for (int Round = 0; Round < 200; ++Round) {
    std::vector<PlainTouches> Plain(1 + Numbers() % 12);
    std::vector<BlockTouches> Blocks;
    for (PlainTouches &Each : Plain)
      Blocks.push_back(randomBlock(Numbers, Each));
    TrueEdges Edges(Blocks);
    for (int I = 0; I < 5; ++I) {
      PlainTouches Mine;
      const BlockTouches Consumer = randomBlock(Numbers, Mine);
      const BlockRow Got = Edges.row(Consumer);
      RowReader Row(Got);
      for (size_t P = 0; P < Plain.size(); ++P)
        EXPECT_EQ(Row.at(P),
                  (meet(Mine.Reads, Plain[P].Writes) ? HazardRAW : 0) |
                      (meet(Mine.Writes, Plain[P].Reads) ? HazardWAR : 0) |
                      (meet(Mine.Writes, Plain[P].Writes) ? HazardWAW : 0));
    }
  }
}

/// Transposed and halved: block (x, y) waits for rows 2x to 2x + 1, column y.
Relation transposed() {
  Relation R;
  R.ProducerGrid = {3, 8, 1};
  R.ConsumerGrid = {4, 3, 1};
  R.Hazards = HazardRAW | HazardWAR;
  Piece P;
  P.Hazards = HazardRAW;
  P.Consumer.High[0] = 3;
  P.Consumer.High[1] = 2;
  P.Producer.High[0] = 2;
  P.Producer.High[1] = 7;
  P.Rows[0].A[1] = 1;
  P.Rows[1] = {{2, 0, 0}, 1, 0, 1};
  Piece Q = P;
  Q.Hazards = HazardWAR;
  Q.Rows[1] = {{2, 0, 0}, 2, -1, 1};
  Q.Consumer.High[0] = 0;
  R.Pieces = {P, Q};
  return R;
}

TEST(RelationPairsTest, PiecesByTheirDefinition) {
  BlockRow Out;
  hazardsOfBlock(transposed(), linearOf({1, 2, 0}, {4, 3, 1}), Out);
  const auto At = [](uint32_t X, uint32_t Y) {
    return uint32_t(linearOf({X, Y, 0}, {3, 8, 1}));
  };
  EXPECT_EQ(Out.All, 0);
  EXPECT_THAT(Out.Some, ElementsAre(BlockHazards{At(2, 2), HazardRAW},
                                    BlockHazards{At(2, 3), HazardRAW}));
  hazardsOfBlock(transposed(), 0, Out);
  EXPECT_THAT(Out.Some, ElementsAre(BlockHazards{0, HazardRAW | HazardWAR},
                                    BlockHazards{3, HazardRAW}));
}

TEST(RelationPairsTest, AFullOneHasAllAndAListItsRuns) {
  Relation R;
  R.ProducerGrid = {3, 1, 1};
  R.ConsumerGrid = {2, 1, 1};
  R.Full = true;
  R.Hazards = HazardWAW;
  BlockRow Out;
  hazardsOfBlock(R, 1, Out);
  EXPECT_EQ(Out.All, HazardWAW);
  EXPECT_THAT(Out.Some, IsEmpty());
  R.Full = false;
  BlockList List;
  List.Begin = {0, 1, 3};
  List.Runs = {{0, 2}, {0, 0}, {2, 2}};
  List.Hazards = {HazardRAW, HazardWAR, HazardRAW};
  R.List = std::make_shared<const BlockList>(List);
  hazardsOfBlock(R, 1, Out);
  EXPECT_EQ(Out.All, 0);
  EXPECT_THAT(Out.Some, ElementsAre(BlockHazards{0, HazardWAR},
                                    BlockHazards{2, HazardRAW}));
}

TEST(BlockRowTest, IsReadForwards) {
  BlockRow Row;
  Row.Some = {{2, HazardRAW}, {5, HazardWAR}};
  RowReader Some(Row);
  EXPECT_EQ(Some.next(0), 2u);
  EXPECT_EQ(Some.at(1), 0);
  EXPECT_EQ(Some.at(2), HazardRAW);
  EXPECT_EQ(Some.next(3), 5u);
  EXPECT_EQ(Some.at(6), 0);
  EXPECT_EQ(Some.next(6), RowReader::None);
  Row.All = HazardWAW;
  RowReader All(Row);
  EXPECT_EQ(All.at(1), HazardWAW);
  EXPECT_EQ(All.at(5), HazardWAW | HazardWAR);
  EXPECT_EQ(Row.count(7), 7u);
  EXPECT_EQ(Row.hazards(), HazardRAW | HazardWAR | HazardWAW);
}

/// Block b waits for block b + Delta, of grids of so many blocks.
Need shifted(uint64_t Producer, int64_t Delta, uint32_t Blocks, bool Implied) {
  Related How;
  How.What.ProducerGrid = How.What.ConsumerGrid = {Blocks, 1, 1};
  Piece P;
  P.Consumer.High[0] = P.Producer.High[0] = Blocks - 1;
  P.Rows[0].A[0] = 1;
  P.Rows[0].Low = P.Rows[0].High = Delta;
  How.What.Pieces = {P};
  How.Form = encode(How.What);
  return {Producer, Implied, std::make_shared<const Related>(std::move(How))};
}

/// The pairs that nothing orders.
std::set<std::pair<uint64_t, uint64_t>>
unordered(const std::vector<std::vector<Need>> &Needs, uint32_t Blocks,
          const std::vector<std::vector<uint32_t>> &Wanted) {
  std::vector<BlockRow> Rows(Wanted.size());
  for (size_t C = 0; C < Wanted.size(); ++C)
    for (uint32_t P : Wanted[C])
      Rows[C].Some.push_back({P, HazardRAW});
  std::vector<OrderedNode> Nodes;
  for (size_t I = 0; I < Needs.size(); ++I)
    Nodes.push_back({10 + I, {Blocks, 1, 1}, &Needs[I]});
  std::set<std::pair<uint64_t, uint64_t>> Out;
  forEachUnordered(Nodes, Rows, [&](uint64_t C, uint64_t P) {
    Out.emplace(C, P);
    return true;
  });
  return Out;
}

TEST(KeptOrderTest, FollowsKeptRelationsThroughManyBlocks) {
  constexpr uint32_t Blocks = 1500;
  std::vector<std::vector<uint32_t>> Wanted(Blocks);
  for (uint32_t B = 2; B < Blocks; ++B)
    Wanted[B] = {B - 2};
  std::vector<std::vector<Need>> Chain = {
      {},
      {shifted(10, -1, Blocks, false)},
      {shifted(10, -2, Blocks, true), shifted(11, -1, Blocks, false)}};
  EXPECT_THAT(unordered(Chain, Blocks, Wanted), IsEmpty());
  Wanted[1400].push_back(1399);
  EXPECT_THAT(unordered(Chain, Blocks, Wanted),
              ElementsAre(std::pair(uint64_t(1400), uint64_t(1399))));
}

/// Every block waits for all blocks.
Need full(uint64_t Producer, uint32_t Blocks) {
  Related How;
  How.What.ProducerGrid = How.What.ConsumerGrid = {Blocks, 1, 1};
  How.What.Full = true;
  How.Form = encode(How.What);
  return {Producer, false, std::make_shared<const Related>(std::move(How))};
}

TEST(KeptOrderTest, WhoWaitsForAllComesAfterWhatAnyOfThemWaitsFor) {
  constexpr uint32_t Blocks = 1500;
  std::vector<std::vector<uint32_t>> Wanted(Blocks);
  for (uint32_t B = 0; B < Blocks; ++B)
    Wanted[B] = {0, 700, Blocks - 1};
  std::vector<std::vector<Need>> Chain = {
      {}, {shifted(10, -1, Blocks, false)}, {full(11, Blocks)}};
  const auto Found = unordered(Chain, Blocks, Wanted);
  ASSERT_EQ(Found.size(), Blocks);
  for (const auto &[Consumer, Producer] : Found)
    EXPECT_EQ(Producer, Blocks - 1) << "no block waits for the last one";
}

TEST(KeptOrderTest, RelationsLeftOutOrderNothing) {
  std::vector<std::vector<uint32_t>> Wanted = {{}, {0}};
  std::vector<std::vector<Need>> Chain = {
      {}, {}, {shifted(10, -1, 2, true), shifted(11, 0, 2, false)}};
  EXPECT_EQ(unordered(Chain, 2, Wanted).size(), 1u);
}

TEST(KeptOrderTest, WhatComesBeforeTheFirstNodeIsNoMatter) {
  std::vector<std::vector<uint32_t>> Wanted = {{0}, {1}};
  std::vector<std::vector<Need>> Chain = {
      {shifted(3, 0, 2, false)},
      {shifted(4, 0, 2, false), shifted(10, 0, 2, false)}};
  EXPECT_THAT(unordered(Chain, 2, Wanted), IsEmpty());
}

} // namespace
} // namespace blockmaestro
