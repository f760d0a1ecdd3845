// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random programs under Streams give what the order of their streams gives.

#include "StreamsFixture.h"

#include <array>
#include <chrono>
#include <random>

namespace blockmaestro {
namespace {

/// Programs of random works, on streams of which each has memory of its own;
/// works on the default stream have any.
class RandomStreamsTest : public StreamsTest {
protected:
  static constexpr int PlacesEach = 5;

  int randomWork(std::mt19937 &Random, int Stream) {
    const int First = Stream == 0 ? 0 : (Stream - 1) * PlacesEach;
    const int Count = Stream == 0 ? 2 * PlacesEach : PlacesEach;
    Effect What;
    for (unsigned I = Random() % 3; I > 0; --I)
      What.Reads.insert(First + int(Random() % Count));
    for (unsigned I = Random() % 2 + 1; I > 0; --I)
      What.Writes.insert(First + int(Random() % Count));
    What.KeepsPlace = Random() % 24 == 0;
    return work(std::move(What));
  }

  struct Step {
    enum { Work, Call, Watch, Change, Wait } Kind = Work;
    int Number = 0, Stream = 1;
  };
  /// The host pauses behind one work in so many, and the streams are joined.
  unsigned WorksBetweenPauses = 40;
  std::vector<Step> randomProgram(std::mt19937 &Random, int FirstStream) {
    Effects.clear();
    std::vector<Step> Known, Out;
    for (int I = 0; I < 30; ++I) {
      const int Stream = FirstStream + int(Random() % (3 - FirstStream));
      Known.push_back({Step::Work, randomWork(Random, Stream), Stream});
    }
    for (int I = 0; I < 150; ++I) {
      Step Next = Known[Random() % Known.size()];
      switch (Random() % 40) {
      case 0:
      case 1:
        Next.Kind = Step::Call;
        break;
      case 2:
      case 3:
        Next.Kind = Step::Change;
        break;
      case 4:
        Next.Kind = Step::Wait;
        break;
      default:
        break;
      }
      Out.push_back(Next);
      if (Random() % WorksBetweenPauses == 0)
        Out.push_back({Step::Watch});
    }
    return Out;
  }
  Status take(const Step &What) {
    void *Stream = streamNamed(What.Stream);
    switch (What.Kind) {
    case Step::Work:
      return run(What.Number, Stream);
    case Step::Call:
      if (Status Done = Runs->fence(); !Done.ok())
        return Done;
      Gpu->give(Stream, What.Number);
      return {};
    case Step::Watch:
      return Runs->submitHeld();
    case Step::Change:
      ++Version;
      return {};
    case Step::Wait:
      if (Status Done = Runs->fence(); !Done.ok())
        return Done;
      if (Status Done = Gpu->synchronize(Stream); !Done.ok())
        return Done;
      Runs->waited(std::chrono::nanoseconds(0));
      return {};
    }
    return {};
  }
  /// Whether memory is as if all had run one after the other.
  bool isRight(const std::vector<Step> &Program) {
    for (const Step &Each : Program)
      EXPECT_TRUE(take(Each).ok());
    EXPECT_TRUE(Runs->fence().ok());
    EXPECT_TRUE(Gpu->synchronize(nullptr).ok());
    const std::vector<uint64_t> Found =
        std::exchange(Memory, std::vector<uint64_t>(Memory.size(), 1));
    for (const Step &Each : Program)
      if (Each.Kind == Step::Work || Each.Kind == Step::Call)
        runOnHost(Each.Number);
    return Found == Memory;
  }
};

TEST_F(RandomStreamsTest, GiveWhatTheProgramsOrderGives) {
  for (uint64_t Seed = 0; Seed < 600; ++Seed) {
    std::mt19937 Random(unsigned(Seed) * 977 + 1);
    const size_t Lanes = std::array{1, 2, 3, 8, 16}[Seed % 5];
    const size_t Window = std::array{1, 2, 5, 32}[Seed / 5 % 4];
    start(Seed, Lanes, Window, Streams::Policy(Seed / 3 % 2));
    ASSERT_TRUE(isRight(randomProgram(Random, int(Seed % 3) / 2)))
        << "seed " << Seed;
  }
}

TEST_F(RandomStreamsTest, DoSoWhereTheHostPausesOften) {
  WorksBetweenPauses = 4;
  for (uint64_t Seed = 0; Seed < 600; ++Seed) {
    std::mt19937 Random(unsigned(Seed) * 353 + 1);
    start(Seed, 3 + Seed % 3, 2 + Seed % 5);
    ASSERT_TRUE(isRight(randomProgram(Random, 1))) << "seed " << Seed;
  }
}

/// The program's stream comes behind B when an event behind A has been recorded
/// already, which C waits for: when B leaves the window, C is not behind it.
TEST_F(RandomStreamsTest,
       WhatWasJoinedInAPauseIsWaitedForWhenItLeavesTheWindow) {
  for (uint64_t Seed = 0; Seed < 40; ++Seed) {
    start(Seed, 8, 5);
    Effects.clear();
    const int First = work({{}, {1}}), B = work({{}, {2}});
    const int A = work({{1}, {3}}), E = work({{}, {7}});
    const int C = work({{3, 7}, {4}}), D = work({{3}, {5}});
    std::vector<Step> Program;
    for (int Each : {First, E, A, D, C})
      Program.push_back({Step::Work, Each});
    Program.push_back({Step::Wait});
    for (int Each : {First, B, E, A})
      Program.push_back({Step::Work, Each});
    Program.push_back({Step::Watch});
    Program.push_back({Step::Work, C});
    for (int Place = 10; Place < 15; ++Place)
      Program.push_back({Step::Work, work({{}, {Place}})});
    Program.push_back({Step::Work, work({{2}, {6}})});
    ASSERT_TRUE(isRight(Program)) << "seed " << Seed;
  }
}

/// What shows that the programs above see a wait that is missing.
TEST_F(RandomStreamsTest, AWaitThatIsForgottenShows) {
  unsigned Wrong = 0, Waits = 0;
  for (uint64_t Seed = 0; Seed < 100; ++Seed) {
    std::mt19937 Random(unsigned(Seed) * 977 + 1);
    start(Seed, 3, 32);
    const std::vector<Step> Program = randomProgram(Random, 1);
    Gpu->ForgottenWait = unsigned(Seed) % 20;
    Wrong += !isRight(Program);
    Waits += Gpu->Waits > *Gpu->ForgottenWait;
  }
  EXPECT_EQ(Waits, 100u);
  EXPECT_GT(Wrong, 25u);
}

/// And a relation that is missing.
TEST_F(RandomStreamsTest, ARelationThatIsForgottenShows) {
  unsigned Wrong = 0;
  for (uint64_t Seed = 0; Seed < 100; ++Seed) {
    start(Seed);
    Effects.clear();
    const int A = work({{}, {1}}), B = work({{}, {2}}), C = work({{1}, {3}});
    std::vector<Step> Program;
    for (int I = 0; I < 3; ++I)
      Program.insert(
          Program.end(),
          {{Step::Work, A}, {Step::Work, B}, {Step::Work, C}, {Step::Wait}});
    Forgotten = {A, C};
    Wrong += !isRight(Program);
  }
  EXPECT_GT(Wrong, 25u);
}

} // namespace
} // namespace blockmaestro
