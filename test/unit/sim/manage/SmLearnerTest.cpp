// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an SM learns from periods whose numbers are made up.

#include "SmLearner.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// An SM with room for eight blocks of the size that both have.
class Sm {
public:
  Sm(PastL1 Tried, uint32_t A, uint32_t B) : Learner(On) {
    On.BlocksPerSm = 8;
    On.Warps.Schedulers = 2;
    Learner.restart({Share{A, 0}, Share{B, 0}}, Tried);
  }

  /// A period of 100 cycles in which pipelines are kept so long, and so much
  /// is waited; the SM then has what the learner says.
  void period(std::array<uint64_t, 2> Sp, std::array<uint64_t, 2> LdSt,
              uint64_t Stalls) {
    PairOnSm Of;
    for (uint32_t I = 0; I < 2; ++I)
      Of.Has[I] = {Learner.shares()[I].Blocks, Learner.shares()[I].Bypassing};
    Learner.given(NextPlace);
    Learner.step(Of, [&] { return Now; });
    Now.Time += 100;
    Now.Stalls += Stalls;
    for (uint32_t I = 0; I < 2; ++I)
      Now.Sp[I] += Sp[I], Now.LdSt[I] += LdSt[I];
    Of.Has = {};
    Learner.ended(NextPlace++);
    Learner.step(Of, [&] { return Now; });
  }

  std::vector<uint32_t> blocks() const {
    return {Learner.shares()[0].Blocks, Learner.shares()[1].Blocks};
  }
  std::vector<uint32_t> bypassing() const {
    return {Learner.shares()[0].Bypassing, Learner.shares()[1].Bypassing};
  }

  Machine On;
  SmLearner Learner;

private:
  uint32_t NextPlace = 0;
  PairSample Now;
};

using Numbers = std::vector<uint32_t>;

constexpr PastL1 Neither = {false, false}, Both = {true, true};

TEST(SmLearner, TheFirstPeriodIsRemembered) {
  Sm Of(Neither, 2, 2);
  Of.period({10, 10}, {10, 10}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{2, 2}));
}

TEST(SmLearner, NothingChangesWhereBothGrow) {
  Sm Of(Neither, 2, 2);
  Of.period({10, 10}, {10, 10}, 0);
  Of.period({11, 10}, {11, 10}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{2, 2}));
}

TEST(SmLearner, WhoPrefersTheCriticalPipelineGetsABlock) {
  // The first keeps SP more; SP falls to a half, loads rise.
  Sm Of(Neither, 2, 2);
  Of.period({20, 10}, {10, 20}, 0);
  Of.period({10, 5}, {15, 20}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{3, 2}));
}

TEST(SmLearner, WhoPrefersLoadsGetsABlockWhereTheseFall) {
  Sm Of(Neither, 2, 2);
  Of.period({20, 10}, {10, 20}, 0);
  Of.period({20, 15}, {5, 10}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{2, 3}));
}

TEST(SmLearner, TheOtherGivesUpWhatIsNeeded) {
  Sm Of(Neither, 4, 4);
  Of.period({20, 10}, {10, 20}, 0);
  Of.period({10, 5}, {15, 20}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{5, 3}));
}

TEST(SmLearner, TheOtherKeepsItsLastBlock) {
  Sm Of(Neither, 7, 1);
  Of.period({20, 10}, {10, 20}, 0);
  Of.period({10, 5}, {15, 20}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{7, 1}));
}

TEST(SmLearner, AMeanIsRemembered) {
  // SP is 30, then 10, remembered as 20: another 21 is a rise.
  Sm Of(Neither, 2, 2);
  Of.period({20, 10}, {10, 20}, 0);
  Of.period({6, 4}, {15, 20}, 0);
  Of.period({14, 7}, {40, 20}, 0);
  EXPECT_EQ(Of.blocks(), (Numbers{3, 2}));
}

TEST(SmLearner, NoPeriodBeginsBeforeTheBlocksAreAsShared) {
  Sm Of(Neither, 2, 2);
  PairOnSm Few;
  Few.Has = {Residents{2, 0}, Residents{1, 0}};
  bool Asked = false;
  Of.Learner.given(0);
  Of.Learner.step(Few, [&] {
    Asked = true;
    return PairSample();
  });
  EXPECT_FALSE(Asked);
}

