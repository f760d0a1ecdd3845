// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A window that remembers says what one says that remembers nothing, also of
// launches and accesses that differ in one thing; and who can touch anything,
// or has no name for what it touches, is looked at.

#include "Oracle.h"
#include "Window.h"

#include <gtest/gtest.h>

#include <random>

using namespace blockmaestro;
using namespace blockmaestro::test;

using namespace short_names;

namespace {

/// One window that remembers and one that does not.
class Twins {
public:
  explicit Twins(unsigned Depth) : With(Depth, 4096), Without(Depth, 0) {}

  template <typename... What> void admit(const What &...Next) {
    compare(With.admit(Id, Next...), Without.admit(Id, Next...));
    ++Id;
  }

private:
  static void compare(const Admission &X, const Admission &Y) {
    ASSERT_EQ(X.Needs.size(), Y.Needs.size());
    for (size_t I = 0; I < X.Needs.size(); ++I) {
      const Need &Mine = X.Needs[I], &Truth = Y.Needs[I];
      const Relation &Is = Mine.How->What, &Should = Truth.How->What;
      ASSERT_EQ(Mine.Producer, Truth.Producer);
      ASSERT_EQ(Mine.Implied, Truth.Implied);
      ASSERT_EQ(Is.ProducerGrid, Should.ProducerGrid);
      ASSERT_EQ(Is.ConsumerGrid, Should.ConsumerGrid);
      ASSERT_EQ(Is.Hazards, Should.Hazards);
      ASSERT_EQ(Is.Exact, Should.Exact);
      ASSERT_EQ(Is.Reason, Should.Reason);
      ASSERT_EQ(pairsOf(Is), pairsOf(Should));
    }
    ASSERT_EQ(X.Touched->Accesses.size(), Y.Touched->Accesses.size());
    for (size_t I = 0; I < X.Touched->Accesses.size(); ++I) {
      const BlockAccess &Is = X.Touched->Accesses[I];
      const BlockAccess &Should = Y.Touched->Accesses[I];
      ASSERT_EQ(Is.How, Should.How);
      if (Is.How != Reach::Everything)
        ASSERT_EQ(Is.Where.Base, Should.Where.Base);
    }
  }

  Window With, Without;
  uint64_t Id = 0;
};

class Choice {
public:
  explicit Choice(uint64_t Seed) : Engine(Seed) {}
  bool oneIn(uint64_t N) { return Engine() % N == 0; }
  template <typename T, size_t N> T of(const T (&Some)[N]) {
    return Some[Engine() % N];
  }

private:
  std::mt19937_64 Engine;
};

} // namespace

/// A kernel that reads and writes, and its launches: other pointers, known or
/// not, in one allocation or several, other numbers, grids and blocks, and
/// memory of other sizes.
TEST(Shape, LaunchesThatDifferInOneThing) {
  const Poly I = bx * dimX + tx + 64 * ty;
  Case Next = one({AccessKind::Write, 0, 4, I, {int0 - 1 - I}, false},
                  {4, 1, 1}, {32, 1, 1});
  Next.Accesses.push_back({AccessKind::Read, 1, 4, I + int1, {}, false});
  const KernelRecord Kernel = Next.kernel();
  const uint64_t Pointers[] = {A, A, A + 64, B, B, C, 4096};
  const int32_t Sizes[] = {100, 128}, Offsets[] = {0, 32};
  const Dim3 Grids[] = {{4, 1, 1}, {3, 1, 1}, {4, 2, 1}, {4, 1, 2}};
  const Dim3 Blocks[] = {{32, 1, 1}, {16, 1, 1}, {32, 2, 1}};
  Twins Both(2);
  Choice Any(21);
  for (uint64_t Round = 0; Round < 3000 && !::testing::Test::HasFailure();
       ++Round) {
    Next.Pointers[0] = Any.of(Pointers);
    Next.Pointers[1] = Any.of(Pointers);
    Next.Ints[0] = Any.of(Sizes);
    Next.Ints[1] = Any.of(Offsets);
    Next.Grid = Any.oneIn(4) ? Any.of(Grids) : Grids[0];
    Next.Block = Any.oneIn(4) ? Any.of(Blocks) : Blocks[0];
    SCOPED_TRACE(Round);
    Both.admit(Next.launch(Kernel, Round),
               memory(Round / 100 % 2 ? 480 : 1024));
  }
}

