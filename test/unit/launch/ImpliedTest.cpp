// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which relations nobody has to wait for: the ones of the programs, and that
// what is dropped can always be reached over what is kept.

#include "Implied.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"
#include "Window.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

/// (launch, block)
using Task = std::pair<uint64_t, uint64_t>;

namespace {

/// A sequence of launches through one window, and who waits for whom.
class Sequence {
public:
  Sequence(AllocationMap Known, unsigned Depth)
      : Known(std::move(Known)), InFlight(Depth) {}

  const std::vector<Need> &launch(const Case &What) {
    Kernels.push_back(What.kernel());
    Launch L = What.launch(Kernels.back(), Needs.size());
    Needs.push_back(InFlight.admit(L, Known).Needs);
    for (const Need &N : Needs.back())
      if (!N.Implied)
        for (auto [C, P] : pairsOf(N.How->What))
          Waits[{L.Id, C}].push_back({N.Producer, P});
    return Needs.back();
  }

  /// Whether block From waits for Target, over any number of others.
  bool reaches(Task From, Task Target) const {
    std::set<Task> Seen;
    std::vector<Task> Open{From};
    while (!Open.empty()) {
      Task Next = Open.back();
      Open.pop_back();
      if (Next == Target)
        return true;
      if (Next.first < Target.first || !Seen.insert(Next).second)
        continue;
      auto Found = Waits.find(Next);
      if (Found != Waits.end())
        Open.insert(Open.end(), Found->second.begin(), Found->second.end());
    }
    return false;
  }

private:
  AllocationMap Known;
  Window InFlight;
  std::deque<KernelRecord> Kernels;
  std::deque<std::vector<Need>> Needs;
  std::map<Task, std::vector<Task>> Waits;
};

} // namespace

static std::vector<uint64_t> kept(const std::vector<Need> &Needs) {
  std::vector<uint64_t> Ids;
  for (const Need &N : Needs)
    if (!N.Implied)
      Ids.push_back(N.Producer);
  return Ids;
}

TEST(Implied, AStencilWaitsForTheLaunchBefore) {
  Sequence S(memory(1 << 20), 8);
  for (uint64_t I = 0; I < 12; ++I) {
    const auto &Needs =
        S.launch(stencil(I % 2 ? B : A, I % 2 ? A : B, 64, 64, {8, 8, 1}));
    EXPECT_EQ(Needs.size(), std::min<uint64_t>(I, 8));
    if (I > 0)
      EXPECT_EQ(kept(Needs), std::vector<uint64_t>{I - 1});
  }
}

/// The launch between touches half of the blocks: the others still wait for
/// the first.
TEST(Implied, NotWhenTheOneBetweenIsSmaller) {
  Sequence S(memory(1 << 20), 8);
  S.launch(vectorMap(A, B, 1024, 32));
  S.launch(vectorMap(B, B, 512, 32));
  EXPECT_EQ(kept(S.launch(vectorMap(B, A, 1024, 32))),
            (std::vector<uint64_t>{0, 1}));
}

/// 0 -> 2 needs the neighbours, 1 only passes on each block's own.
TEST(Implied, NotWhenTheOneBetweenIsNarrower) {
  Sequence S(memory(1 << 20), 8);
  S.launch(stencil(A, B, 64, 64, {8, 8, 1}));
  S.launch(stencil(B, MemoryC, 64, 64, {8, 8, 1}));
  EXPECT_EQ(kept(S.launch(stencil(B, A, 64, 64, {8, 8, 1}))),
            std::vector<uint64_t>{0});
}

/// p = c + Delta on eight blocks in a row.
static Relation shifted(int64_t Delta) {
  Relation R;
  R.ProducerGrid = R.ConsumerGrid = {8, 1, 1};
  Piece P;
  P.Consumer.High[0] = P.Producer.High[0] = 7;
  P.Rows[0].A[0] = 1;
  P.Rows[0].Low = P.Rows[0].High = Delta;
  R.Pieces = {P};
  return R;
}

/// Block c waits for its neighbour, which has waited for its own number only.
TEST(Implied, NotOverANeighbour) {
  EXPECT_TRUE(follows(shifted(0), shifted(0), shifted(0)));
  EXPECT_TRUE(follows(shifted(1), shifted(1), shifted(0)));
  EXPECT_TRUE(follows(shifted(1), shifted(0), shifted(1)));
  for (int64_t Delta : {-1, 1}) {
    EXPECT_FALSE(follows(shifted(0), shifted(0), shifted(Delta)));
    EXPECT_FALSE(follows(shifted(0), shifted(Delta), shifted(0)));
  }
}

