// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Copies from the host that are held, whose bytes the program changes at once.

#include "Chained.h"
#include "FakeGpu.h"
#include "LaunchBy.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <list>
#include <numeric>
#include <random>
#include <vector>

namespace blockmaestro {
namespace {

class StagedCopiesTest : public testing::Test {
protected:
  using Bytes = std::vector<unsigned char>;

  StagedCopiesTest() {
    Kernel.Parameters = {{0, 4, 4, false, false}};
    Kernel.ArgumentBytes = 4;
  }

  void launch(int Number, void *Stream = nullptr) {
    void *Arguments[] = {&Number};
    GpuLaunch What;
    What.Kernel = &Kernel;
    What.Stream = Stream;
    What.Arguments = Arguments;
    launchBy(Runs, Gpu, What);
  }
  /// Whether the copy is held; else it is made at once, as CUDA does. The
  /// program's bytes are others afterwards.
  bool copy(void *To, Bytes Own, void *Stream = nullptr,
            CopySource Source = CopySource::Passing) {
    const GpuCopy What = {To, Own.data(), Own.size(), Stream, Source};
    const Result<bool> Held = Runs.gather(GpuWork(What));
    EXPECT_TRUE(Held.ok());
    if (Held.ok() && !*Held) {
      EXPECT_FALSE(Runs.gathers()) << "what was held comes before it";
      std::memcpy(To, Own.data(), Own.size());
    }
    std::fill(Own.begin(), Own.end(), 0xee);
    return Held.ok() && *Held;
  }
  /// The same behind launches, of which the first are not held.
  bool copyHeld(void *To, const Bytes &Own, void *Stream = nullptr) {
    EXPECT_TRUE(Runs.fence().ok());
    for (int I = 0; I < 5; ++I)
      launch(I, Stream);
    return copy(To, Own, Stream);
  }
  /// Memory has been asked for.
  void getReady() {
    unsigned char To = 0;
    for (unsigned I = 0; I < StagingPages::Often; ++I)
      copyHeld(&To, {0});
    EXPECT_TRUE(Runs.fence().ok());
    Gpu.passAll();
  }