/// A kernel that writes a variable of the device and reads through a pointer,
/// maybe to the same variable, which may be in other places.
TEST(Shape, LaunchesWhoseVariableMoves) {
  Case Next = one({AccessKind::Write, 0, 4, 32 * bx + tx, {}, false}, {4, 1, 1},
                  {32, 1, 1});
  Next.Accesses.push_back({AccessKind::Read, 1, 4, 32 * bx + tx, {}, false});
  KernelRecord Kernel = Next.kernel();
  Kernel.Bytes.Accesses[0].Base.Kind = RootKind::Global;
  Kernel.Bytes.Accesses[0].Base.Global = "table";
  const uint64_t Bases[] = {A, B};
  for (uint64_t First : Bases) {
    Twins Both(2);
    Choice Any(27);
    for (uint64_t Round = 0; Round < 50 && !::testing::Test::HasFailure();
         ++Round) {
      AllocationMap Known = memory(1024);
      Known.addGlobal("table", {Round ? Any.of(Bases) : First, 1024});
      Next.Pointers[1] = Round ? Any.of(Bases) : A;
      SCOPED_TRACE(Round);
      Both.admit(Next.launch(Kernel, Round), Known);
    }
  }
}

/// One after the other in all of an allocation, for all that is said of the
/// launch; of single blocks more is known.
TEST(Shape, LaunchesWhoseBlocksAloneDiffer) {
  Case Next =
      one({AccessKind::Write, 0, 4, 32 * bx * by + tx + int0, {}, false},
          {4, 4, 1}, {32, 1, 1});
  const KernelRecord Kernel = Next.kernel();
  const uint64_t Pointers[] = {A, A + 64};
  const int32_t Numbers[] = {0, 16};
  const Dim3 Blocks[] = {{32, 1, 1}, {16, 1, 1}};
  Twins Both(1);
  Choice Any(24);
  for (uint64_t Round = 0; Round < 200 && !::testing::Test::HasFailure();
       ++Round) {
    Next.Pointers[0] = Any.of(Pointers);
    Next.Ints[0] = Any.of(Numbers);
    Next.Block = Any.of(Blocks);
    SCOPED_TRACE(Round);
    Both.admit(Next.launch(Kernel, Round), memory(4096));
  }
}

/// Accesses that somebody else says, as of an annotated launch.
TEST(Shape, AccessesThatDifferInOneThing) {
  const AccessKind Kinds[] = {AccessKind::Write, AccessKind::Read,
                              AccessKind::Atomic};
  const Allocation Memories[] = {{A, 4096}, {B, 4096}, {C, 256}};
  const Dim3 Grids[] = {{8, 1, 1}, {6, 1, 1}, {4, 2, 1}, {8, 1, 2}};
  const int64_t Blocks[] = {1, 2}, Bases[] = {64, 128}, Counts[] = {32, 40};
  Twins Both(2);
  Choice Any(22);
  for (int Round = 0; Round < 4000 && !::testing::Test::HasFailure(); ++Round) {
    BlockAccess Each;
    Each.Exact = !Any.oneIn(8);
    Each.Reason = Each.Exact ? "" : Any.oneIn(2) ? "declared" : "guessed";
    Each.How = Any.oneIn(8) ? Reach::Range : Reach::Coordinates;
    Each.Kind = Any.of(Kinds);
    Each.Where = Any.of(Memories);
    Each.BlockLow[0] = Any.oneIn(4) ? Any.of(Blocks) : 0;
    Each.BlockHigh[0] = Any.oneIn(4) ? Any.of(Blocks) + 2 : 7;
    Each.Coordinates.resize(1);
    Each.Coordinates[0].PerBlock[0] = 64;
    Each.Coordinates[0].Base = Any.oneIn(4) ? Any.of(Bases) : 0;
    Each.Coordinates[0].Count = Any.oneIn(4) ? Any.of(Counts) : 64;
    if (Any.oneIn(4)) {
      Each.Coordinates[0] = Coordinate();
      Each.Coordinates[0].Stride = 64;
      Each.Coordinates[0].PerBlock[0] = 1;
      Each.ByteLow = Any.oneIn(2) ? 0 : 32;
      Each.ByteHigh = Each.ByteLow + 31;
    }
    SCOPED_TRACE(Round);
    Both.admit(LaunchAccesses{Any.oneIn(4) ? Any.of(Grids) : Grids[0], {Each}});
  }
}

