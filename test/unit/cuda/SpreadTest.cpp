// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches of one stream on several, from the program's calls to CUDA's.

#include "CallsUnderWay.h"
#include "CudaDevice.h"
#include "FakeCuda.h"
#include "Registry.h"
#include "Runtime.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace blockmaestro {
namespace {

/// A front end over the device, under executor streams.
class SpreadTest : public testing::Test {
protected:
  void SetUp() override {
    Library.Registration = fakeRegistration();
    Library.Calls = fakeRuntime();
    Library.Calls.cudaLaunchKernelExC = [](const cudaLaunchConfig_t *Config,
                                           const void *, void **) {
      return noteCall("launch", Config->stream);
    };
    Library.Calls.cudaLaunchKernel = [](const void *, dim3, dim3, void **,
                                        size_t, cudaStream_t On) {
      return noteCall("plain", On);
    };
    for (unsigned I = 0; I < 3; ++I) {
      P.Record.Kernels[I].Features = 0; // Nothing keeps it in its place.
      Kernels[I].Record = &P.Record.Kernels[I];
    }
    open();
  }
  void TearDown() override { EXPECT_TRUE(Front->finish().ok()); }

  void open(bool Explain = false) {
    Front.reset();
    Asked.Executor.Kind = ExecutorKind::Streams;
    Asked.Explain = Explain;
    Asked.Window = defaultWindow(ExecutorKind::Streams);
    Opened = makeCudaDevice(Library, 0, Asked);
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    Front = std::make_unique<Runtime>(*Opened, Registered, Reasons, Asked);
    ASSERT_TRUE(Front->start("test").ok());
    StreamCalls.clear();
  }

  LaunchRequest request(unsigned Number, cudaStream_t Stream = nullptr) {
    LaunchRequest Out;
    Out.Known = &Kernels[Number];
    Out.Stub = &P.Stubs[Number];
    Out.Grid = dim3(7, 2);
    Out.Block = dim3(64);
    Out.Stream = Stream;
    return Out;
  }
  void launch(unsigned Number, cudaStream_t Stream = nullptr) {
    EXPECT_EQ(Front->launch(request(Number, Stream)), cudaSuccess);
  }
  /// What the real runtime has been asked in the order of streams: the
  /// program's own is 0, ours are 1 and so on.
  static std::string calls() {
    std::string Out;
    for (const FakeStreamCall &Each : std::exchange(StreamCalls, {})) {
      if (Each.Name == "make")
        continue;
      const auto Name = reinterpret_cast<uintptr_t>(Each.Stream);
      Out += Each.Name + std::to_string(Name & 0xfff) + " ";
    }
    return Out;
  }

  const Runtime::DeviceCall Call = [](const RuntimeCalls &) {
    return noteCall("call", nullptr);
  };
  Program P;
  Kernel Kernels[3];
  CudaLibrary Library;
  Options Asked;
  Registry Registered;
  Notes Reasons;
  std::unique_ptr<Device> Opened;
  std::unique_ptr<Runtime> Front;
};

TEST_F(SpreadTest, LaunchesGoBesideEachOther) {
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "launch0 record0 wait1 launch1 ");
  launch(2);
  EXPECT_EQ(calls(), "wait2 launch2 ") << "has no variant, and needs none";
  EXPECT_EQ(SideFlags, unsigned(cudaStreamNonBlocking));
}

TEST_F(SpreadTest, TheyHaveThePriorityOfTheirStream) {
  OwnPriority = -3;
  launch(0);
  launch(1);
  EXPECT_EQ(SidePriority, -3);
}

TEST_F(SpreadTest, CallsComeBehindAllAndBeforeAll) {
  launch(0);
  launch(1);
  (void)calls();
  EXPECT_EQ(Front->record("cudaEventRecord", Call, {}, nullptr), cudaSuccess);
  EXPECT_EQ(calls(), "record1 wait0 call0 ");
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "record0 launch0 wait1 launch1 ");
}

/// One launch, on the program's own stream, is enough: what comes next on
/// another has to be behind the call.
TEST_F(SpreadTest, ACallBehindOneLaunchIsBeforeAllToo) {
  for (int I = 0; I < 2; ++I) {
    launch(0);
    launch(1);
    EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  }
  launch(0);
  EXPECT_EQ(Front->join(Call, nullptr, {}), cudaSuccess);
  (void)calls();
  launch(1);
  launch(0);
  EXPECT_EQ(calls(), "launch0 record0 wait1 launch1 ");
}

