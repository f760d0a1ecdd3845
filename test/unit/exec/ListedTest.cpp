// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Listed relations in the shuffle executor: producers first, under every seed,
// and lists that do not fit the launches are refused.

#include "FakeDevice.h"
#include "Shuffle.h"

#include "gtest/gtest.h"

#include <map>

using namespace blockmaestro;

namespace {

/// Block c waits for all blocks of Producer but c.
Dependence needOthers(uint64_t Producer, uint32_t Blocks) {
  auto List = std::make_shared<BlockList>();
  List->Begin.push_back(0);
  auto Add = [&](uint32_t First, uint32_t End) {
    if (First == End)
      return;
    List->Runs.push_back({First, End - 1});
    List->Hazards.push_back(1);
  };
  for (uint32_t C = 0; C < Blocks; ++C) {
    Add(0, C);
    Add(C + 1, Blocks);
    List->Begin.push_back(uint32_t(List->Runs.size()));
  }
  Dependence D = needAll(Producer, {Blocks});
  D.Header.Kind = uint32_t(RelationKind::Listed);
  D.List = std::move(List);
  return D;
}

Status runPair(FakeRunner &Runner, Dependence Need, uint64_t Seed) {
  auto Exec = makeShuffle(Runner, nullptr, ShuffleSettings{Seed, 3, false, 1});
  if (Status S = Exec->submit(makeTask(0, {6})); !S.ok())
    return S;
  if (Status S = Exec->submit(makeTask(1, {6}, {std::move(Need)})); !S.ok())
    return S;
  return Exec->drain();
}

TEST(ListedTest, ProducersRunFirst) {
  bool OwnLater = false;
  for (uint64_t Seed = 0; Seed < 200; ++Seed) {
    FakeRunner Runner;
    ASSERT_TRUE(runPair(Runner, needOthers(0, 6), Seed).ok());
    ASSERT_EQ(Runner.Order.size(), 12u);
    std::map<Ran, size_t> Place;
    for (size_t I = 0; I < Runner.Order.size(); ++I)
      Place[Runner.Order[I]] = I;
    for (uint64_t C = 0; C < 6; ++C)
      for (uint64_t P = 0; P < 6; ++P) {
        const bool Before = Place[Ran{0, P}] < Place[Ran{1, C}];
        ASSERT_TRUE(C == P || Before) << "seed " << Seed;
        OwnLater |= C == P && !Before;
      }
  }
  EXPECT_TRUE(OwnLater);
}

TEST(ListedTest, ListsThatDoNotFitAreRefused) {
  const auto Refused = [](void (*Change)(BlockList &)) {
    Dependence Need = needOthers(0, 6);
    BlockList Other = *Need.List;
    Change(Other);
    Need.List = std::make_shared<const BlockList>(std::move(Other));
    FakeRunner Runner;
    return runPair(Runner, Need, 0).code() == StatusCode::InvalidArgument;
  };
  EXPECT_FALSE(Refused([](BlockList &) {}));
  EXPECT_TRUE(Refused([](BlockList &L) { L.Runs[0].Last = 6; }));
  EXPECT_TRUE(Refused([](BlockList &L) { L.Begin.pop_back(); }));
  EXPECT_TRUE(Refused([](BlockList &L) { L.Begin.back() += 1; }));
  EXPECT_TRUE(Refused([](BlockList &L) { L.Begin[2] = 0; }));
  Dependence None = needOthers(0, 6);
  None.List = nullptr;
  FakeRunner Runner;
  EXPECT_EQ(runPair(Runner, None, 0).code(), StatusCode::InvalidArgument);
}

} // namespace
