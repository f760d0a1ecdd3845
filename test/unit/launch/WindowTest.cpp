// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is in flight, and that the memo never changes an answer.

#include "Window.h"
#include "Evaluate.h"
#include "FootprintText.h"
#include "Graph.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

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
                               const std::vector<uint64_t> &Unordered = {}) {
  return W.admit(What.launch(kernelOf(What), Id), Known, {Unordered}).Needs;
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
    const Admission Entry =
        W.admit(Next.launch(kernelOf(Next), I), Known, {.WithImplied = false});
    const std::vector<uint64_t> Before(I > 0, I - 1);
    EXPECT_EQ(producers(Entry.Needs), Before);
    EXPECT_TRUE(producers(Entry.Needs, true).empty());
  }
}

TEST(Window, AClearedOneHasNothingInFlight) {
  const AllocationMap Known = memory(1 << 20);
  Window W;
  admit(W, 0, vectorMap(A, B, 999, 32), Known);
  EXPECT_EQ(admit(W, 1, vectorMap(B, C, 999, 32), Known).size(), 1u);
  W.clear();
  EXPECT_TRUE(admit(W, 2, vectorMap(B, C, 999, 32), Known).empty());
}

/// What the program leaves unordered is not waited for, and makes sure of
/// nothing: the last one here is behind 2, but 2 is not behind 1.
TEST(Window, WhatIsUnorderedHasNoRelation) {
  const AllocationMap Known = memory(1 << 20);
  Window W;
  admit(W, 1, vectorMap(A, B, 999, 32), Known);
  EXPECT_TRUE(admit(W, 2, vectorMap(A, B, 999, 32), Known, {1}).empty());
  const auto Last = admit(W, 3, vectorMap(B, C, 999, 32), Known);
  EXPECT_EQ(producers(Last), (std::vector<uint64_t>{1, 2}));
}

/// The same launches come again and again, every second one not behind the one
/// before it.
TEST(Window, WhoIsUnorderedBelongsToWhatIsRemembered) {
  const AllocationMap Known = memory(1 << 20);
  Window W(2);
  const Case Next = vectorMap(A, B, 999, 32);
  admit(W, 0, Next, Known);
  admit(W, 1, Next, Known, {0});
  for (uint64_t I = 2; I < 12; I += 2) {
    EXPECT_EQ(producers(admit(W, I, Next, Known)),
              (std::vector<uint64_t>{I - 2, I - 1}));
    EXPECT_EQ(producers(admit(W, I + 1, Next, Known, {I})),
              std::vector<uint64_t>{I - 1});
  }
}

TEST(Window, PingPongIsRememberedOnce) {
  const AllocationMap Known = memory(1 << 20);
  Window W(3);
  for (uint64_t I = 0; I < 100; ++I)
    admit(W, I, stencil(I % 2 ? B : A, I % 2 ? A : B, 64, 64, {8, 8, 1}),
          Known);
  // One way of touching memory: one launch after another, and two after it.
  EXPECT_EQ(W.remembered(), 2u);
}

static void expectSame(const std::vector<Need> &X, const std::vector<Need> &Y) {
  ASSERT_EQ(producers(X), producers(Y));
  ASSERT_EQ(producers(X, true), producers(Y, true));
  for (size_t K = 0; K < X.size(); ++K) {
    ASSERT_EQ(pairsOf(X[K].How->What), pairsOf(Y[K].How->What));
    ASSERT_EQ(X[K].How->What.Exact, Y[K].How->What.Exact);
  }
}

/// Some of the Depth launches before I, ascending.
static std::vector<uint64_t> someBefore(uint64_t I, unsigned Depth,
                                        std::mt19937_64 &Engine) {
  std::vector<uint64_t> Out;
  for (uint64_t Each = I - std::min<uint64_t>(I, Depth); Each < I; ++Each)
    if (Engine() % 4 == 0)
      Out.push_back(Each);
  return Out;
}