  KernelRecord Kernel;
  FakeGpu Gpu{1};
  Chained Runs{Gpu, [] { return true; }, {ChainMaker::Place::InCall}};
  int A = 0, B = 0; ///< Streams.
  unsigned char Target = 0;
};

TEST_F(StagedCopiesTest, BytesAreThoseOfTheCall) {
  getReady();
  Bytes To(3);
  EXPECT_TRUE(copyHeld(To.data(), {1, 2, 3}));
  EXPECT_EQ(To, Bytes(3)) << "it is held";
  EXPECT_TRUE(Runs.fence().ok());
  Gpu.passAll();
  EXPECT_EQ(To, (Bytes{1, 2, 3}));
}

TEST_F(StagedCopiesTest, FewCopiesAskForNoMemory) {
  unsigned char To = 0;
  for (unsigned I = 1; I < StagingPages::Often; ++I)
    EXPECT_FALSE(copyHeld(&To, {7}));
  EXPECT_TRUE(copyHeld(&To, {8}));
}

/// What waits in pages is overwritten by nothing; where all are in use the call
/// is made as it is.
TEST_F(StagedCopiesTest, WithoutRoomTheyAreNotHeld) {
  getReady();
  Gpu.Passes = false;
  std::list<Bytes> Places;
  const Bytes Whole(StagingPages::PageBytes, 5);
  for (size_t I = 0; I < StagingPages::Pages; ++I) {
    Bytes &To = Places.emplace_back(Whole.size());
    EXPECT_TRUE(copyHeld(To.data(), Whole)) << I;
  }
  Bytes Last(Whole.size() + 1);
  EXPECT_FALSE(copyHeld(Last.data(), Whole));
  Gpu.Passes = true;
  EXPECT_TRUE(copyHeld(Last.data(), Whole)) << "the device has come on";
  EXPECT_FALSE(copyHeld(Last.data(), Bytes(Whole.size() + 1)))
      << "more than a page";
  Gpu.passAll();
  for (const Bytes &Each : Places)
    EXPECT_EQ(Each, Whole);
}

/// So a program that waits in between has chains that keep what they copy.
TEST_F(StagedCopiesTest, TheFirstFreePlaceIsTaken) {
  getReady();
  const auto Turn = [&](unsigned char Value) {
    for (int I = 0; I < 3; ++I)
      launch(I);
    EXPECT_TRUE(copy(&Target, {Value}));
    for (int I = 0; I < 3; ++I)
      launch(I);
    EXPECT_TRUE(Runs.fence().ok());
    Gpu.passAll();
    EXPECT_EQ(Target, Value);
  };
  for (unsigned char I = 0; I < 64; ++I)
    Turn(I);
  EXPECT_NE(Gpu.ChainsMade, 0u);
  const unsigned Set = Gpu.NodesSet;
  Turn(99);
  EXPECT_EQ(Gpu.NodesSet, Set);
}

TEST_F(StagedCopiesTest, APageIsForOneStream) {
  getReady();
  unsigned char First = 0, Second = 0;
  EXPECT_TRUE(copyHeld(&First, {1}, &A));
  EXPECT_TRUE(copyHeld(&Second, {2}, &B));
  EXPECT_TRUE(Runs.fence().ok());
  Gpu.Passes = false;
  for (int I = 0; I < 300; ++I) {
    EXPECT_TRUE(copyHeld(&Second, {3}, &B));
    EXPECT_TRUE(Runs.fence().ok());
  }
  Gpu.passAll();
  EXPECT_EQ(First, 1);
  EXPECT_EQ(Second, 3);
}

/// A stream of the same name does not wait for what the old one was given.
TEST_F(StagedCopiesTest, AStreamThatIsGoneIsNotWaitedFor) {
  getReady();
  unsigned char Old = 0, New = 0;
  Gpu.Passes = false;
  EXPECT_TRUE(copyHeld(&Old, {1}, &A));
  EXPECT_TRUE(Runs.fence().ok());
  Runs.forgetStream(&A);
  EXPECT_TRUE(copyHeld(&New, {2}, &A));
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.eventsAlive(), 2u) << "another page";
}

/// Whether a graph is faster with them only times can say.
TEST_F(StagedCopiesTest, StretchesWithThemAreComparedByTime) {
  getReady();
  unsigned Straight = 0;
  for (int Turn = 0; Turn < 60; ++Turn) {
    for (int I = 0; I < 12; ++I)
      launch(I);
    Straight += !copy(&Target, {1});
    for (int I = 0; I < 12; ++I)
      launch(I);
    EXPECT_TRUE(Runs.drain().ok());
    Gpu.passAll();
    Runs.waited(std::chrono::nanoseconds(1));
  }
  EXPECT_GE(Straight, 8u);
}

TEST_F(StagedCopiesTest, PinnedMemoryIsReadWhereItIs) {
  Bytes Own = {4}, To = {0};
  launch(1);
  const GpuCopy What = {To.data(), Own.data(), 1, nullptr, CopySource::Pinned};
  EXPECT_TRUE(*Runs.gather(GpuWork(What)));
  EXPECT_TRUE(Runs.fence().ok());
  EXPECT_EQ(Gpu.eventsAlive(), 0u) << "nothing was taken aside";
  Gpu.passAll();
  EXPECT_EQ(To, Own);
}

/// Memory of another kind at the same place may be nothing that CUDA lets a
/// node be set to.
TEST_F(StagedCopiesTest, AChainThatCannotBeSetIsGivenUp) {
  const auto Turn = [&](uint64_t Allocation) {
    for (int I = 0; I < 4; ++I)
      launch(I);
    GpuCopy What = {&Target,   &Target, 1, nullptr, CopySource::Pinned,
                    Allocation};
    EXPECT_TRUE(*Runs.gather(GpuWork(What)));
    for (int I = 0; I < 3; ++I)
      launch(I);
    EXPECT_TRUE(Runs.fence().ok());
  };
  for (int I = 0; I < 64; ++I)
    Turn(1);
  const size_t Alive = Gpu.chainsAlive();
  ASSERT_NE(Alive, 0u);
  Gpu.RefusesCopies = true;
  const size_t Before = Gpu.Earlies.size();
  Turn(2);
  EXPECT_EQ(Gpu.Earlies.size(), Before + 8) << "each work has gone once";
  EXPECT_LT(Gpu.chainsAlive(), Alive);
}

/// A copy or a fill is of the memory that has been there; chains of launches
/// stay.
TEST_F(StagedCopiesTest, AChainThatNamesMemoryGoesWhenMemoryGoes) {
  const GpuWork Naming[] = {
      GpuCopy{&Target, &Target, 1, nullptr, CopySource::Pinned, 1},
      GpuCopy{&Target, &Target, 1, nullptr, CopySource::Device, 1},
      GpuFill{&Target, 0, 1, nullptr}};
  const auto Turns = [&](const GpuWork *Else) {
    for (int I = 0; I < 64; ++I) {
      for (int J = 0; J < 8; ++J)
        launch(J);
      if (Else)
        EXPECT_TRUE(*Runs.gather(*Else));
      EXPECT_TRUE(Runs.fence().ok());
    }
  };
  Turns(nullptr);
  for (const GpuWork &Each : Naming) {
    Turns(&Each);
    EXPECT_NE(Gpu.chainsOfMemory(), 0u);
    Runs.letMemoryGo();
    EXPECT_EQ(Gpu.chainsOfMemory(), 0u);
    EXPECT_NE(Gpu.chainsAlive(), 0u) << "of launches";
  }
}

/// Copies of all sizes on two streams, of which one goes away now and then, on
/// a device that is slow or fast: each place has what was copied there last.
TEST_F(StagedCopiesTest, NoByteIsLost) {
  std::mt19937 Random(1);
  std::vector<Bytes> Places(200), Wanted(200);
  size_t HeldCount = 0;
  void *Streams[] = {&A, &B};
  for (int Turn = 0; Turn < 4000; ++Turn) {
    const size_t At = Turn % Places.size();
    if (At == 0) {
      EXPECT_TRUE(Runs.fence().ok());
      Gpu.passAll();
      EXPECT_EQ(Places, Wanted);
    }
    Gpu.Passes = Random() % 4 == 0;
    void *Stream = Streams[Random() % 8 == 0];
    const size_t Size = 1 + Random() % (Random() % 4 ? 500 : 60000);
    Bytes Own(Size);
    std::iota(Own.begin(), Own.end(), static_cast<unsigned char>(Random()));
    Places[At].assign(Size, 0);
    Wanted[At] = Own;
    HeldCount += copy(Places[At].data(), Own, Stream);
    for (unsigned I = Random() % 8; I > 0; --I)
      launch(int(I), Stream);
    if (Random() % 32 == 0) {
      EXPECT_TRUE(Runs.fence().ok());
      Runs.forgetStream(Stream);
    }
  }
  EXPECT_TRUE(Runs.fence().ok());
  Gpu.passAll();
  EXPECT_EQ(Places, Wanted);
  EXPECT_GT(HeldCount, 1000u);
}

} // namespace
} // namespace blockmaestro
