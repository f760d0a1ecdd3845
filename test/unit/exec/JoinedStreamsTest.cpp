// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Works of several streams that events join, held together.

#include "JoinedStreams.h"
#include "Chained.h"
#include "FakeStreams.h"
#include "LaunchBy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace blockmaestro {
namespace {

class JoinedTest : public testing::Test {
protected:
  JoinedTest() {
    Streams.made(A, 1);
    Streams.made(B, 1);
    Streams.made(C, 2);
    Streams.begin(A);
  }
  static void *name(uintptr_t Number) {
    return reinterpret_cast<void *>(Number);
  }
  void *const A = name(1), *const B = name(2), *const C = name(3);
  void *const E = name(11), *const F = name(12);
  JoinedStreams Streams;
};

TEST_F(JoinedTest, AStreamThatHasNothingJoins) {
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, Streams.heads(A)));
  EXPECT_TRUE(Streams.has(B));
  EXPECT_FALSE(Streams.joinsBehind(C, Streams.heads(A))) << "another kind";
  EXPECT_FALSE(Streams.joinsBehind(name(4), 1)) << "nobody knows it";
}

TEST_F(JoinedTest, AStreamThatHomeIsNotBehindStays) {
  Streams.given(B);
  Streams.hold(A);
  EXPECT_FALSE(Streams.joinsBehind(B, 1));
  EXPECT_EQ(Streams.gone(1).size(), 0u);
  Streams.recorded(F, B);
  Streams.waits(A, F);
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, 1));
}

/// It would wait for what home has been given behind the event.
TEST_F(JoinedTest, AnEventInFrontOfSomethingStrangeIsWaitedFor) {
  Streams.recorded(E, A);
  EXPECT_TRUE(Streams.joins(A, E)) << "it is behind its own anyway";
  Streams.given(A);
  EXPECT_TRUE(Streams.joins(B, E)) << "works end by themselves";
  for (void *Each : Streams.gone(0))
    Streams.behindHome(Each);
  Streams.strange(A);
  EXPECT_TRUE(Streams.isAlone());
  EXPECT_FALSE(Streams.joins(B, E));
  Streams.recorded(E, A);
  EXPECT_TRUE(Streams.joins(B, E));
}

/// As the default stream, which a graph may have been launched on.
TEST_F(JoinedTest, AnEventOfAStreamThatNobodyKnowsIsWaitedFor) {
  Streams.strangeAnywhere();
  Streams.recorded(E, nullptr);
  EXPECT_FALSE(Streams.joins(A, E));
  Streams.recorded(F, A);
  EXPECT_TRUE(Streams.joins(A, F));
  Streams.recorded(F, name(4));
  EXPECT_FALSE(Streams.joins(A, F)) << "it is no longer that of A";
}

TEST_F(JoinedTest, WhatGoesAnywhereIsStrangeToAll) {
  Streams.recorded(E, A);
  Streams.strangeAnywhere();
  EXPECT_FALSE(Streams.joins(A, E)) << "a graph may have recorded it";
  Streams.recorded(E, A);
  EXPECT_FALSE(Streams.joins(B, E)) << "the other stream may have something";
}

/// What was known of the old one would be taken for something of the new.
TEST_F(JoinedTest, AStreamOfTheSameNameIsAnother) {
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, 1));
  for (void *Each : Streams.gone(1))
    Streams.behindHome(Each);
  Streams.forgetStream(B);
  Streams.begin(A);
  Streams.made(B, 1);
  Streams.given(B);
  Streams.hold(A);
  EXPECT_FALSE(Streams.joinsBehind(B, 1));
}

/// a0, fork, b1, a2, join, a3.
TEST_F(JoinedTest, TheOrderIsThatOfStreamsAndEvents) {
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, Streams.heads(A)));
  EXPECT_TRUE(Streams.isTied()) << "nothing of it is held yet";
  Streams.hold(B);
  Streams.hold(A);
  EXPECT_FALSE(Streams.isTied());
  const JoinedStreams::Works End = Streams.heads(B);
  EXPECT_TRUE(Streams.joinsBehind(A, End));
  EXPECT_TRUE(Streams.isTied());
  Streams.hold(A);
  const std::vector<std::vector<uint32_t>> Wanted = {{}, {0}, {0}, {1, 2}};
  EXPECT_EQ(Streams.order(4).Behind, Wanted);
  EXPECT_EQ(Streams.gone(4), std::vector<void *>{B});
}

