// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is in flight, and that the memo never changes an answer.

#include "Window.h"
#include "FootprintText.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

using namespace blockmaestro;
using namespace blockmaestro::test;

static constexpr uint64_t A = MemoryA, B = MemoryB, C = MemoryC;

/// Kernels outlive every launch; one for each formula, as in a program.
static const KernelRecord &kernelOf(const Case &What) {
  static std::deque<KernelRecord> Kernels;
  static std::map<std::string, const KernelRecord *> Known;
  KernelRecord Made = What.kernel();
  const KernelRecord *&Mine = Known[toText(Made)];
  if (!Mine)
    Mine = &Kernels.emplace_back(std::move(Made));
  return *Mine;
}

static std::vector<Need> admit(Window &W, uint64_t Id, const Case &What,
                               const AllocationMap &Known,
                               const void *Stream = nullptr) {
  return W.admit(What.launch(kernelOf(What), Id), Known, Stream).Needs;
}

static std::vector<uint64_t> producers(const std::vector<Need> &Needs,
                                       bool Implied = false) {
  std::vector<uint64_t> Ids;
  for (const Need &N : Needs)
    if (N.Implied == Implied)
      Ids.push_back(N.Producer);
  return Ids;
}

TEST(Window, RelatesToEveryLaunchInFlight) {
  const AllocationMap Known = memory(1 << 20);
  Window W(2);
  EXPECT_TRUE(admit(W, 10, vectorMap(A, B, 999, 32), Known).empty());
  const auto Second = admit(W, 11, vectorMap(A, C, 999, 32), Known);
  EXPECT_TRUE(Second.empty());
  const auto Third = admit(W, 12, vectorAddInPlace(B, C, 999, 32), Known);
  EXPECT_EQ(producers(Third), (std::vector<uint64_t>{10, 11}));
  EXPECT_EQ(Third[0].How->What.Hazards, HazardRAW);
  const auto Fourth = admit(W, 13, vectorMap(C, B, 999, 32), Known);
  EXPECT_EQ(producers(Fourth), std::vector<uint64_t>{12});
  EXPECT_EQ(producers(Fourth, true), std::vector<uint64_t>{11});
}

TEST(Window, ImpliedNeedsAreLeftOutWhereNobodyAsks) {
  const AllocationMap Known = memory(1 << 20);
  Window W(16);
  for (uint64_t I = 0; I < 12; ++I) {
    const Case Next =
        I % 2 ? vectorMap(B, A, 999, 32) : vectorMap(A, B, 999, 32);
    const Admission Entry = W.admit(Next.launch(kernelOf(Next), I), Known,
                                    nullptr, /*WithImplied=*/false);
    const std::vector<uint64_t> Before(I > 0, I - 1);
    EXPECT_EQ(producers(Entry.Needs), Before);
    EXPECT_TRUE(producers(Entry.Needs, true).empty());
  }
}

TEST(Window, ClearAndStreams) {
  const AllocationMap Known = memory(1 << 20);
  Window W;
  int OtherStream = 0;
  admit(W, 0, vectorMap(A, B, 999, 32), Known);
  EXPECT_TRUE(
      admit(W, 1, vectorMap(B, C, 999, 32), Known, &OtherStream).empty());
  EXPECT_EQ(admit(W, 2, vectorMap(B, C, 999, 32), Known).size(), 1u);
  W.clear();
  EXPECT_TRUE(admit(W, 3, vectorMap(B, C, 999, 32), Known).empty());
}

TEST(Window, PingPongIsRememberedOnce) {
  const AllocationMap Known = memory(1 << 20);
  Window W(3);
  for (uint64_t I = 0; I < 100; ++I)
    admit(W, I, stencil(I % 2 ? B : A, I % 2 ? A : B, 64, 64, {8, 8, 1}),
          Known);
  EXPECT_EQ(W.remembered(), 4u);
}