/// It is there behind what its stream has been given.
TEST_F(SpreadTest, MemoryIsAllocatedBeforeAllThatComes) {
  launch(0);
  launch(1);
  launch(2);
  (void)calls();
  char Memory[8];
  Front->allocated(Memory, sizeof Memory);
  EXPECT_EQ(calls(), "record2 wait0 record1 wait0 ");
}

TEST_F(SpreadTest, WhatKeepsItsPlaceIsBehindAll) {
  P.Record.Kernels[2].add(Feature::Prints);
  launch(0);
  launch(1);
  (void)calls();
  launch(2);
  EXPECT_EQ(calls(), "record1 wait0 launch0 ");
}

TEST_F(SpreadTest, ALaunchThatTheGpuRefusesIsMadeAsItIs) {
  launch(0);
  launch(1);
  (void)calls();
  LaunchRequest Wrong = request(0);
  Wrong.Block = dim3(2048);
  EXPECT_EQ(Front->launch(Wrong), cudaSuccess) << "the fake takes all";
  EXPECT_EQ(calls(), "record1 wait0 plain0 ");
}

/// Its stream is another one on another thread.
TEST_F(SpreadTest, StreamsOfSpecialHandlesKeepTheirOrder) {
  for (cudaStream_t Stream : {cudaStreamPerThread, cudaStreamLegacy}) {
    launch(0, Stream);
    launch(1, Stream);
    const std::string Name =
        "plain" + std::to_string(reinterpret_cast<uintptr_t>(Stream)) + " ";
    EXPECT_EQ(calls(), Name + Name);
  }
}

TEST_F(SpreadTest, NothingIsSpreadWhileAStreamIsCaptured) {
  launch(0);
  EXPECT_EQ(Front->beginCapture("cudaStreamBeginCapture", Call, nullptr),
            cudaSuccess);
  Capturing = true;
  (void)calls();
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "plain0 plain0 ");
}

/// Another thread's call may have come behind all that was launched then, and
/// not be made yet.
TEST_F(SpreadTest, NothingIsSpreadWhileAnotherThreadIsInACall) {
  std::thread([&] {
    const CallsUnderWay::Call Here;
    const CallsUnderWay::Call Within;
    std::thread([&] {
      launch(0);
      launch(1);
    }).join();
    EXPECT_EQ(calls(), "plain0 plain0 ");
    launch(0);
    launch(1);
    EXPECT_EQ(calls(), "launch0 record0 wait1 launch1 ");
  }).join();
}

TEST_F(SpreadTest, OtherGpusKeepTheirOrder) {
  CurrentDevice = 1;
  Front->deviceSelected();
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "plain0 plain0 ");
}

TEST_F(SpreadTest, NothingIsSpreadOnceOthersSeeTheMemory) {
  EXPECT_EQ(Front->memoryShared("cudaIpcGetMemHandle"), cudaSuccess);
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "launch0 launch0 ");
}

TEST_F(SpreadTest, StreamsGoWithTheExecutor) {
  launch(0);
  launch(1);
  EXPECT_EQ(Front->finish().ok(), true);
  EXPECT_EQ(SidesGone, SidesMade);
  EXPECT_EQ(EventsGone, EventsMade);
  open();
}

TEST_F(SpreadTest, ItIsExplained) {
  open(/*Explain=*/true);
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "launch0 record0 wait1 launch1 ");
  EXPECT_EQ(Front->fence("cudaMemcpyAsync"), cudaSuccess);
  EXPECT_TRUE(Front->finish().ok());
  const std::string All = Reasons.text();
  EXPECT_NE(All.find("streams were joined for cudaMemcpyAsync"),
            std::string::npos)
      << All;
  EXPECT_NE(All.find("of 2 launches and copies"), std::string::npos) << All;
  open();
}

TEST_F(SpreadTest, OlderGpusHaveItToo) {
  Generation = 7;
  open();
  launch(0);
  launch(1);
  EXPECT_EQ(calls(), "launch0 record0 wait1 launch1 ");
  EXPECT_FALSE(Opened->offers({ExecutorKind::Share}).ok());
}

TEST_F(SpreadTest, LaunchesDoNotCompleteInOrder) {
  ExecutorChoice InOrder{ExecutorKind::Streams};
  InOrder.InOrder = true;
  EXPECT_FALSE(Opened->offers(InOrder).ok());
}

} // namespace
} // namespace blockmaestro