/// Whatever was in flight, and however much of it was ordered.
TEST(Window, AClearedOneIsAsANewOne) {
  const AllocationMap Known = memory(1 << 20);
  const Case Pool[] = {vectorMap(A, B, 64, 16), vectorMap(B, C, 64, 16),
                       vectorAddInPlace(B, C, 64, 16),
                       stencil(A, B, 16, 16, {8, 8, 1}),
                       stencil(C, A, 16, 16, {8, 8, 1})};
  Window Cleared(4);
  auto New = std::make_unique<Window>(4);
  std::mt19937_64 Engine(7);
  for (uint64_t I = 0; I < 400; ++I) {
    if (Engine() % 6 == 0) {
      Cleared.clear();
      New = std::make_unique<Window>(4);
    }
    const Case &Next = Pool[Engine() % std::size(Pool)];
    const auto Unordered = someBefore(I, I < 200 ? 0 : 4, Engine);
    expectSame(admit(Cleared, I, Next, Known, Unordered),
               admit(*New, I, Next, Known, Unordered));
    if (HasFatalFailure())
      FAIL() << "launch " << I;
  }
}

TEST(Window, MemoIsTransparentAndBounded) {
  const AllocationMap Known = randomMemory();
  for (unsigned Depth : {0u, 4u}) {
    Window With(4, 16), Without(4, 0);
    RandomCases Cases(5);
    std::vector<Case> Pool;
    for (int I = 0; I < 8; ++I)
      Pool.push_back(Cases.next());
    std::mt19937_64 Engine(6);
    for (uint64_t I = 0; I < 400; ++I) {
      const Case &Next = Pool[Engine() % Pool.size()];
      const auto Unordered = someBefore(I, Depth, Engine);
      expectSame(admit(With, I, Next, Known, Unordered),
                 admit(Without, I, Next, Known, Unordered));
      if (HasFatalFailure())
        FAIL() << "launch " << I;
      ASSERT_LE(With.remembered(), 16u);
    }
  }
}