/// 80 blocks: block 3 waits for 0 to Last, the others for 0 and 1.
static Relation listed(uint32_t Last) {
  auto List = std::make_shared<BlockList>();
  for (uint32_t C = 0; C < 80; ++C) {
    List->Begin.push_back(C);
    List->Runs.push_back({0, C == 3 ? Last : 1});
  }
  List->Begin.push_back(80);
  List->Hazards.assign(80, HazardRAW);
  Relation R;
  R.ProducerGrid = R.ConsumerGrid = {80, 1, 1};
  R.List = std::move(List);
  return R;
}

TEST(Implied, ListsHoldRunsToTheirEnd) {
  Relation Same = shifted(0);
  Same.ProducerGrid = Same.ConsumerGrid = {80, 1, 1};
  Same.Pieces[0].Consumer.High[0] = Same.Pieces[0].Producer.High[0] = 79;
  EXPECT_TRUE(follows(listed(1), listed(1), Same));
  EXPECT_TRUE(follows(listed(1), listed(2), Same));
  EXPECT_FALSE(follows(listed(2), listed(1), Same));
}

/// Every block waits for its own number.
static Relation ownNumber(Dim3 Producers, Dim3 Consumers) {
  auto List = std::make_shared<BlockList>();
  for (uint32_t C = 0; C < Consumers.count(); ++C) {
    List->Begin.push_back(C);
    List->Runs.push_back({C, C});
  }
  List->Begin.push_back(uint32_t(Consumers.count()));
  List->Hazards.assign(List->Runs.size(), HazardRAW);
  Relation R;
  R.ProducerGrid = Producers;
  R.ConsumerGrid = Consumers;
  R.List = std::move(List);
  return R;
}

/// Blocks of the first two columns and rows whose y is that of the other side.
static Relation sameRow(Dim3 Producers, Dim3 Consumers) {
  Relation R;
  R.ProducerGrid = Producers;
  R.ConsumerGrid = Consumers;
  Piece P;
  for (unsigned D : {0, 1})
    P.Consumer.High[D] = P.Producer.High[D] = P.Rows[D].High = 1;
  P.Rows[1].A[1] = 1;
  P.Rows[1].High = 0;
  R.Pieces = {P};
  return R;
}

/// Block 40 is the first of the second row, or in the middle of a column.
TEST(Implied, NotOverTheSameNumberOfAnotherGrid) {
  const Dim3 Rows{40, 2, 1}, Columns{2, 40, 1};
  EXPECT_TRUE(
      follows(sameRow(Rows, Rows), sameRow(Rows, Rows), ownNumber(Rows, Rows)));
  EXPECT_TRUE(
      follows(sameRow(Rows, Rows), ownNumber(Rows, Rows), sameRow(Rows, Rows)));
  EXPECT_FALSE(follows(sameRow(Rows, Rows), sameRow(Rows, Columns),
                       ownNumber(Columns, Rows)));
  EXPECT_FALSE(follows(sameRow(Rows, Rows), ownNumber(Rows, Columns),
                       sameRow(Columns, Rows)));
}

TEST(Implied, TwoFullOnesInARow) {
  Relation Full, Closed;
  Full.Full = true;
  Full.ProducerGrid = Full.ConsumerGrid = Closed.ProducerGrid =
      Closed.ConsumerGrid = {4, 1, 1};
  Closed.Pieces.emplace_back();
  EXPECT_TRUE(follows(Full, Full, Full));
  EXPECT_TRUE(follows(Closed, Full, Full));
  EXPECT_FALSE(follows(Full, Closed, Full));
  EXPECT_FALSE(follows(Full, Full, Closed));
}

TEST(Implied, WhatIsDroppedIsReached) {
  RandomCases Cases(11);
  std::mt19937_64 Engine(12);
  std::vector<Case> Pool;
  for (int I = 0; I < 60; ++I)
    Pool.push_back(Cases.next());
  size_t Dropped = 0;
  for (int Round = 0; Round < 300; ++Round) {
    Sequence S(randomMemory(), 6);
    const Case *Some[] = {&Pool[Engine() % Pool.size()],
                          &Pool[Engine() % Pool.size()]};
    for (uint64_t I = 0; I < 6; ++I)
      for (const Need &N : S.launch(*Some[Engine() % 2])) {
        if (!N.Implied)
          continue;
        ++Dropped;
        for (auto [C, P] : pairsOf(N.How->What))
          ASSERT_TRUE(S.reaches({I, C}, {N.Producer, P}))
              << "round " << Round << " launch " << I << " block " << C
              << " lost " << N.Producer << " block " << P;
      }
  }
  EXPECT_GT(Dropped, 500u);
}
