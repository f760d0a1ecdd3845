// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where an assumption is asked: everywhere, or where the first constraints of
// its access's domain hold.

#include "Evaluate.h"
#include "Oracle.h"

#include <gtest/gtest.h>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// a[tx - 3] where the guards hold, of one block of 32 threads; Offset rests on
/// tx - 3 being in 0 .. 2^32-1.
Case shifted(std::vector<Poly> Guards) {
  return one({AccessKind::Read, 0, 4, tx - 3, std::move(Guards), false},
             {1, 1, 1}, {32, 1, 1});
}

/// Under the first constraints of the access.
Assumption unsignedUnder(const Poly &Value, uint16_t Constraints) {
  Assumption Out{Value.build(), 32, false, {}};
  for (uint16_t I = 0; I < Constraints; ++I)
    Out.Under.push_back(I);
  return Out;
}

/// What becomes of the case's accesses, each of which assumes All.
std::vector<BlockAccess> evaluated(const Case &C, std::vector<Assumption> All) {
  KernelRecord Kernel = C.kernel();
  for (Access &A : Kernel.Bytes.Accesses)
    A.Assumptions = All;
  return evaluate(C.launch(Kernel), memory(1 << 20)).Accesses;
}

TEST(Assumptions, UnderGuardsThatAreFalseAtTheLaunch) {
  Case C = shifted({int0 - 1});
  EXPECT_TRUE(evaluated(C, {unsignedUnder(tx - 3, 1)}).empty());
  const auto Everywhere = evaluated(C, {unsignedUnder(tx - 3, 0)});
  ASSERT_EQ(Everywhere.size(), 1u);
  EXPECT_EQ(Everywhere[0].How, Reach::Range);
  C.Ints[0] = 1;
  const auto True = evaluated(C, {unsignedUnder(tx - 3, 1)});
  ASSERT_EQ(True.size(), 1u);
  EXPECT_EQ(True[0].How, Reach::Range);
  EXPECT_NE(True[0].Reason.find("wrap around"), std::string::npos);
}

TEST(Assumptions, OneSideCutOffByAGuard) {
  for (int Least : {2, 3, 4}) {
    const auto Found =
        evaluated(shifted({tx - Least}), {unsignedUnder(tx - 3, 1)});
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_EQ(Found[0].How == Reach::Coordinates, Least >= 3) << Least;
    EXPECT_EQ(Found[0].Exact, Least >= 3) << Least;
  }
  for (int Most : {7, 8}) {
    const auto Found =
        evaluated(shifted({Most - tx, tx - 3}), {{tx.build(), 3, false, {0}}});
    ASSERT_EQ(Found.size(), 1u);
    EXPECT_EQ(Found[0].How == Reach::Coordinates, Most < 8) << Most;
  }
}

TEST(Assumptions, EqualitiesCutOffBothSides) {
  KernelRecord Kernel = shifted({tx - 5}).kernel();
  Kernel.Bytes.Accesses[0].Domain[0].Equality = true;
  Kernel.Bytes.Accesses[0].Assumptions = {{(tx - 3).build(), 2, false, {0}}};
  const auto Found =
      evaluate(shifted({}).launch(Kernel), memory(1 << 20)).Accesses;
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_TRUE(Found[0].Exact);
}

/// The second guard may itself rest on the assumption.
TEST(Assumptions, OnlyTheConstraintsInFrontCount) {
  const Case C = shifted({31 - tx, tx - 3});
  EXPECT_EQ(evaluated(C, {unsignedUnder(tx - 3, 1)}).at(0).How, Reach::Range);
  EXPECT_EQ(evaluated(C, {unsignedUnder(tx - 3, 2)}).at(0).How,
            Reach::Coordinates);
}

/// One of them fails everywhere, which no guard of the other makes good.
TEST(Assumptions, EachIsAskedWhereItMustHold) {
  const Case C = shifted({tx - 3});
  EXPECT_EQ(evaluated(C, {unsignedUnder(tx - 3, 1), unsignedUnder(tx - 3, 0)})
                .at(0)
                .How,
            Reach::Range);
  EXPECT_TRUE(
      evaluated(shifted({int0 - 1}), {unsignedUnder(tx - 3, 1)}).empty());
  EXPECT_EQ(evaluated(shifted({int0 - 1}),
                      {unsignedUnder(tx - 3, 1), unsignedUnder(int0 - 1, 0)})
                .at(0)
                .How,
            Reach::Range);
}

/// The same list under other guards is asked again.
TEST(Assumptions, OfTwoAccessesUnderDifferentGuards) {
  Case C = shifted({tx - 3});
  C.Accesses.push_back(C.Accesses[0]);
  C.Accesses[1].Guards = {tx - 1};
  const auto Found = evaluated(C, {unsignedUnder(tx - 3, 1)});
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].How, Reach::Coordinates);
  EXPECT_EQ(Found[1].How, Reach::Range);
}

/// tx * ty is bounded by the guards only through each index.
TEST(Assumptions, OfIndicesThatAreMultiplied) {
  Case C = one({AccessKind::Read, 0, 4, tx, {int0 - 1}, false}, {1, 1, 1},
               {32, 8, 1});
  EXPECT_TRUE(evaluated(C, {{(tx * ty).build(), 4, false, {0}}}).empty());
  C.Ints[0] = 1;
  EXPECT_EQ(evaluated(C, {{(tx * ty).build(), 4, false, {0}}}).at(0).How,
            Reach::Range);
  EXPECT_EQ(evaluated(C, {{(tx * ty).build(), 8, false, {0}}}).at(0).How,
            Reach::Coordinates);
}

/// A loop whose extent is not positive may be empty because that wrapped: its
/// counter is taken as 0, and the guards as they are there.
TEST(Assumptions, InALoopThatSeemsEmpty) {
  Case C = one({AccessKind::Read, 0, 4, tx + counter0, {counter0 - 1}, false},
               {1, 1, 1}, {32, 1, 1});
  C.Extents[0] = int0;
  EXPECT_TRUE(evaluated(C, {unsignedUnder(tx - 3, 1)}).empty());
  EXPECT_EQ(evaluated(C, {unsignedUnder(int0 - 1, 0)}).at(0).How, Reach::Range);
}

} // namespace
