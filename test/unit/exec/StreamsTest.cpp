// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.h"
#include "FakeStreams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace blockmaestro {
namespace {

void *streamNamed(intptr_t Number) { return reinterpret_cast<void *>(Number); }
void *const One = streamNamed(1);
void *const Two = streamNamed(2);

/// What a work does to memory, which has one number in each place.
struct Effect {
  std::set<int> Reads, Writes;
  bool KeepsPlace = false;
};

/// Works whose effects a test says, and a memory that shows in which order they
/// have had them.
class StreamsTest : public testing::Test, public WorkRelations {
protected:
  StreamsTest() {
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Kernel.ArgumentBytes = 4;
    Kernel.Name = "kernel";
    start(1);
  }

  /// A new GPU and executor.
  void start(uint64_t Seed, size_t Lanes = 8, size_t Window = 32) {
    Runs.reset();
    Gpu = std::make_unique<FakeStreams>(Seed);
    Gpu->Begin = [this](int Work) { Seen[Work] = look(Work); };
    Gpu->End = [this](int Work) { write(Work); };
    Runs = std::make_unique<Streams>(*Gpu, Lanes, Window,
                                     [this](void *) { return MaySpread; });
    Runs->relateBy(this);
    Memory.assign(16, 1);
  }

  uint64_t version() const override { return Version; }
  OrderFinder orderOf(std::span<const GpuWork>,
                      const std::vector<bool> &) override {
    return {};
  }
  NeedsFinder needsOf(std::span<const GpuWork>) override { return {}; }

  struct TouchedPlaces final : Touched {
    explicit TouchedPlaces(int Work) : Work(Work) {}
    int Work;
  };
  static int numberOf(const GpuWork &What) {
    if (const auto *Copy = std::get_if<GpuCopy>(&What))
      return int(Copy->Bytes);
    if (const auto *Fill = std::get_if<GpuFill>(&What))
      return int(Fill->Bytes);
    return *static_cast<int *>(std::get<GpuLaunch>(What).Arguments[0]);
  }
  void describe(const GpuWork &What, std::vector<uint64_t> &Key) override {
    Key.push_back(uint64_t(numberOf(What)));
  }
  std::unique_ptr<Touched> touchedBy(const GpuWork &What) override {
    ++Asked;
    const int Work = numberOf(What);
    if (Effects.at(size_t(Work)).KeepsPlace)
      return nullptr;
    return std::make_unique<TouchedPlaces>(Work);
  }
  bool meet(Touched &A, Touched &B) override {
    ++Compared;
    const int Earlier = static_cast<TouchedPlaces &>(A).Work;
    const int Later = static_cast<TouchedPlaces &>(B).Work;
    return std::pair(Earlier, Later) != Forgotten &&
           conflict(Effects[size_t(Earlier)], Effects[size_t(Later)]);
  }
  static bool conflict(const Effect &A, const Effect &B) {
    const auto Share = [](const std::set<int> &X, const std::set<int> &Y) {
      return std::any_of(X.begin(), X.end(),
                         [&](int Each) { return Y.count(Each) != 0; });
    };
    return Share(A.Writes, B.Writes) || Share(A.Writes, B.Reads) ||
           Share(A.Reads, B.Writes);
  }

  /// A number of what the work finds.
  uint64_t look(int Work) const {
    const Effect &Mine = Effects[size_t(Work)];
    uint64_t Sum = uint64_t(Work) + 7;
    for (const std::set<int> *Each : {&Mine.Reads, &Mine.Writes})
      for (int Place : *Each)
        Sum = Sum * 0x9e3779b97f4a7c15 + Memory[size_t(Place)];
    return Sum;
  }
  /// It has looked all the time.
  void write(int Work) {
    const uint64_t Found = Seen[Work] * 31 + look(Work);
    for (int Place : Effects[size_t(Work)].Writes)
      Memory[size_t(Place)] = Found;
  }
  void runOnHost(int Work) {
    Seen[Work] = look(Work);
    write(Work);
  }

  /// The number of a work with this effect.
  int work(Effect What) {
    Effects.push_back(std::move(What));
    return int(Effects.size()) - 1;
  }
  Status run(int Work, void *Stream = One) {
    switch (Work % 8) {
    case 6:
      return Runs->run(GpuCopy{&Kernel, &Kernel, size_t(Work), Stream});
    case 7:
      return Runs->run(GpuFill{&Kernel, 0, size_t(Work), Stream});
    default:
      void *Arguments[] = {&Work};
      GpuLaunch Out;
      Out.Kernel = &Kernel;
      Out.Stream = Stream;
      Out.Arguments = Arguments;
      return Runs->run(Out);
    }
  }
  void runAll(const std::vector<int> &Works, void *Stream = One) {
    for (int Each : Works)
      ASSERT_TRUE(run(Each, Stream).ok());
  }
  /// A call of the program's that comes behind all.
  void call(int Work, void *Stream = One) {
    ASSERT_TRUE(Runs->fence().ok());
    Gpu->give(Stream, Work);
  }
  /// So many streams have the works of the last run.
  size_t streamsUsed() const {
    std::set<void *> All;
    for (const FakeStreams::Given &Each : Gpu->Works)
      All.insert(Each.Stream);
    return All.size();
  }
  void *streamOf(int Work) const {
    for (const FakeStreams::Given &Each : Gpu->Works)
      if (Each.Number == Work)
        return Each.Stream;
    return nullptr;
  }

  KernelRecord Kernel;
  std::deque<Effect> Effects;
  std::map<int, uint64_t> Seen;
  std::vector<uint64_t> Memory;
  std::pair<int, int> Forgotten{-1, -1};
  uint64_t Version = 1;
  unsigned Asked = 0, Compared = 0;
  bool MaySpread = true;
  std::unique_ptr<FakeStreams> Gpu;
  std::unique_ptr<Streams> Runs;
};

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
  const auto isLateOnce = [&] {
    return Runs->account().find("events, 1 of which stood for more") !=
           std::string::npos;
  };
  runAll({A, Long, B});
  ASSERT_TRUE(Runs->fence().ok());
  EXPECT_TRUE(isLateOnce()) << Runs->account();
  for (int I = 0; I < 30; ++I) {
    runAll({A, Long, B});
    ASSERT_TRUE(Runs->fence().ok());
  }
  EXPECT_TRUE(isLateOnce()) << Runs->account();
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
  EXPECT_EQ(Runs->account(),
            "of 8 launches and copies 2 went beside others, on up to 2 "
            "streams; they waited for 4 events, 1 of which stood for more than "
            "was needed, and were joined 2 times by 2 events");
}

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
      return Gpu->synchronize(Stream);
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
    start(Seed, Lanes, Window);
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
