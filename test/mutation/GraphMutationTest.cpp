// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Whatever a graph waits for is needed: every relation, piece, bound and hazard
// of a sequence of launches is taken away, one at a time. Where blocks then may
// start too early, by the bytes they truly touch, some seed of the shuffle
// executor must compute something else; where none may, no seed does.

#include "Changes.h"
#include "Oracle.h"
#include "Programs.h"
#include "RandomCases.h"
#include "Replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <string>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

constexpr uint64_t A = MemoryA, B = MemoryB, C = MemoryC, D = MemoryD;
/// Seeds that notice a relation that is missing; one pair may take more.
constexpr uint64_t UsualSeeds = 100;
/// Seeds tried where a change loses a pair, and where it does not.
constexpr uint64_t MostSeeds = 3000, FewSeeds = 6;

/// What became of the changes of one kind.
struct Tally {
  unsigned Tried = 0;   ///< Changes that take pairs away.
  unsigned Lost = 0;    ///< Of these, after which a block may start too early.
  unsigned Seen = 0;    ///< Of these, noticed by a seed.
  uint64_t Slowest = 0; ///< The last seed that was needed.
};
using Tallies = std::map<std::string, Tally>;

/// The first seed that computes something else; Seeds when none does.
uint64_t noticedBy(const Sequence &S, const WaitLists &Waits,
                   const Outcome &Right, uint64_t Seeds) {
  for (uint64_t Seed = 0; Seed < Seeds; ++Seed)
    if (shuffled(S, Waits, Seed) != Right)
      return Seed;
  return Seeds;
}

/// Tries all changes of a sequence, which itself must be right.
void tryChanges(const Sequence &S, Tallies &All) {
  const std::vector<TaskPair> Truth = truePairs(S);
  const Outcome Right = inOrder(S);
  ASSERT_TRUE(lost(S, S.Waits, Truth).empty());
  ASSERT_EQ(noticedBy(S, S.Waits, Right, FewSeeds), FewSeeds);
  for (const Change &Each : changesOf(S.Waits)) {
    WaitLists Waits = S.Waits;
    Wait &Old = Waits[Each.Consumer][Each.Which];
    if (!Each.Becomes.Implied &&
        encodedPairsOf(Each.Becomes.What) == encodedPairsOf(Old.What))
      continue;
    Old = Each.Becomes;
    const bool Needed = !lost(S, Waits, Truth).empty();
    const uint64_t Seeds = Needed ? MostSeeds : FewSeeds;
    const uint64_t Seed = noticedBy(S, Waits, Right, Seeds);
    Tally &Mine = All[Each.Kind];
    ++Mine.Tried;
    Mine.Lost += Needed;
    Mine.Seen += Seed < Seeds;
    if (Seed < Seeds)
      Mine.Slowest = std::max(Mine.Slowest, Seed);
    EXPECT_EQ(Seed < Seeds, Needed)
        << Each.Kind << ", launch " << Each.Consumer << " of "
        << Waits[Each.Consumer][Each.Which].Producer;
  }
}

void print(const Tallies &All) {
  for (const auto &[Kind, Each] : All)
    std::printf("%-45s %6u tried, %6u lose a pair, %6u noticed, by seed %u\n",
                Kind.c_str(), Each.Tried, Each.Lost, Each.Seen,
                unsigned(Each.Slowest));
}

/// Of a program's relations all but Spare are needed.
void expectNeeded(const std::vector<Case> &Cases, unsigned Depth,
                  unsigned Spare = 0) {
  std::vector<const Case *> Launches;
  for (const Case &Each : Cases)
    Launches.push_back(&Each);
  Tallies All;
  tryChanges(sequenceOf(Launches, memory(1 << 20), Depth), All);
  print(All);
  const Tally &Dropped = All["a relation dropped"];
  EXPECT_GT(Dropped.Lost, 0u);
  EXPECT_LE(Dropped.Tried - Dropped.Lost, Spare);
  EXPECT_LT(Dropped.Slowest, UsualSeeds);
}

} // namespace

