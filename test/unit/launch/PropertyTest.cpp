// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random kernels against the oracle: no byte and no pair is ever missing, and
// what calls itself exact is.

#include "Evaluate.h"
#include "Graph.h"
#include "Oracle.h"
#include "RandomCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

using namespace blockmaestro;
using namespace blockmaestro::test;

template <typename Set> static bool covers(const Set &Large, const Set &Small) {
  return std::includes(Large.begin(), Large.end(), Small.begin(), Small.end());
}

namespace {

struct Count {
  unsigned Exact = 0;
  unsigned Followed = 0;
  unsigned Parts = 0;
  unsigned Total = 0;
};

} // namespace

/// What evaluation says of the case's first access is the truth or more.
static void checkFirstAccess(Case C, const AllocationMap &Known, Count &Of) {
  C.Accesses.resize(1);
  const KernelRecord Kernel = C.kernel();
  const LaunchAccesses Found = evaluate(C.launch(Kernel), Known);
  const Touches Truth = touchesOf(C, 0);
  ++Of.Total;
  bool Exact = true, Followed = true;
  Touches Said;
  for (const BlockAccess &A : Found.Accesses) {
    ASSERT_EQ(A.Exact, A.Reason.empty()) << C.text();
    Exact &= A.Exact;
    Followed &= A.How == Reach::Coordinates;
    if (!Followed)
      continue;
    const Touches Part = touchesOf(A, C.Grid);
    ASSERT_TRUE(!A.Exact || covers(Truth, Part)) << C.text();
    Said.insert(Said.end(), Part.begin(), Part.end());
  }
  Of.Exact += Exact;
  Of.Followed += Followed;
  Of.Parts += Found.Accesses.size() > 1;
  std::sort(Said.begin(), Said.end());
  Said.erase(std::unique(Said.begin(), Said.end()), Said.end());
  ASSERT_TRUE(!Followed || covers(Said, Truth)) << C.text();
  if (Exact)
    ASSERT_EQ(Said, Truth) << C.text();
}

TEST(Property, BytesAreCoveredAndExactWhenExact) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(1);
  Count Of;
  for (unsigned I = 0; I < 3000 && !HasFatalFailure(); ++I) {
    SCOPED_TRACE(I);
    checkFirstAccess(Cases.next(), Known, Of);
  }
  std::printf("exact accesses: %u of %u\n", Of.Exact, Of.Total);
  EXPECT_GT(Of.Exact * 2, Of.Total);
}

TEST(Property, QuotientsPowersAndValuesAreCovered) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(5);
  Count Of;
  for (unsigned I = 0; I < 1500 && !HasFatalFailure(); ++I) {
    SCOPED_TRACE(I);
    checkFirstAccess(Cases.nextComputed(), Known, Of);
  }
  std::printf("exact accesses: %u of %u, followed %u, in parts %u\n", Of.Exact,
              Of.Total, Of.Followed, Of.Parts);
  EXPECT_GT(Of.Exact * 5, Of.Total);
  EXPECT_GT(Of.Followed * 3, Of.Total * 2);
}

/// Addresses stay in order, as BlockAccess.h promises: below a stride, nothing
/// leaves its first step.
/// The bytes of the parts with coordinates, and how many parts are exact.
static std::pair<Touches, long> sumOf(const std::vector<BlockAccess> &Parts,
                                      Dim3 Grid) {
  Touches All;
  for (const BlockAccess &A : Parts)
    if (A.How == Reach::Coordinates) {
      const Touches Part = touchesOf(A, Grid);
      All.insert(All.end(), Part.begin(), Part.end());
    }
  std::sort(All.begin(), All.end());
  return {All, std::count_if(Parts.begin(), Parts.end(),
                             [](const BlockAccess &A) { return A.Exact; })};
}