/// Leaving launches unordered takes those relations away and no others.
TEST(Window, WhatIsOrderedKeepsItsRelations) {
  const AllocationMap Known = randomMemory();
  Window Some(4), All(4);
  RandomCases Cases(8);
  std::mt19937_64 Engine(9);
  for (uint64_t I = 0; I < 300; ++I) {
    const Case Next = Cases.next();
    const auto Unordered = someBefore(I, 4, Engine);
    auto Wanted = admit(All, I, Next, Known);
    auto Got = admit(Some, I, Next, Known, Unordered);
    std::erase_if(Wanted, [&](const Need &Each) {
      return std::ranges::binary_search(Unordered, Each.Producer);
    });
    // Whether a need is implied depends on what the others wait for.
    for (auto *Needs : {&Wanted, &Got})
      for (Need &Each : *Needs)
        Each.Implied = false;
    expectSame(Got, Wanted);
    if (HasFatalFailure())
      FAIL() << "launch " << I;
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
  LaunchAccesses Out;
  Out.Accesses = {Touch(AccessKind::Read, From), Touch(AccessKind::Write, To)};
  return Out;
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

/// New buffers in every round, as a program takes them from a pool; what was
/// worked out for the first serves all.
TEST(Window, OtherMemoryInTheSameWayIsLookedUp) {
  AllocationMap Known;
  for (uint64_t I = 0; I < 64; ++I)
    Known.add({A + (I << 20), 1 << 20});
  Window W(3), Fresh(3, 0);
  size_t Before = 0;
  for (uint64_t I = 0; I < 62; ++I) {
    const uint64_t In = A + (I << 20), Out = In + (1 << 20);
    const Case Next = vectorMap(In + 64, Out + 64, 999, 32);
    const auto Mine = admit(W, I, Next, Known);
    const auto Truth = admit(Fresh, I, Next, Known);
    ASSERT_EQ(producers(Mine), producers(Truth));
    ASSERT_EQ(producers(Mine), std::vector<uint64_t>(I > 0, I - 1));
    ASSERT_EQ(pairsOf(Mine.empty() ? Relation() : Mine[0].How->What),
              pairsOf(Truth.empty() ? Relation() : Truth[0].How->What));
    if (I == 8)
      Before = W.remembered();
  }
  EXPECT_EQ(W.remembered(), Before);
}

/// f(p, p) is not f(p, q), though each pointer is as far into memory of the
/// same size.
TEST(Window, WhichPointersShareMemoryIsRemembered) {
  const AllocationMap Known = memory(1 << 20);
  Window W;
  admit(W, 0, vectorAddInPlace(A, A, 999, 32), Known);
  admit(W, 1, vectorAddInPlace(A, B, 999, 32), Known);
  W.clear();
  admit(W, 2, vectorAddInPlace(C, C, 999, 32), Known);
  EXPECT_EQ(admit(W, 3, vectorMap(B, C, 999, 32), Known).size(), 1u);
  W.clear();
  admit(W, 4, vectorAddInPlace(A, C, 999, 32), Known);
  EXPECT_TRUE(admit(W, 5, vectorMap(B, A + (1 << 19), 999, 32), Known).empty());
}

/// An argument no access depends on.
TEST(Window, OtherScalarsAreTheSameLaunch) {
  const AllocationMap Known = memory(1 << 20);
  Window W(2);
  Case Next = vectorMap(A, A, 999, 32);
  const KernelRecord &Kernel = kernelOf(Next);
  size_t Before = 0;
  for (uint64_t I = 0; I < 20; ++I) {
    Next.Ints[3] = int32_t(I);
    Next.Ints[0] = I < 10 ? Next.Ints[0] : 500;
    const auto Needs = W.admit(Next.launch(Kernel, I), Known).Needs;
    ASSERT_EQ(Needs.size(), std::min<uint64_t>(I, 2));
    Before = I == 5 ? W.remembered() : Before;
    if (I == 9) {
      EXPECT_EQ(W.remembered(), Before);
    }
  }
}

/// Ranges that overlap without being the same, appearing and going again.
TEST(Window, OverlappingRangesAreNeverTakenForOthers) {
  std::mt19937_64 Engine(11);
  Window With(4, 64), Without(4, 0);
  for (uint64_t I = 0; I < 2000; ++I) {
    std::vector<std::pair<Allocation, bool>> Of;
    for (uint64_t N = Engine() % 3 + 1; N > 0; --N) {
      const bool Odd = Engine() % 16 == 0;
      const uint64_t Base = Engine() % 6 * 100 + (Odd ? Engine() % 100 : 0);
      Of.push_back({{Base, Odd ? 1 + Engine() % 150 : 100}, Engine() % 2 == 0});
    }
    const auto X = With.admit(I, ranges(Of)), Y = Without.admit(I, ranges(Of));
    ASSERT_EQ(producers(X.Needs), producers(Y.Needs)) << I;
    ASSERT_EQ(producers(X.Needs, true), producers(Y.Needs, true)) << I;
    for (size_t K = 0; K < X.Needs.size(); ++K)
      ASSERT_EQ(X.Needs[K].How->What.Hazards, Y.Needs[K].How->What.Hazards);
    ASSERT_EQ(X.Touched->Accesses.size(), Of.size());
    for (size_t K = 0; K < Of.size(); ++K)
      ASSERT_EQ(X.Touched->Accesses[K].Where.Base, Of[K].first.Base);
  }
}

/// A relation of memory that overlaps is never found again, so it would only
/// take memory; one of the same memory is.
TEST(Window, RelationsOfOverlappingRangesAreLetGo) {
  for (uint64_t Second : {100, 150}) {
    Window W;
    W.admit(0, ranges({{{100, 100}, true}}));
    const std::weak_ptr<const Related> How =
        W.admit(1, ranges({{{Second, 100}, true}})).Needs.at(0).How;
    W.clear();
    EXPECT_EQ(How.expired(), Second != 100);
  }
}

/// The answer of the oracle: who of the last Depth touched the same bytes.
TEST(Window, RangesAreRelatedAsTheyOverlap) {
  std::mt19937_64 Engine(12);
  Window W(32, 256);
  std::deque<std::vector<std::pair<Allocation, bool>>> Last;
  for (uint64_t I = 0; I < 3000; ++I) {
    std::vector<std::pair<Allocation, bool>> Of;
    for (int N = 0; N < 10; ++N)
      Of.push_back(
          {{Engine() % 400 * 64, 64 + Engine() % 40 / 39}, N % 3 == 0});
    std::vector<uint64_t> Want, Got;
    for (size_t P = 0; P < Last.size(); ++P)
      if (std::any_of(Of.begin(), Of.end(), [&](const auto &Mine) {
            return std::any_of(
                Last[P].begin(), Last[P].end(), [&](const auto &Theirs) {
                  return (Mine.second || Theirs.second) &&
                         Mine.first.Base <
                             Theirs.first.Base + Theirs.first.Bytes &&
                         Theirs.first.Base < Mine.first.Base + Mine.first.Bytes;
                });
          }))
        Want.push_back(I - Last.size() + P);
    for (const Need &N : W.admit(I, ranges(Of)).Needs)
      Got.push_back(N.Producer);
    ASSERT_EQ(Got, Want) << I;
    Last.push_back(Of);
    if (Last.size() > 32)
      Last.pop_front();
  }
}

/// Who is left out because its bytes lie apart has no pair to lose.
TEST(Window, NothingExactIsLeftOut) {
  const AllocationMap Known = randomMemory();
  Window W(4, 64);
  RandomCases Cases(15);
  std::deque<std::pair<uint64_t, LaunchAccesses>> Last;
  for (uint64_t I = 0; I < 1500; ++I) {
    const Case Next = Cases.next();
    LaunchAccesses Mine = evaluate(Next.launch(kernelOf(Next), I), Known);
    std::set<uint64_t> Found;
    for (const Need &N : admit(W, I, Next, Known))
      Found.insert(N.Producer);
    for (const auto &[Id, Theirs] : Last) {
      const Relation How = relate(Theirs, Mine);
      if (How.Exact && !How.independent())
        EXPECT_TRUE(Found.count(Id)) << I << ": " << Next.text();
    }
    Last.push_back({I, std::move(Mine)});
    if (Last.size() > 4)
      Last.pop_front();
  }
}

/// A launch of one block that touches steps Base to Base + Count - 1 of Stride
/// bytes, the first Bytes of each, as far as ClipHigh.
static LaunchAccesses walk(AccessKind Kind, Coordinate Steps, int64_t Bytes) {
  LaunchAccesses Out;
  BlockAccess &Each = Out.Accesses.emplace_back();
  Each.Kind = Kind;
  Each.How = Reach::Coordinates;
  Each.Where = {A, 4096};
  Each.Coordinates = {Steps};
  Each.ByteHigh = Bytes - 1;
  Each.Reason = "a bound";
  return Out;
}

/// That the second launch cannot touch what the first does is seen, but not by
/// comparing them as ranges. So it does not wait, and the third one, which
/// waits for both, must not rely on it.
TEST(Window, OnlyWhatIsWaitedForMakesSureOfAnything) {
  Coordinate First, Second, Third;
  First.Stride = 12;
  First.Count = 7;
  First.ClipHigh = 0;
  Second.Stride = 8;
  Second.Base = 2;
  Second.Count = 7;
  Third.Count = 80;
  const LaunchAccesses Reads = walk(AccessKind::Read, First, 4),
                       Writes = walk(AccessKind::Write, Second, 8),
                       All = walk(AccessKind::Write, Third, 1);
  ASSERT_FALSE(relate(Reads, Writes).independent());
  Window W(8);
  EXPECT_TRUE(W.admit(0, Reads).Needs.empty());
  EXPECT_TRUE(W.admit(1, Writes).Needs.empty());
  EXPECT_EQ(producers(W.admit(2, All).Needs), (std::vector<uint64_t>{0, 1}));
}

/// One block that writes so many bytes of Where.
static LaunchAccesses fillOf(const Allocation &Where, int64_t Bytes) {
  Coordinate All;
  All.Count = Bytes;
  LaunchAccesses Out = walk(AccessKind::Write, All, 1);
  Out.Accesses[0].Where = Where;
  Out.Accesses[0].Exact = true;
  return Out;
}

/// A launch that may touch any memory shares it with others by no mark.
TEST(Window, WhatIsUnorderedCountsWithoutMarksToo) {
  LaunchAccesses Anywhere = fillOf({B, 4096}, 1);
  Anywhere.Accesses[0].How = Reach::Everything;
  const LaunchAccesses Fill = fillOf({A, 4096}, 16);
  Window W;
  for (uint64_t Id : {0, 10}) {
    W.clear();
    W.admit(Id, Anywhere);
    EXPECT_TRUE(W.admit(Id + 1, Fill, {std::vector{Id}}).Needs.empty());
    W.clear();
    W.admit(Id + 2, Anywhere);
    EXPECT_EQ(producers(W.admit(Id + 3, Fill).Needs), std::vector{Id + 2});
  }
}

/// Blocks of 32 threads: each reads tile From of A, and writes its own of B.
static Case tiles(const Poly &From, uint32_t Blocks) {
  Case Out;
  Out.Grid = {Blocks, 1, 1};
  Out.Block = {32, 1, 1};
  Out.Pointers = {A, B, C, 0};
  Out.Accesses = {{AccessKind::Read, 0, 4, 32 * From + tx, {}, false},
                  {AccessKind::Write, 1, 4, 32 * bx + tx, {}, false}};
  return Out;
}

/// Each block of the second launch reads the tile of its neighbour. That this
/// is all it waits for is seen by looking at single blocks, so not when there
/// is no effort left; it is when the memo has forgotten the relation and there
/// is. Then the third launch must not rely on what the second waited for
/// before.
TEST(Window, AStateIsAlsoWhatIsWaitedFor) {
  constexpr uint32_t Blocks = 256, Many = 2048;
  constexpr size_t Memo = 160;
  const AllocationMap Known = memory(1 << 20);
  Case First = one(32 * bx + tx, {Blocks, 1, 1}, {32, 1, 1});
  First.Accesses[0].Kind = AccessKind::Write;
  Case Second = tiles(1 - bx + 4 * quotient0, Blocks);
  Second.Quotients[0] = {bx, 2};
  Case Third = tiles(bx, Blocks);
  Third.Accesses[1].Kind = AccessKind::Read;

  Case Spends = tiles(1 - bx + 4 * quotient0, Many);
  Spends.Quotients[0] = {bx, 2};
  Case Wide = First;
  Wide.Grid = {Many, 1, 1};
  for (bool Between : {false, true}) {
    Window W(4, Memo);
    uint64_t Id = 0;
    auto Fill = [&](uint64_t Base, int64_t Bytes) {
      W.admit(Id++, fillOf({Base, 4096}, Bytes));
    };
    auto Sequence = [&](int64_t Before) {
      Fill(1 << 20, Before);
      Fill(2 << 20, 1);
      Fill(3 << 20, 1);
      admit(W, Id++, First, Known);
      admit(W, Id++, Second, Known);
      if (Between)
        Fill(5 << 20, 1);
      return admit(W, Id++, Third, Known);
    };
    // All the effort there is.
    admit(W, Id++, Wide, Known);
    admit(W, Id++, Spends, Known);
    W.clear();
    EXPECT_EQ(producers(Sequence(1), true).size(), 1u);
    // Every pair of these is new.
    for (int64_t I = 0; I < 60; ++I)
      Fill(4 << 20, 1 + I);
    const std::vector<uint64_t> Needs = producers(Sequence(2));
    EXPECT_EQ(Needs,
              (std::vector<uint64_t>{Id - 3 - Between, Id - 2 - Between}));
  }
}

TEST(Memo, KeepsTheNewerHalf) {
  Memo<int> Known(8);
  int Made = 0;
  auto Ask = [&](uint64_t Key) {
    const uint64_t Words[] = {Key, Key * 7};
    return Known.remember(Words, [&] { return ++Made; });
  };
  for (uint64_t I = 0; I < 1000; ++I) {
    Ask(I);
    ASSERT_EQ(Ask(0), 1);
    ASSERT_LE(Known.size(), 8u);
  }
  EXPECT_EQ(Made, 1000);
  EXPECT_EQ(Ask(999), 1000);
  Memo<int> None(0);
  EXPECT_EQ(None.remember(std::span<const uint64_t>(), [] { return 1; }), 1);
  EXPECT_EQ(None.remember(std::span<const uint64_t>(), [] { return 2; }), 2);
}
