// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Listed relations in the simulator: their runs become edges, too many parents
// a wait for the whole launch, and two lists are two expansions.

#include "Handmade.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// Block 0 waits for 0 and 1, block 2 for 3, block 3 for all but 3.
std::shared_ptr<const BlockList> someList() {
  auto List = std::make_shared<BlockList>();
  List->Begin = {0, 1, 1, 2, 3};
  List->Runs = {{0, 1}, {3, 3}, {0, 2}};
  List->Hazards = {HazardRAW, HazardRAW, HazardRAW};
  return List;
}

Recording listedPair() {
  Recording R;
  R.Window = 3;
  addLaunch(R, {10, 20, 30, 10});
  addLaunch(R, {10, 10, 10, 10});
  addRelation(R, 0, 1, RelationKind::Listed).List = someList();
  return R;
}

TEST(Listed, RunsBecomeEdges) {
  const Recording R = listedPair();
  const Expansion E = expand(R.Relations[0], {4, 1, 1}, 64);
  EXPECT_FALSE(E.KernelLevel);
  EXPECT_EQ(E.MostParents, 3u);
  EXPECT_EQ(E.Parents, (std::vector<uint16_t>{2, 0, 1, 3}));
  EXPECT_EQ(E.Begin, (std::vector<uint32_t>{0, 2, 4, 5, 6}));
  EXPECT_EQ(E.Children, (std::vector<uint32_t>{0, 3, 0, 3, 3, 2}));
}

TEST(Listed, TooManyParentsWaitForTheLaunch) {
  const Recording R = listedPair();
  EXPECT_FALSE(expand(R.Relations[0], {4, 1, 1}, 3).KernelLevel);
  EXPECT_TRUE(expand(R.Relations[0], {4, 1, 1}, 2).KernelLevel);
}

TEST(Listed, WithoutItsListItIsAWaitForTheLaunch) {
  Recording R = listedPair();
  R.Relations[0].List = nullptr;
  EXPECT_TRUE(expand(R.Relations[0], {4, 1, 1}, 64).KernelLevel);
}

TEST(Listed, OtherListsAreExpandedApart) {
  Recording R = listedPair();
  addLaunch(R, {10, 10, 10, 10});
  addRelation(R, 1, 2, RelationKind::Listed).List = someList();
  EXPECT_EQ(workloadOf(R, tinyMachine()).Expansions.size(), 1u);
  auto Other = std::make_shared<BlockList>(*someList());
  Other->Runs[2].Last = 1;
  R.Relations[1].List = Other;
  EXPECT_EQ(workloadOf(R, tinyMachine()).Expansions.size(), 2u);
}

} // namespace