TEST(SmLearner, SaysWhatAPeriodWas) {
  // Two blocks are there, and the one that came last goes first.
  Sm Of(Neither, 1, 1);
  PairOnSm Two, One;
  Two.Has = {Residents{1, 0}, Residents{1, 0}};
  One.Has = {Residents{1, 0}, Residents{0, 0}};
  Of.Learner.given(0);
  EXPECT_FALSE(Of.Learner.step(One, [] { return PairSample(); }));
  Of.Learner.given(1);
  EXPECT_FALSE(Of.Learner.step(Two, [] { return PairSample{5, {}, {}, 0}; }));
  Of.Learner.ended(1);
  EXPECT_FALSE(Of.Learner.step(One, [] { return PairSample(); }));
  Of.Learner.given(2);
  EXPECT_FALSE(Of.Learner.step(Two, [] { return PairSample(); }));
  Of.Learner.ended(0);
  const auto Is =
      Of.Learner.step(One, [] { return PairSample{50, {}, {}, 7}; });
  ASSERT_TRUE(Is);
  EXPECT_EQ(Is->Begin.Time, 5u);
  EXPECT_EQ(Is->End.Time, 50u);
  EXPECT_EQ(Is->End.Stalls, 7u);
}

TEST(SmLearner, NoneGoesPastL1WhereThatStallsLeast) {
  Sm Of(Both, 2, 2);
  Of.period({}, {}, 50);
  EXPECT_EQ(Of.bypassing(), (Numbers{1, 0}));
  Of.period({}, {}, 60);
  EXPECT_EQ(Of.bypassing(), (Numbers{0, 1}));
  Of.period({}, {}, 50);
  EXPECT_EQ(Of.bypassing(), (Numbers{0, 0}));
}

TEST(SmLearner, MoreGoPastL1WhileStallsFall) {
  Sm Of(Both, 3, 3);
  Of.period({}, {}, 50);
  Of.period({}, {}, 45);
  Of.period({}, {}, 40);
  EXPECT_EQ(Of.bypassing(), (Numbers{0, 2}));
  Of.period({}, {}, 30);
  EXPECT_EQ(Of.bypassing(), (Numbers{0, 3}));
  Of.period({}, {}, 31);
  EXPECT_EQ(Of.bypassing(), (Numbers{0, 2}));
}

TEST(SmLearner, NoMoreGoPastL1ThanThereAre) {
  Sm Of(Both, 1, 3);
  Of.period({}, {}, 50);
  Of.period({}, {}, 40);
  Of.period({}, {}, 45);
  EXPECT_EQ(Of.bypassing(), (Numbers{1, 0}));
  Of.period({}, {}, 10);
  EXPECT_EQ(Of.bypassing(), (Numbers{1, 0}));
}

TEST(SmLearner, OneThatIsNotTriedStaysInL1) {
  Sm First({true, false}, 2, 2), Second({false, true}, 2, 2);
  for (Sm *Each : {&First, &Second})
    Each->period({}, {}, 50);
  EXPECT_EQ(First.bypassing(), (Numbers{1, 0}));
  EXPECT_EQ(Second.bypassing(), (Numbers{0, 1}));
  for (Sm *Each : {&First, &Second})
    Each->period({}, {}, 40);
  EXPECT_EQ(First.bypassing(), (Numbers{2, 0}));
  EXPECT_EQ(Second.bypassing(), (Numbers{0, 2}));
}

TEST(SmLearner, TheOnlyOneThatIsTriedStaysInL1WhereItStallsMore) {
  Sm First({true, false}, 2, 2), Second({false, true}, 2, 2);
  for (Sm *Each : {&First, &Second}) {
    Each->period({}, {}, 50);
    Each->period({}, {}, 50);
    EXPECT_EQ(Each->bypassing(), (Numbers{0, 0}));
  }
}

TEST(SmLearner, BlocksStayWhileBypassingIsLearned) {
  Sm Of(Both, 2, 2);
  for (uint64_t Stalls : {50, 60, 70}) {
    Of.period({20, 10}, {10, 20}, Stalls);
    EXPECT_EQ(Of.blocks(), (Numbers{2, 2}));
  }
  Of.period({10, 5}, {15, 20}, 50);
  EXPECT_EQ(Of.blocks(), (Numbers{3, 2}));
}

} // namespace
