// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Where works go, and what they wait for.

#include "StreamsFixture.h"

#include <chrono>

namespace blockmaestro {
namespace {

TEST_F(StreamsTest, AChainStaysOnTheProgramsStream) {
  std::vector<int> Chain;
  for (int I = 0; I < 200; ++I)
    Chain.push_back(work({{I % 3}, {(I + 1) % 3}}));
  runAll(Chain);
  ASSERT_TRUE(Runs->fence().ok());
  EXPECT_EQ(streamsUsed(), 1u);
  EXPECT_EQ(streamOf(Chain.back()), One);
  EXPECT_EQ(Gpu->Records + Gpu->Waits + Gpu->StreamsMade, 0u);
}

TEST_F(StreamsTest, WorksThatShareNothingGoBesideEachOther) {
  const int A = work({{}, {1}}), B = work({{}, {2}});
  runAll({A, B});
  EXPECT_EQ(streamOf(A), One);
  EXPECT_NE(streamOf(B), One);
}

/// Reading the same is no reason to wait.
TEST_F(StreamsTest, OnlyAWriteMakesAWorkWait) {
  const int A = work({{1}, {2}}), B = work({{1}, {3}});
  const int AfterWrite = work({{2}, {4}});
  runAll({A, B, AfterWrite});
  EXPECT_NE(streamOf(B), streamOf(A));
  EXPECT_EQ(streamOf(AfterWrite), streamOf(A));
}

/// The join of two branches is on the stream of one, behind an event of the
/// other.
TEST_F(StreamsTest, AJoinWaitsForOneEvent) {
  const int A = work({{}, {1}}), B = work({{}, {2}}), C = work({{1, 2}, {3}});
  runAll({A, B});
  ASSERT_TRUE(Runs->fence().ok());
  runAll({A, B});
  const unsigned Before = Gpu->Waits;
  runAll({C});
  EXPECT_EQ(streamOf(C), One);
  EXPECT_EQ(Gpu->Waits, Before + 1);
  ASSERT_TRUE(Runs->fence().ok());
  EXPECT_EQ(Gpu->Waits, Before + 1) << "all is on the program's stream";
}

/// C is behind A by B; nothing says so again.
TEST_F(StreamsTest, WhatOthersImplyIsLeftOut) {
  const int A = work({{}, {1}}), B = work({{1}, {2}}), C = work({{1, 2}, {3}});
  runAll({A, B, C});
  EXPECT_EQ(streamsUsed(), 1u);
  EXPECT_EQ(Gpu->Waits, 0u);
}

TEST_F(StreamsTest, WorksThatHaveComeTakeNoMemoryAndNoQuestion) {
  std::vector<int> Works;
  for (int I = 0; I < 24; ++I)
    Works.push_back(work({{I % 5}, {5 + I % 7}}));
  for (int I = 0; I < 5; ++I) {
    runAll(Works);
    ASSERT_TRUE(Runs->fence().ok());
  }
  const unsigned Made = Gpu->EventsMade + Gpu->StreamsMade;
  Asked = Compared = 0;
  for (int I = 0; I < 20; ++I) {
    runAll(Works);
    ASSERT_TRUE(Runs->fence().ok());
  }
  EXPECT_EQ(Gpu->EventsMade + Gpu->StreamsMade, Made);
  EXPECT_EQ(Asked + Compared, 0u);
}

/// B comes when A is no longer the last of its stream, and so an event behind
/// A is recorded when A comes again.
TEST_F(StreamsTest, AnEventThatWasLateIsRecordedInTimeFromThenOn) {
  const int A = work({{}, {1}}), Long = work({{1}, {2}});
  const int B = work({{1}, {3}});
  const auto IsLateOnce = [&] {
    return Runs->account().find("events, 1 of which stood for more") !=
           std::string::npos;
  };
  runAll({A, Long, B});
  ASSERT_TRUE(Runs->fence().ok());
  EXPECT_TRUE(IsLateOnce()) << Runs->account();
  for (int I = 0; I < 30; ++I) {
    runAll({A, Long, B});
    ASSERT_TRUE(Runs->fence().ok());
  }
  EXPECT_TRUE(IsLateOnce()) << Runs->account();
}

/// Also for others of its kind: copies, which all others wait for here.
TEST_F(StreamsTest, AnEventIsInTimeForWorksThatHaveNotComeToo) {
  for (int I = 0; I < 40; ++I) {
    while (Effects.size() % 8 != 6)
      (void)work({});
    const int Copy = work({{}, {1}});
    (void)work({});
    const int Long = work({{1}, {2}}), B = work({{1}, {3}});
    runAll({Copy, Long, B});
    ASSERT_TRUE(Runs->fence().ok());
  }
  EXPECT_NE(Runs->account().find("events, 1 of which stood for more"),
            std::string::npos)
      << Runs->account();
}

TEST_F(StreamsTest, OneStreamIsTheProgramsOrder) {
  start(1, 1);
  runAll({work({{}, {1}}), work({{}, {2}}), work({{}, {3}})});
  EXPECT_EQ(streamsUsed(), 1u);
  EXPECT_EQ(Asked, 0u);
}

TEST_F(StreamsTest, NothingIsSpreadWhereNobodyRelates) {
  Runs->relateBy(nullptr);
  runAll({work({{}, {1}}), work({{}, {2}})});
  EXPECT_EQ(streamsUsed(), 1u);
}

TEST_F(StreamsTest, WhatKeepsItsPlaceIsBehindAllAndBeforeAll) {
  const int A = work({{}, {1}}), B = work({{}, {2}});
  const int Prints = work({{}, {3}, true}), C = work({{}, {4}});
  std::vector<int> Order;
  for (uint64_t Seed = 0; Seed < 20; ++Seed) {
    start(Seed);
    Order.clear();
    Gpu->Begin = [&](int Work) { Order.push_back(Work); };
    Gpu->End = [&](int Work) { Order.push_back(-Work - 1); };
    runAll({A, B, Prints, C});
    ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
    EXPECT_EQ(Order[4], Prints);
    EXPECT_EQ(Order[5], -Prints - 1);
  }
}

/// A launch is counted as one that a fence is for though it has gone to the
/// program's stream: what follows the call may not.
TEST_F(StreamsTest, ACallBehindOneLaunchIsBeforeAllThatFollows) {
  for (uint64_t Seed = 0; Seed < 40; ++Seed) {
    start(Seed);
    const int A = work({{}, {1}}), Call = work({{}, {2}});
    const int B = work({{2}, {3}});
    EXPECT_FALSE(Runs->mindsFences());
    for (int I = 0; I < 3; ++I) {
      std::vector<int> Order;
      Gpu->Begin = [&](int Work) { Order.push_back(Work); };
      Gpu->End = [](int) {};
      runAll({A});
      EXPECT_TRUE(Runs->mindsFences());
      call(Call);
      EXPECT_FALSE(Runs->mindsFences());
      runAll({A, B});
      ASSERT_TRUE(Runs->fence().ok());
      ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
      EXPECT_LT(std::find(Order.begin(), Order.end(), Call),
                std::find(Order.begin(), Order.end(), B));
    }
  }
}

/// Where the program makes no call its stream comes behind all, and works may
/// still go beside each other.
TEST_F(StreamsTest, WhatIsBesideIsJoinedWithoutACall) {
  const int A = work({{}, {1}}), B = work({{}, {2}}), C = work({{}, {3}});
  runAll({A, B});
  EXPECT_TRUE(Runs->gathers());
  ASSERT_TRUE(Runs->submitHeld().ok());
  EXPECT_FALSE(Runs->gathers());
  EXPECT_TRUE(Runs->mindsFences());
  runAll({C});
  EXPECT_NE(streamOf(C), One);
}

TEST_F(StreamsTest, TwoStreamsOfTheProgramStayApart) {
  const int A = work({{}, {1}}), B = work({{1}, {2}});
  const int C = work({{}, {3}}), D = work({{3}, {4}});
  runAll({A}, One);
  runAll({C}, Two);
  runAll({B}, One);
  runAll({D}, Two);
  EXPECT_EQ(streamOf(A), One);
  EXPECT_EQ(streamOf(B), One);
  EXPECT_EQ(streamOf(C), Two);
  EXPECT_EQ(streamOf(D), Two);
  EXPECT_EQ(Gpu->Waits, 0u);
}

TEST_F(StreamsTest, StreamsAreUsedAgainByThoseOfTheirPriority) {
  const int A = work({{}, {1}}), B = work({{}, {2}});
  void *const Urgent = streamNamed(3);
  Gpu->Priorities[Urgent] = -5;
  for (void *Stream : {One, Two, Urgent}) {
    runAll({A, B}, Stream);
    ASSERT_TRUE(Runs->fence().ok());
    Runs->forgetStream(Stream);
    EXPECT_EQ(Gpu->eventsAlive(), 0u);
    EXPECT_EQ(Gpu->StreamsMade, Stream == Urgent ? 2u : 1u);
    EXPECT_EQ(Gpu->LastPriority, Stream == Urgent ? -5 : 0);
  }
  Runs.reset();
  EXPECT_EQ(Gpu->streamsAlive(), 0u);
}

TEST_F(StreamsTest, WhereTheGpuHasNoMoreStreamsWorksStillRun) {
  for (const auto &[Streams, Events] :
       {std::pair(0u, 1000u), {1u, 1000u}, {1000u, 0u}, {1000u, 12u}}) {
    start(5);
    Gpu->MostStreams = Streams;
    Gpu->MostEvents = Events;
    std::vector<int> Works;
    for (int I = 0; I < 6; ++I)
      Works.push_back(work({{}, {I}}));
    runAll(Works);
    ASSERT_TRUE(Runs->fence().ok());
    ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
    EXPECT_EQ(Gpu->Works.size(), 6u);
    EXPECT_LE(streamsUsed(), 1 + Streams);
    Runs.reset();
    EXPECT_EQ(Gpu->eventsAlive(), 0u);
  }
}

TEST_F(StreamsTest, AfterAChangeOfTheRelationsTheyAreAskedAgain) {
  const int A = work({{}, {1}}), B = work({{}, {2}});
  runAll({A, B});
  Effects[size_t(B)].Reads = {1};
  ++Version;
  ASSERT_TRUE(Runs->fence().ok());
  Gpu->Works.clear();
  runAll({A, B});
  EXPECT_EQ(streamOf(B), streamOf(A));
}

/// It has come to another stream, where it keeps its place, and what it touches
/// is not known any more.
TEST_F(StreamsTest, AWorkThatIsInFlightAndNotKnownAnyMoreMeetsAll) {
  const int A = work({{}, {1}}), Beside = work({{}, {2}}), B = work({{1}, {3}});
  for (int I = 0; I < 2; ++I) {
    ASSERT_TRUE(Runs->fence().ok());
    runAll({A, Beside});
  }
  Effects[size_t(A)].KeepsPlace = true;
  ++Version;
  runAll({A}, Two);
  Gpu->Works.clear();
  runAll({B});
  EXPECT_EQ(streamOf(B), One);
}

TEST_F(StreamsTest, MoreWorksThanAreRememberedAreForgotten) {
  const size_t Count = 2 * KnownWorks::MostWorks + 10;
  for (size_t I = 0; I < Count; ++I) {
    ASSERT_TRUE(run(work({{}, {int(I % 9)}})).ok());
    if (I % 128 == 0) {
      ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
    }
  }
  EXPECT_EQ(Asked, Count);
  EXPECT_GT(streamsUsed(), 1u);
}

/// To find out what ever new works touch takes longer than a launch.
TEST_F(StreamsTest, NewWorksAreLookedAtOnlyWhereSomeGoBesideOthers) {
  constexpr unsigned Count = 4 * KnownWorks::SkippedBetween;
  for (unsigned I = 0; I < Count; ++I)
    ASSERT_TRUE(run(work({{}, {0}})).ok());
  EXPECT_EQ(streamsUsed(), 1u);
  EXPECT_LT(Asked, Count / 8);
  EXPECT_GT(Asked, 2 * KnownWorks::MostInVain) << "tried again, of both kinds";
  Asked = 0;
  for (unsigned I = 0; I < Count; ++I) {
    ASSERT_TRUE(run(work({{}, {int(I % 2)}})).ok());
    if (I % 128 == 0) {
      ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
    }
  }
  EXPECT_GT(Asked, Count / 2) << "some of it has been tried again";
}

/// From one wait of the host to the next.
TEST_F(StreamsTest, WhereNothingGoesBesideWorksKeepTheirOrder) {
  start(1, 8, 32, Streams::Policy::WhereFaster);
  const int A = work({{}, {1}}), B = work({{1}, {2}});
  for (unsigned I = 0; I < SpreadChoice::MostInVain; ++I) {
    runAll({A, B});
    ASSERT_TRUE(Runs->fence().ok());
    Runs->waited(std::chrono::nanoseconds(0));
  }
  ++Version;
  Asked = 0;
  runAll({A, B});
  EXPECT_EQ(Asked, 0u) << "nobody is asked what they touch";
  Runs->waited(std::chrono::nanoseconds(0));
  const int C = work({{}, {3}});
  runAll({C, B});
  EXPECT_EQ(Asked, 0u) << "it begins with a launch of the same kernel";
}

TEST_F(StreamsTest, ALaunchThatFailsSaysSoAndIsInFrontOfNothing) {
  const int A = work({{}, {1}}), B = work({{}, {2}}), C = work({{1, 2}, {3}});
  runAll({A});
  Gpu->Failing = B;
  EXPECT_FALSE(run(B).ok());
  Gpu->Failing = -1;
  runAll({C});
  ASSERT_TRUE(Runs->fence().ok());
  ASSERT_TRUE(Gpu->synchronize(nullptr).ok());
  EXPECT_EQ(Gpu->Works.size(), 2u);
}

TEST_F(StreamsTest, AnAccountSaysWhatWentBesideAndWhatItCost) {
  EXPECT_EQ(Runs->account(), "");
  const int A = work({{}, {1}}), B = work({{}, {2}}), C = work({{1, 2}, {3}});
  for (int I = 0; I < 2; ++I) {
    runAll({A, B, C});
    ASSERT_TRUE(Runs->fence().ok());
  }
  runAll({A, B});
  ASSERT_TRUE(Runs->fence().ok());
  EXPECT_EQ(
      Runs->account(),
      "of 8 launches and copies 2 went beside others, on up to 2 "
      "streams; they waited for 4 events, 1 of which stood for more than "
      "was needed, and were joined 2 times by 2 events; 0 kept their order "
      "where to spread them was not faster");
}

} // namespace
} // namespace blockmaestro