TEST_F(JoinedTest, AWaitIsOwedUntilWhatItIsForHasGone) {
  Streams.hold(A);
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, Streams.heads(A)));
  EXPECT_TRUE(Streams.owes());
  EXPECT_EQ(Streams.gone(1).size(), 0u);
  EXPECT_TRUE(Streams.owes());
  EXPECT_EQ(Streams.gone(1), std::vector<void *>{B});
  Streams.behindHome(B);
  EXPECT_FALSE(Streams.owes());
}

TEST_F(JoinedTest, AStreamThatMeasuresTimeDoesNotJoin) {
  EXPECT_FALSE(Streams.measures(B));
  Streams.hold(A);
  EXPECT_FALSE(Streams.joinsBehind(B, 1));
}

TEST_F(JoinedTest, HomeMeasuresWhatItIsBehind) {
  EXPECT_FALSE(Streams.measures(A));
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, 1));
  Streams.hold(B);
  const JoinedStreams::Works End = Streams.heads(B);
  EXPECT_TRUE(Streams.joinsBehind(A, End));
  EXPECT_FALSE(Streams.measures(A));
  Streams.hold(B);
  EXPECT_TRUE(Streams.measures(A));
  EXPECT_TRUE(Streams.measures(B));
}

/// Though it has been made to wait for what has gone.
TEST_F(JoinedTest, AWaitForWhatIsStillHeldIsOwedFurther) {
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, Streams.heads(A)));
  Streams.hold(B);
  Streams.hold(A);
  EXPECT_TRUE(Streams.joinsBehind(B, Streams.heads(A)));
  EXPECT_EQ(Streams.gone(2), std::vector<void *>{B});
  Streams.behindHome(B);
  EXPECT_TRUE(Streams.owes());
  EXPECT_EQ(Streams.gone(1), std::vector<void *>{B});
}

/// A random program on three streams of its own and the default one: it
/// launches, records, waits, gives streams things that nobody sees, and waits
/// itself. The calls that are not held are made, as the front end makes them.
class RandomJoinsTest : public testing::TestWithParam<unsigned> {
protected:
  static constexpr unsigned Works = 400;
  using Clock = std::set<int>; ///< Works that have to be done.

  RandomJoinsTest() {
    for (KernelRecord &Each : Kernels) {
      Each.Parameters = {{0, 4, 4, false, false}, {8, 8, 8, false, false}};
      Each.ArgumentBytes = 16;
    }
    Kernels[2].add(Feature::BlockWait);
    for (void *&Each : Events)
      Each = *Gpu.makeEvent();
    Runs.relateBy(&Nothing);
    for (void *Each : Names)
      if (Each)
        Runs.streams().made(Each, 1);
    Gpu.Begin = [this](int Number) {
      Begun.insert(Number);
      for (int Each : Needed[Number])
        if (Ended.count(Each) == 0)
          ++Wrong;
    };
    Gpu.End = [this](int Number) { Ended.insert(Number); };
  }

  /// Nothing is known of any work.
  class NoRelations final : public WorkRelations {
    uint64_t version() const override { return 0; }
    OrderFinder orderOf(std::span<const GpuWork> Of,
                        const std::vector<bool> &) override {
      return [Count = Of.size()] { return ChainOrder::line(Count); };
    }
    NeedsFinder needsOf(std::span<const GpuWork>) override {
      return [] { return Needs(); };
    }
  };

  void join(Clock &To, const Clock &From) {
    To.insert(From.begin(), From.end());
  }

