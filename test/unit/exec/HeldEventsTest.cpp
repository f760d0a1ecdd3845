// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Events that are recorded behind launches that are held.

#include "Chained.h"
#include "FakeGpu.h"
#include "LaunchBy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace blockmaestro {
namespace {

class HeldEventsTest : public testing::Test {
protected:
  HeldEventsTest() {
    for (KernelRecord *Each : {&Kernel, &Waiting}) {
      Each->Parameters = {{0, 4, 4, false, false}};
      Each->ArgumentBytes = 4;
    }
    Waiting.add(Feature::BlockWait);
    for (void *&Each : Events)
      Each = *Gpu.makeEvent();
  }

  void launch(const KernelRecord &Of, void *Stream = nullptr) {
    int Number = Launches++;
    void *Arguments[] = {&Number};
    GpuLaunch What;
    What.Kernel = &Of;
    What.Stream = Stream;
    What.Arguments = Arguments;
    launchBy(Runs, Gpu, What);
  }
  void launch(int Count) {
    for (int I = 0; I < Count; ++I)
      launch(Kernel);
  }
  bool isRecorded(void *Event) const { return Gpu.worksIn(Event) != 0; }

  KernelRecord Kernel, Waiting;
  FakeGpu Gpu{1};
  Chained Runs{Gpu, [] { return true; }, {ChainMaker::Place::InCall}};
  void *Events[4] = {};
  int Launches = 0, Other = 0; ///< Other is a stream.
};

TEST_F(HeldEventsTest, ARecordLeavesWhatIsHeld) {
  EXPECT_FALSE(Runs.holdRecord(Events[0], nullptr)) << "nothing is held";
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  EXPECT_FALSE(Runs.holdRecord(Events[1], &Other)) << "nothing of that stream";
  launch(2);
  EXPECT_EQ(Gpu.Earlies.size(), 1u);
  EXPECT_FALSE(isRecorded(Events[0]));
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_TRUE(isRecorded(Events[0])) << "behind all";
}

TEST_F(HeldEventsTest, WhoRestsOnAnEventGetsWhatItStandsFor) {
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  launch(2);
  EXPECT_TRUE(Runs.holdRecord(Events[1], nullptr));
  EXPECT_TRUE(Runs.submitFor(Events[0]).ok());
  EXPECT_EQ(Gpu.worksIn(Events[0]), 3u);
  EXPECT_TRUE(Runs.gathers()) << "what came later is held still";
  EXPECT_FALSE(isRecorded(Events[1]));
  EXPECT_TRUE(Runs.submitFor(Events[2]).ok()) << "it is none of ours";
  EXPECT_TRUE(Runs.gathers());
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.worksIn(Events[0]), 3u) << "it is recorded once";
  EXPECT_EQ(Gpu.worksIn(Events[1]), 5u);
}

TEST_F(HeldEventsTest, OfRecordsTheLastCounts) {
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  launch(2);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  EXPECT_TRUE(Runs.submitFor(Events[0]).ok());
  EXPECT_EQ(Gpu.worksIn(Events[0]), 5u);
  EXPECT_EQ(Gpu.Recorded, 1u);
}

TEST_F(HeldEventsTest, AnEventThatIsGoneIsNotRecorded) {
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  Runs.forgetEvent(Events[0]);
  Gpu.releaseEvent(Events[0]);
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.Recorded, 0u);
}

TEST_F(HeldEventsTest, AStreamIsBehindItsOwnEvents) {
  launch(3);
  EXPECT_FALSE(Runs.holdWait(nullptr, Events[0]));
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  EXPECT_TRUE(Runs.holdWait(nullptr, Events[0]));
  EXPECT_FALSE(Runs.holdWait(&Other, Events[0]));
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_FALSE(Runs.holdWait(nullptr, Events[0])) << "CUDA knows it now";
}

/// It may wait for what another stream does behind the event.
TEST_F(HeldEventsTest, AnEventStandsForNoLaunchThatMayWait) {
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  launch(Waiting);
  EXPECT_EQ(Gpu.worksIn(Events[0]), 3u);
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.Earlies.size(), 4u);
}