TEST(GraphMutation, VectorChain) {
  expectNeeded({vectorMap(A, B, 1000, 64), vectorMap(B, C, 1000, 64),
                vectorAddInPlace(A, C, 1000, 64), vectorMap(C, A, 700, 64),
                vectorMap(A, D, 1000, 64)},
               8);
}

TEST(GraphMutation, PingPongStencil) {
  std::vector<Case> Cases;
  for (int I = 0; I < 6; ++I)
    Cases.push_back(stencil(I % 2 ? B : A, I % 2 ? A : B, 40, 20, {8, 4, 1}));
  expectNeeded(Cases, 4);
}

TEST(GraphMutation, Transposed) {
  expectNeeded(
      {matrixAdd(A, B, C, 24, 32, {4, 4, 1}), transpose(C, D, 24, 32, 8, 2),
       matrixAdd(D, A, B, 32, 24, {8, 4, 1}), transpose(B, C, 32, 24, 4, 4)},
      8, 2);
}

/// 0 -> 2 is over the launch between for half of the blocks only.
TEST(GraphMutation, SkipsALaunch) {
  expectNeeded({vectorMap(A, B, 1024, 64), vectorMap(B, B, 512, 64),
                vectorMap(B, C, 1024, 64), vectorMap(D, B, 256, 32)},
               8, 1);
}

/// A launch of one block that touches all, as a copy does, between others.
TEST(GraphMutation, OneBlockForAll) {
  expectNeeded({vectorMap(A, B, 512, 64), vectorMap(B, C, 512, 512),
                vectorMap(C, D, 512, 64), vectorMap(D, A, 512, 512),
                vectorMap(A, C, 512, 32)},
               8, 2);
}

namespace {

/// Sequences over a few random kernels, some launched again.
std::vector<const Case *> randomLaunches(const std::vector<Case> &Pool,
                                         std::mt19937_64 &Engine) {
  const Case *Some[] = {&Pool[Engine() % Pool.size()],
                        &Pool[Engine() % Pool.size()],
                        &Pool[Engine() % Pool.size()]};
  std::vector<const Case *> Launches;
  for (int I = 0; I < 6; ++I)
    Launches.push_back(Some[Engine() % 3]);
  return Launches;
}

void tryRandom(const std::vector<Case> &Pool, uint64_t Seed, int Rounds) {
  std::mt19937_64 Engine(Seed);
  Tallies All;
  for (int Round = 0; Round < Rounds; ++Round) {
    SCOPED_TRACE("round " + std::to_string(Round));
    tryChanges(sequenceOf(randomLaunches(Pool, Engine), randomMemory(),
                          2 + unsigned(Round % 4)),
               All);
  }
  print(All);
  for (const auto &[Kind, Each] : All)
    EXPECT_GT(Each.Lost, 0u) << Kind;
  EXPECT_LT(All["a relation dropped"].Slowest, UsualSeeds);
}

std::vector<Case> randomPool(uint64_t Seed, Case (RandomCases::*Next)()) {
  RandomCases Cases(Seed);
  std::vector<Case> Pool;
  while (Pool.size() < 40)
    Pool.push_back((Cases.*Next)());
  return Pool;
}

} // namespace

TEST(GraphMutation, RandomSequences) {
  tryRandom(randomPool(31, &RandomCases::next), 32, 60);
}

TEST(GraphMutation, RandomComputedSequences) {
  tryRandom(randomPool(33, &RandomCases::nextComputed), 34, 60);
}

/// Launches of hundreds of blocks, which are too many to be composed one by
/// one.
TEST(GraphMutation, ManyBlocks) {
  std::vector<Case> Pool = randomPool(38, &RandomCases::next);
  for (Case &Each : Pool) {
    Each.Grid.X = 65 + Each.Grid.X;
    Each.Ints[0] = int32_t(Each.Grid.X * Each.Block.X - 1);
  }
  std::mt19937_64 Engine(39);
  unsigned Implied = 0;
  for (int Round = 0; Round < 25; ++Round) {
    const Sequence S =
        sequenceOf(randomLaunches(Pool, Engine), randomMemory(), 4);
    ASSERT_TRUE(lost(S, S.Waits, truePairs(S)).empty()) << "round " << Round;
    for (const std::vector<Wait> &Each : S.Waits)
      for (const Wait &W : Each)
        Implied += W.Implied;
  }
  EXPECT_GT(Implied, 20u);
}