  void launch(unsigned Stream, unsigned Kernel) {
    int Number = Next++;
    void *Pointer = nullptr;
    void *Arguments[] = {&Number, &Pointer};
    GpuLaunch What;
    What.Kernel = &Kernels[Kernel];
    What.Stream = Names[Stream];
    What.Arguments = Arguments;
    Needed[Number] = InFront[Stream];
    InFront[Stream].insert(Number);
    launchBy(Runs, Gpu, What);
  }
  void record(unsigned Event, unsigned Stream) {
    Recorded[Event] = InFront[Stream];
    IsRecorded[Event] = true;
    if (Runs.holdRecord(Events[Event], Names[Stream]))
      return;
    if (Runs.gathers()) {
      ASSERT_TRUE(Runs.fence().ok());
    }
    Runs.streams().recorded(Events[Event], Names[Stream]);
    ASSERT_TRUE(Gpu.record(Events[Event], Names[Stream]).ok());
  }
  void wait(unsigned Stream, unsigned Event) {
    if (!IsRecorded[Event])
      return;
    join(InFront[Stream], Recorded[Event]);
    if (Runs.holdWait(Names[Stream], Events[Event])) {
      ++HeldWaits;
      return;
    }
    ASSERT_TRUE(Runs.submitFor(Events[Event]).ok());
    if (Runs.gathers()) {
      ASSERT_TRUE(Runs.submitBefore(Names[Stream]).ok());
    }
    Runs.streams().waits(Names[Stream], Events[Event]);
    ASSERT_TRUE(Gpu.comeBehind(Names[Stream], Events[Event]).ok());
  }
  /// Something of which the executor knows only that it comes.
  void giveStrange(unsigned Stream) {
    ASSERT_TRUE(Runs.fence().ok());
    if (Random() % 2)
      Runs.streams().strange(Names[Stream]);
    else
      Runs.streams().strangeAnywhere();
    int Number = Next++;
    Needed[Number] = InFront[Stream];
    InFront[Stream].insert(Number);
    Gpu.give(Names[Stream], Number);
  }
  void waitForAll() {
    ASSERT_TRUE(Runs.drain().ok());
    ASSERT_TRUE(Gpu.synchronize(nullptr).ok());
    Runs.waited(std::chrono::nanoseconds(IsSlow && Random() % 4 ? 1000000 : 1));
    for (Clock &Each : InFront)
      Each.clear();
    for (Clock &Each : Recorded)
      Each.clear();
    Needed.clear();
    EXPECT_EQ(Wrong, 0u);
  }

  /// As programs do: forks and joins, with works on both.
  void fork() {
    record(0, 1);
    wait(2, 0);
    for (unsigned I = 0; I < 3; ++I)
      launch(2, I % 2);
    record(1, 2);
    for (unsigned I = 0; I < 2; ++I)
      launch(1, I % 2);
    wait(1, 1);
    launch(1, 0);
  }
  void takeStep() {
    const unsigned Stream = Random() % 4, Event = Random() % 4;
    switch (Random() % 24) {
    case 0:
      return waitForAll();
    case 1:
      return giveStrange(Stream);
    case 2:
      EXPECT_TRUE(Runs.submitHeld().ok());
      return;
    case 3:
      EXPECT_TRUE(Runs.submitFor(Events[Event]).ok());
      return;
    case 4:
      return launch(Stream, 2);
    case 5:
    case 6:
    case 7:
      return record(Event, Stream);
    case 8:
    case 9:
    case 10:
      return wait(Stream, Event);
    default:
      return launch(Stream, Random() % 2);
    }
  }

  std::mt19937 Random{GetParam()};
  KernelRecord Kernels[3];
  FakeStreams Gpu{GetParam()};
  NoRelations Nothing;
  Chained Runs{Gpu, [] { return true; }, {ChainMaker::Place::InCall}};
  int Own[3] = {};
  void *Names[4] = {nullptr, &Own[0], &Own[1], &Own[2]};
  void *Events[4] = {};
  Clock InFront[4], Recorded[4];
  bool IsRecorded[4] = {};
  std::map<int, Clock> Needed;
  std::set<int> Begun, Ended;
  int Next = 1;
  bool IsSlow = false; ///< The host waits for long now and then.
  unsigned Wrong = 0, HeldWaits = 0;
};

TEST_P(RandomJoinsTest, ForksThatComeAgainBecomeChains) {
  for (unsigned Turn = 0; Turn < 20; ++Turn) {
    launch(1, 0);
    for (unsigned I = 0; I < 4; ++I)
      fork();
    waitForAll();
  }
  EXPECT_NE(Runs.account().find("of joined streams"), std::string::npos)
      << Runs.account();
  const unsigned Before = Gpu.Waits;
  launch(1, 0);
  for (unsigned I = 0; I < 4; ++I)
    fork();
  waitForAll();
  EXPECT_LT(Gpu.Waits - Before, 4u) << "fewer than the program's eight";
}

TEST_P(RandomJoinsTest, EachWorkIsBehindWhatItNeeds) {
  for (unsigned Turn = 0; Turn < 12; ++Turn) {
    IsSlow = GetParam() % 4 == 3;
    const unsigned Seed = Random();
    for (unsigned Again = 0; Again < 12; ++Again) {
      if (Turn % 2)
        Random.seed(Seed);
      for (unsigned I = 0; I < Works / 12; ++I)
        if (Random() % 8 == 0)
          fork();
        else
          takeStep();
    }
  }
  waitForAll();
  EXPECT_NE(HeldWaits, 0u);
  EXPECT_EQ(Ended.size(), size_t(Next - 1)) << "all have run";
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomJoinsTest, testing::Range(0u, 16u));

} // namespace
} // namespace blockmaestro