/// What is held of the other stream needs nothing of the wait.
TEST_F(HeldEventsTest, AWaitLeavesWhatIsHeldOfOtherStreams) {
  for (int I = 0; I < 3; ++I)
    launch(Kernel, &Other);
  EXPECT_TRUE(Runs.submitBefore(&Launches).ok());
  EXPECT_TRUE(Runs.gathers());
  EXPECT_TRUE(Runs.submitBefore(&Other).ok());
  EXPECT_FALSE(Runs.gathers()) << "they come in front";
  launch(Kernel, &Other);
  EXPECT_TRUE(Runs.gathers()) << "the device has something to do";
  EXPECT_TRUE(Runs.submitBefore(nullptr).ok());
  EXPECT_FALSE(Runs.gathers()) << "the default stream may wait for them";
}

TEST_F(HeldEventsTest, StreamsThatTakeTurnsByManyLaunchesAreHeld) {
  launch(Kernel, &Launches);
  for (int Turn = 0; Turn < 6; ++Turn)
    for (int I = 0; I < 4; ++I)
      launch(Kernel, Turn % 2 ? &Other : &Launches);
  EXPECT_EQ(Gpu.Earlies.size(), 1 + 5 * 4u) << "each when the other came";
  EXPECT_TRUE(Runs.gathers());
  launch(Kernel, &Launches);
  for (int Turn = 0; Turn < 6; ++Turn) {
    launch(Kernel, Turn % 2 ? &Launches : &Other);
    EXPECT_FALSE(Runs.gathers()) << "a single one is not";
  }
}

TEST_F(HeldEventsTest, AreCounted) {
  launch(3);
  EXPECT_TRUE(Runs.holdRecord(Events[0], nullptr));
  EXPECT_TRUE(Runs.holdWait(nullptr, Events[0]));
  EXPECT_NE(
      Runs.account().find("0 copies from the host, 1 records and 1 waits"),
      std::string::npos)
      << Runs.account();
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_TRUE(Runs.account().ends_with(
      "; what was held cost about 6 us where one by one it had been 6"))
      << Runs.account() << ": the first was not held";
}

/// Launches on two streams and records between them, of which some are asked
/// for: none stands for less than was in front of it.
TEST_F(HeldEventsTest, StandForAllInFront) {
  std::mt19937 Random(1);
  std::map<void *, std::vector<int>> Needed; ///< Numbers of launches.
  std::map<void *, std::vector<int>> Given;  ///< On each stream.
  const auto Expect = [&](void *Event) {
    const size_t Works = Gpu.worksIn(Event);
    for (int Each : Needed[Event])
      EXPECT_TRUE(std::any_of(
          Gpu.Earlies.begin(), Gpu.Earlies.begin() + long(Works),
          [=](const FakeGpu::Early &Is) { return Is.Number == Each; }))
          << Each;
  };
  void *Stream = nullptr;
  for (int Turn = 0; Turn < 4000; ++Turn) {
    void *Event = Events[Random() % 4];
    switch (Random() % 32) {
    case 0:
      EXPECT_TRUE(Runs.submitFor(Event).ok());
      Expect(Event);
      break;
    case 1:
      EXPECT_TRUE(Runs.fence().ok());
      for (void *Each : Events)
        Expect(Each);
      break;
    case 2:
      Stream = Random() % 2 ? &Other : nullptr;
      break;
    case 3:
    case 4:
      if (!Runs.holdRecord(Event, Stream)) {
        EXPECT_TRUE(Runs.fence().ok());
        EXPECT_TRUE(Gpu.record(Event, Stream).ok());
      }
      Needed[Event] = Given[Stream];
      break;
    default:
      if (Given[Stream].size() == 40)
        Given[Stream].erase(Given[Stream].begin());
      Given[Stream].push_back(Launches);
      launch(Random() % 64 ? Kernel : Waiting, Stream);
    }
  }
  EXPECT_NE(Gpu.ChainsMade, 0u);
}

} // namespace
} // namespace blockmaestro