/// The same kernels over buffers that come and go, also the same one twice:
/// what was worked out for some is used for others, and must hold for them.
TEST(GraphMutation, OtherBuffers) {
  const std::vector<Case> Pool = randomPool(36, &RandomCases::next);
  AllocationMap Known = randomMemory();
  for (uint64_t Base : {C, D})
    Known.add({Base, Known.find(A)->Bytes});
  const uint64_t Middle = Pool[0].Pointers[0] - A;
  std::mt19937_64 Engine(37);
  unsigned Pairs = 0;
  for (int Round = 0; Round < 60; ++Round) {
    std::deque<Case> Moved;
    std::vector<const Case *> Launches;
    for (const Case *Each : randomLaunches(Pool, Engine)) {
      Moved.push_back(*Each);
      for (uint64_t &Pointer : Moved.back().Pointers)
        Pointer = (Engine() % 4 + 1) * A + Middle + Engine() % 3 * 16;
      Dim3 &Size = Engine() % 2 ? Moved.back().Grid : Moved.back().Block;
      (Engine() % 2 ? Size.X : Size.Y) += Engine() % 3;
      Moved.back().Ints[Engine() % 2] += int32_t(Engine() % 3);
      Launches.push_back(&Moved.back());
      Launches.push_back(&Moved[Engine() % Moved.size()]);
    }
    const Sequence S = sequenceOf(Launches, Known, 3);
    const std::vector<TaskPair> Truth = truePairs(S);
    ASSERT_TRUE(lost(S, S.Waits, Truth).empty()) << "round " << Round;
    Pairs += unsigned(Truth.size());
  }
  EXPECT_GT(Pairs, 1000u);
}

namespace {

/// How many places of a relation name a hazard that no other place has for the
/// same pairs. Each pair of a hazard is named with it.
unsigned neededHazards(const Case &Producer, const Case &Consumer,
                       const AllocationMap &Known) {
  const Relation R = relateCases(Producer, Consumer, Known);
  unsigned Needed = 0;
  for (uint8_t Hazard : {HazardRAW, HazardWAR, HazardWAW}) {
    const Pairs Truth = truePairs(Producer, Consumer, Hazard);
    const auto Holds = [&](const Relation &M) {
      const Pairs Said = pairsOf(M, Hazard);
      return std::includes(Said.begin(), Said.end(), Truth.begin(),
                           Truth.end());
    };
    EXPECT_TRUE(Holds(R));
    const std::vector<Relation> Without = withoutHazard(R, Hazard);
    EXPECT_LE(Truth.empty() ? 0u : 1u, Without.size());
    for (const Relation &M : Without)
      Needed += !Holds(M);
  }
  return Needed;
}

} // namespace

TEST(GraphMutation, HazardsOfPrograms) {
  const AllocationMap Known = memory(1 << 20);
  const Case Map = vectorMap(A, B, 1000, 64);
  EXPECT_EQ(neededHazards(Map, vectorMap(B, C, 1000, 64), Known), 1u);
  EXPECT_EQ(neededHazards(Map, vectorMap(C, A, 1000, 64), Known), 1u);
  EXPECT_EQ(neededHazards(Map, vectorMap(C, B, 1000, 64), Known), 1u);
  EXPECT_GE(neededHazards(Map, vectorAddInPlace(A, B, 1000, 64), Known), 2u);
  EXPECT_EQ(neededHazards(stencil(A, B, 40, 20, {8, 4, 1}),
                          stencil(B, A, 40, 20, {8, 4, 1}), Known),
            4u);
}

TEST(GraphMutation, HazardsOfRandomKernels) {
  const AllocationMap Known = randomMemory();
  const std::vector<Case> Pool = randomPool(35, &RandomCases::next);
  unsigned Needed = 0;
  for (const Case &Producer : Pool)
    for (size_t I = 0; I < 10; ++I)
      Needed += neededHazards(Producer, Pool[I], Known);
  EXPECT_GT(Needed, 100u);
}