TEST(Window, MemoIsTransparentAndBounded) {
  const AllocationMap Known = randomMemory();
  Window With(4, 16), Without(4, 0);
  RandomCases Cases(5);
  std::vector<Case> Pool;
  for (int I = 0; I < 8; ++I)
    Pool.push_back(Cases.next());
  std::mt19937_64 Engine(6);
  for (uint64_t I = 0; I < 400; ++I) {
    const Case &Next = Pool[Engine() % Pool.size()];
    const auto X = admit(With, I, Next, Known);
    const auto Y = admit(Without, I, Next, Known);
    ASSERT_EQ(producers(X), producers(Y));
    ASSERT_EQ(producers(X, true), producers(Y, true));
    for (size_t K = 0; K < X.size(); ++K) {
      ASSERT_EQ(pairsOf(X[K].How->What), pairsOf(Y[K].How->What));
      ASSERT_EQ(X[K].How->What.Exact, Y[K].How->What.Exact);
    }
    ASSERT_LE(With.remembered(), 16u);
  }
}

/// The same kernel and arguments, but memory that moved in between.
TEST(Window, MemoSeesOtherAllocations) {
  Window W;
  const Case First = vectorMap(A, B, 64, 32), Second = vectorMap(C, A, 64, 32);
  AllocationMap Known = memory(1 << 20);
  admit(W, 0, First, Known);
  EXPECT_EQ(admit(W, 1, Second, Known).size(), 1u);
  W.clear();
  Known.remove(A);
  admit(W, 2, First, Known);
  const auto Needs = admit(W, 3, Second, Known);
  ASSERT_EQ(Needs.size(), 1u);
  EXPECT_TRUE(Needs[0].How->What.Full);
}

/// A copy of so many bytes: one block that reads From and writes To.
static LaunchAccesses copyOf(uint64_t To, uint64_t From, int64_t Bytes) {
  auto Touch = [&](AccessKind Kind, uint64_t Address) {
    BlockAccess Out;
    Out.Kind = Kind;
    Out.How = Reach::Coordinates;
    Out.Exact = true;
    Out.Where = {Address, uint64_t(Bytes)};
    Out.Coordinates.resize(1);
    Out.Coordinates[0].Count = Bytes;
    return Out;
  };
  return {{}, {Touch(AccessKind::Read, From), Touch(AccessKind::Write, To)}};
}

TEST(Window, CopiesAreNodesAmongLaunches) {
  const AllocationMap Known = memory(1 << 20);
  Window W;
  const Case First = vectorMap(A, B, 256, 32), Last = vectorMap(B, C, 256, 32);
  W.admit(10, First.launch(kernelOf(First), 0), Known);
  const auto Elsewhere = W.admit(11, copyOf(C, A, 512)).Needs;
  EXPECT_TRUE(Elsewhere.empty());
  const auto Copy = W.admit(12, copyOf(B, C, 512)).Needs;
  ASSERT_EQ(producers(Copy), (std::vector<uint64_t>{10, 11}));
  EXPECT_EQ(Copy[0].How->What.Hazards, HazardWAW);
  EXPECT_TRUE(Copy[0].How->What.Exact);
  // The first 512 bytes of B are those of blocks 0 to 3.
  EXPECT_EQ(pairsOf(Copy[0].How->What).size(), 4u);
  EXPECT_EQ(Copy[1].How->What.Hazards, HazardRAW);
  const auto After = W.admit(13, Last.launch(kernelOf(Last), 1), Known).Needs;
  ASSERT_EQ(producers(After), (std::vector<uint64_t>{10, 12}));
  EXPECT_EQ(producers(After, true), std::vector<uint64_t>{11});
  EXPECT_EQ(After[2].How->What.Hazards, HazardRAW | HazardWAR);
  EXPECT_EQ(pairsOf(After[2].How->What).size(), 4u);
}

TEST(Window, RawOnlyLeavesOutTheOtherHazards) {
  const AllocationMap Known = memory(1 << 20);
  Window W(1, 1024, HazardChoice::RawOnly);
  EXPECT_TRUE(admit(W, 0, vectorMap(A, B, 999, 32), Known).empty());
  EXPECT_TRUE(admit(W, 1, vectorMap(C, A, 999, 32), Known).empty()); // WAR.
  EXPECT_TRUE(admit(W, 2, vectorMap(B, A, 999, 32), Known).empty()); // WAW.
  const auto Reader = admit(W, 3, vectorAddInPlace(A, B, 999, 32), Known);
  ASSERT_EQ(producers(Reader), std::vector<uint64_t>{2});
  EXPECT_EQ(Reader[0].How->What.Hazards, HazardRAW);
}