TEST(Property, AccessesUnderTheSameGuardsAreAsEachAlone) {
  const AllocationMap Known = randomMemory();
  RandomCases Plain(11), Computed(12);
  for (unsigned I = 0; I < 1500; ++I) {
    SCOPED_TRACE(I);
    auto Next = [&] { return I % 3 ? Plain.next() : Computed.nextComputed(); };
    Case Both = Next();
    Both.Accesses.resize(1);
    Both.Accesses.push_back(Next().Accesses[0]);
    Both.Accesses[1].Guards = Both.Accesses[0].Guards;
    Both.Accesses[1].Int32 = Both.Accesses[0].Int32;
    const KernelRecord Kernel = Both.kernel();
    std::vector<BlockAccess> Alone;
    for (const AccessSpec &Each : Both.Accesses) {
      Case One = Both;
      One.Accesses.assign(1, Each);
      const KernelRecord Single = One.kernel();
      const LaunchAccesses Found = evaluate(One.launch(Single), Known);
      Alone.insert(Alone.end(), Found.Accesses.begin(), Found.Accesses.end());
    }
    const LaunchAccesses Found = evaluate(Both.launch(Kernel), Known);
    ASSERT_EQ(sumOf(Found.Accesses, Both.Grid), sumOf(Alone, Both.Grid))
        << Both.text();
  }
}

TEST(Property, CoordinatesDoNotWrap) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(2);
  for (unsigned I = 0; I < 1000; ++I) {
    const Case C = Cases.next();
    const KernelRecord Kernel = C.kernel();
    for (BlockAccess A : evaluate(C.launch(Kernel), Known).Accesses) {
      A.Where.Base = 0;
      while (A.How == Reach::Coordinates && A.Coordinates.size() > 1) {
        const int64_t Stride = A.Coordinates.back().Stride;
        A.Coordinates.pop_back();
        ASSERT_LT(A.Coordinates.back().Stride, Stride);
        for (const auto &[Byte, Block] : touchesOf(A, C.Grid))
          ASSERT_LT(Byte, uint64_t(Stride)) << "case " << I;
      }
    }
  }
}

/// The relation of two cases, and its encoding, hold the true pairs or more.
static void checkPairs(const Case &P, const Case &C, const Relation &R) {
  ASSERT_EQ(encodedPairsOf(R), pairsOf(R));
  ASSERT_EQ(R.Exact, R.Reason.empty());
  ASSERT_LE(R.Pieces.size(), MaxRelationPieces);
  for (uint8_t Hazard : {HazardRAW, HazardWAR, HazardWAW})
    ASSERT_TRUE(covers(pairsOf(R, Hazard), truePairs(P, C, Hazard)))
        << int(Hazard) << "\n"
        << P.text() << "\n"
        << C.text();
  if (R.Exact)
    ASSERT_EQ(pairsOf(R), truePairs(P, C)) << P.text() << "\n" << C.text();
}

TEST(Property, NoPairIsMissingAndExactIsExact) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(3);
  unsigned Exact = 0, Full = 0, Independent = 0;
  const unsigned Total = 4000;
  for (unsigned I = 0; I < Total && !HasFatalFailure(); ++I) {
    SCOPED_TRACE(I);
    const Case P = Cases.next(), C = Cases.next();
    const Relation R = relateCases(P, C, Known);
    checkPairs(P, C, R);
    Exact += R.Exact;
    Full += R.Full;
    Independent += R.independent();
  }
  std::printf("exact relations: %u of %u (%u full, %u independent)\n", Exact,
              Total, Full, Independent);
  EXPECT_GT(Exact * 3, Total);
}

TEST(Property, NoPairOfQuotientsPowersAndValuesIsMissing) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(6);
  unsigned Exact = 0, Full = 0;
  const unsigned Total = 600;
  for (unsigned I = 0; I < Total && !HasFatalFailure(); ++I) {
    SCOPED_TRACE(I);
    const Case P = Cases.nextComputed();
    const Case C = I % 2 ? P : Cases.nextComputed();
    const Relation R = relateCases(P, C, Known);
    checkPairs(P, C, R);
    Exact += R.Exact;
    Full += R.Full;
  }
  std::printf("exact relations: %u of %u (%u full)\n", Exact, Total, Full);
  EXPECT_GT(Exact * 4, Total);
}

/// The same kernel twice, where most relations can be followed.
TEST(Property, KernelAfterItself) {
  const AllocationMap Known = randomMemory();
  RandomCases Cases(4);
  unsigned Exact = 0;
  const unsigned Total = 2000;
  for (unsigned I = 0; I < Total; ++I) {
    const Case C = Cases.next();
    const Relation R = relateCases(C, C, Known);
    const Pairs Truth = truePairs(C, C), Said = pairsOf(R);
    ASSERT_TRUE(covers(Said, Truth)) << "case " << I;
    if (R.Exact)
      ASSERT_EQ(Said, Truth) << "case " << I;
    Exact += R.Exact;
  }
  std::printf("exact relations: %u of %u\n", Exact, Total);
}