/// Launches that touch memory in the same way, and differ in which.
TEST(Shape, MemoryThatComesAround) {
  const uint64_t Bases[] = {0, 100, 200};
  Twins Both(3);
  Choice Any(23);
  for (int Round = 0; Round < 4000 && !::testing::Test::HasFailure(); ++Round) {
    std::vector<std::pair<Allocation, bool>> Of = {
        {{Any.of(Bases), 100}, true}};
    if (Any.oneIn(2))
      Of.push_back({{Any.of(Bases), 100}, false});
    SCOPED_TRACE(Round);
    Both.admit(ranges(Of));
  }
}

/// Few launches share memory with any in flight; between two that do the window
/// forgets and finds again what is in flight.
TEST(Shape, MemoryThatIsSeldomShared) {
  for (unsigned Depth : {0U, 1U, 5U, 63U, 64U, 65U, 70U}) {
    Twins Both(Depth);
    std::mt19937_64 Engine(25 + Depth);
    for (int Round = 0; Round < 900 && !::testing::Test::HasFailure();
         ++Round) {
      std::vector<std::pair<Allocation, bool>> Of;
      for (int I = 0; I < 3; ++I)
        Of.push_back({{Engine() % (10 * Depth + 2) * 100, 100}, I == 0});
      SCOPED_TRACE(testing::Message() << Depth << " " << Round);
      Both.admit(ranges(Of));
    }
  }
}

/// Beyond as many allocations as the key's sieve tells apart at once.
TEST(Shape, ManyAllocationsInAnotherOrder) {
  Twins Both(2);
  std::mt19937_64 Engine(26);
  for (int Round = 0; Round < 60 && !::testing::Test::HasFailure(); ++Round) {
    std::vector<std::pair<Allocation, bool>> Of;
    for (int I = 0; I < 600; ++I)
      Of.push_back({{Engine() % 700 * 100, 100}, Engine() % 64 == 0});
    SCOPED_TRACE(Round);
    Both.admit(ranges(Of));
  }
}

/// Whether a second node waits for a first.
static bool waits(const LaunchAccesses &First, const LaunchAccesses &Second) {
  Window W;
  W.admit(0, First);
  return !W.admit(1, Second).Needs.empty();
}

TEST(Shape, WhoMayTouchAnythingIsLookedAt) {
  const LaunchAccesses Writes = ranges({{{A, 64}, true}}),
                       Reads = ranges({{{A, 64}, false}});
  for (AccessKind Kind :
       {AccessKind::Read, AccessKind::Write, AccessKind::Atomic}) {
    LaunchAccesses Anywhere;
    Anywhere.Accesses.resize(1);
    Anywhere.Accesses[0].Kind = Kind;
    Anywhere.Accesses[0].Reason = "declared";
    const bool Changes = Kind != AccessKind::Read;
    EXPECT_TRUE(waits(Anywhere, Writes));
    EXPECT_TRUE(waits(Writes, Anywhere));
    EXPECT_EQ(waits(Anywhere, Reads), Changes);
    EXPECT_EQ(waits(Reads, Anywhere), Changes);
    EXPECT_EQ(waits(Anywhere, Anywhere), Changes);
  }
}

/// A node of more allocations than a word has bits, many times over.
TEST(Shape, AllOfManyAllocationsAreLookedAt) {
  std::vector<std::pair<Allocation, bool>> Many;
  for (uint64_t I = 0; I < 532; ++I)
    Many.push_back({{I * 100, 100}, true});
  for (uint64_t I : {uint64_t(0), Many.size() - 1}) {
    EXPECT_TRUE(waits(ranges(Many), ranges({{{I * 100, 100}, false}})));
    EXPECT_TRUE(waits(ranges({{{I * 100, 100}, false}}), ranges(Many)));
  }
  EXPECT_FALSE(
      waits(ranges(Many), ranges({{{Many.size() * 100, 100}, false}})));
}
