// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Which calls besides launches are held back on a GPU, and which end what is
// held: copies from the host, and events.

#include "Chained.h"
#include "CudaDevice.h"
#include "FakeCuda.h"
#include "Registry.h"
#include "Runtime.h"
#include "StagingPages.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>

namespace blockmaestro {
namespace {

class HeldCallsTest : public testing::Test {
protected:
  HeldCallsTest() {
    Library.Registration = fakeRegistration();
    Library.Calls = fakeRuntime();
    P.Record.Kernels[2].add(Feature::Prints);
    for (unsigned I = 0; I < 3; ++I)
      Kernels[I].Record = &P.Record.Kernels[I];
  }
  void SetUp() override {
    Asked.Executor.Kind = ExecutorKind::Chained;
    Opened = makeCudaDevice(Library, 0, Asked);
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    Front = std::make_unique<Runtime>(*Opened, Registered, Reasons, Asked);
    ASSERT_TRUE(Front->start("test").ok());
    Front->allocated(Memory, sizeof Memory);
    MemoryKind = cudaMemoryTypeUnregistered;
  }
  void TearDown() override { EXPECT_TRUE(Front->finish().ok()); }

  void launch(unsigned Number = 0, cudaStream_t Stream = nullptr) {
    LaunchRequest What;
    What.Stream = Stream;
    What.Known = &Kernels[Number];
    What.Stub = &P.Stubs[Number];
    What.Grid = dim3(7, 2);
    What.Block = dim3(64);
    EXPECT_EQ(Front->launch(What), cudaSuccess);
  }
  /// Whether a copy, behind launches that are held, is held too.
  bool holds(const void *From, size_t Bytes, Asker By,
             cudaMemcpyKind Kind = cudaMemcpyHostToDevice) {
    EXPECT_EQ(Front->fence("test"), cudaSuccess);
    return holdsBehindLaunches(From, Bytes, By, Kind);
  }
  bool holdsBehindLaunches(const void *From, size_t Bytes, Asker By,
                           cudaMemcpyKind Kind = cudaMemcpyHostToDevice) {
    for (int I = 0; I < 6; ++I)
      launch();
    bool Called = false;
    EXPECT_EQ(Front->copy(
                  "copy",
                  [&](const RuntimeCalls &) {
                    Called = true;
                    return cudaSuccess;
                  },
                  [&](const FindSymbol &, Request &Out) {
                    Out.What =
                        CopyCommand{linearCopy(Memory, From, Bytes, Kind)};
                    Out.By = By;
                    return cudaSuccess;
                  },
                  By == Asker::Call ? &Executor::drain : &Executor::fence),
              cudaSuccess);
    return !Called;
  }
  /// So often that memory for bytes is there: it is made on another thread.
  bool comesToHold(const void *From, size_t Bytes, Asker By) {
    const auto End =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < End) {
      EXPECT_EQ(Front->drain("test"), cudaSuccess);
      if (holdsBehindLaunches(From, Bytes, By))
        return true;
    }
    return false;
  }
  bool everHolds(const void *From, size_t Bytes, Asker By) {
    for (int I = 0; I < 200; ++I) {
      EXPECT_EQ(Front->drain("test"), cudaSuccess);
      if (holdsBehindLaunches(From, Bytes, By))
        return true;
    }
    return false;
  }

  Program P;
  Kernel Kernels[3];
  CudaLibrary Library;
  Options Asked;
  Registry Registered;
  Notes Reasons;
  char Memory[1 << 17] = {}, Host[1 << 17] = {};
  std::unique_ptr<Device> Opened;
  std::unique_ptr<Runtime> Front;
};

TEST_F(HeldCallsTest, CopiesOfPageableMemory) {
  EXPECT_TRUE(comesToHold(Host, 4, Asker::AsyncCall));
  EXPECT_TRUE(holds(Host, 1 << 16, Asker::AsyncCall));
  EXPECT_TRUE(holds(Host, 4, Asker::AsyncCall, cudaMemcpyDefault));
  EXPECT_FALSE(holds(Host, (1 << 16) + 1, Asker::AsyncCall));
  EXPECT_FALSE(holds(nullptr, 4, Asker::AsyncCall));
  EXPECT_FALSE(holds(Host, 4, Asker::AsyncCall, cudaMemcpyDeviceToDevice))
      << "CUDA says what is wrong with it";
  MemoryKind = cudaMemoryTypeManaged;
  EXPECT_FALSE(holds(Host, 4, Asker::AsyncCall));
}

/// The bytes have been taken aside, and reach the device from there.
TEST_F(HeldCallsTest, TheProgramMayChangeWhatItHasCopied) {
  ASSERT_TRUE(comesToHold(Host, 4, Asker::AsyncCall));
  EXPECT_EQ(Front->drain("test"), cudaSuccess);
  Rows.clear();
  Host[0] = 7;
  EXPECT_TRUE(holdsBehindLaunches(Host, 4, Asker::AsyncCall));
  Host[0] = 8;
  EXPECT_EQ(Front->drain("test"), cudaSuccess);
  ASSERT_FALSE(Rows.empty());
  EXPECT_EQ(Rows.back().Kind, cudaMemcpyHostToDevice);
  EXPECT_EQ(*static_cast<const char *>(Rows.back().From), 7);
}

/// CUDA may wait in such a call for what came before.
TEST_F(HeldCallsTest, CallsThatMayWaitWhereTheHostNoticesNothing) {
  EXPECT_TRUE(comesToHold(Host, 4, Asker::Call));
  launch(2);
  EXPECT_FALSE(everHolds(Host, 4, Asker::Call)) << "a launch may have printed";
  EXPECT_TRUE(comesToHold(Host, 4, Asker::AsyncCall));
}

TEST_F(HeldCallsTest, CallsThatMayWaitBehindPinnedMemory) {
  EXPECT_TRUE(comesToHold(Host, 4, Asker::Call));
  MemoryKind = cudaMemoryTypeHost;
  char Other[16];
  Front->allocated(Other, sizeof Other);
  MemoryKind = cudaMemoryTypeUnregistered;
  EXPECT_FALSE(everHolds(Host, 4, Asker::Call));
}

TEST_F(HeldCallsTest, CallsThatMayWaitBehindRegisteredMemory) {
  Front->registered(Host + 4096, 4096);
  EXPECT_FALSE(everHolds(Host, 4, Asker::Call));
  EXPECT_FALSE(everHolds(Host + 4096, 4, Asker::AsyncCall))
      << "nobody knows where it goes";
}

TEST_F(HeldCallsTest, CallsThatMayWaitBehindOtherWork) {
  EXPECT_EQ(Front->selecting("cudaSetDevice"), cudaSuccess);
  EXPECT_TRUE(comesToHold(Host, 4, Asker::Call));
  EXPECT_EQ(Front->fence("cudaLaunchHostFunc"), cudaSuccess);
  EXPECT_FALSE(everHolds(Host, 4, Asker::Call));
}

class ReachingDeviceTest : public HeldCallsTest {
protected:
  ReachingDeviceTest() { ReachesPageable = true; }
};

TEST_F(ReachingDeviceTest, CallsThatMayWaitAreNotHeld) {
  EXPECT_FALSE(everHolds(Host, 4, Asker::Call));
  EXPECT_TRUE(comesToHold(Host, 4, Asker::AsyncCall));
}

/// Events by name, and whether calls about them leave what is held.
class HeldEventCallsTest : public HeldCallsTest {
protected:
  static cudaEvent_t event(size_t Number) {
    return reinterpret_cast<cudaEvent_t>(Number);
  }
  void launchSome() {
    for (int I = 0; I < 3; ++I)
      launch();
  }
  /// The calls that reach CUDA for a record, of which the front end has told
  /// the executor what it may.
  size_t records() const {
    size_t Count = 0;
    for (const FakeStreamCall &Each : StreamCalls)
      Count += Each.Name == "record";
    return Count;
  }
  /// Whether the program's own call is made.
  bool makesRecord(cudaEvent_t Event, unsigned Flags = cudaEventRecordDefault,
                   cudaStream_t Stream = nullptr) {
    bool Called = false;
    EXPECT_EQ(Front->record(
                  "cudaEventRecord",
                  [&](const RuntimeCalls &) {
                    Called = true;
                    return cudaSuccess;
                  },
                  {Event, Flags}, Stream),
              cudaSuccess);
    return Called;
  }
  bool makesWait(cudaStream_t Stream, cudaEvent_t Event, unsigned Flags = 0) {
    bool Called = false;
    EXPECT_EQ(Front->join(
                  [&](const RuntimeCalls &) {
                    Called = true;
                    return cudaSuccess;
                  },
                  Stream, {Event, Flags}),
              cudaSuccess);
    return Called;
  }
};

TEST_F(HeldEventCallsTest, RecordsOfEventsThatMeasureNoTime) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  Front->madeEvent(event(2), cudaEventDefault);
  Front->madeEvent(event(3), cudaEventDisableTiming | cudaEventInterprocess);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  EXPECT_EQ(records(), 0u);
  EXPECT_TRUE(makesRecord(event(2)));
  EXPECT_EQ(records(), 1u) << "the first comes before what was not held";
  for (cudaEvent_t Other : {event(2), event(3), event(4)}) {
    launchSome();
    EXPECT_TRUE(makesRecord(Other));
  }
  launchSome();
  EXPECT_TRUE(makesRecord(event(1), cudaEventRecordExternal));
  launchSome();
  EXPECT_TRUE(makesRecord(event(1), cudaEventRecordDefault, cudaStreamLegacy))
      << "another name of the stream";
}

/// The device of another GPU cannot have it.
TEST_F(HeldEventCallsTest, RecordsOfEventsOfOurGpu) {
  CurrentDevice = 1;
  Front->deviceSelected();
  Front->madeEvent(event(1), cudaEventDisableTiming);
  CurrentDevice = 0;
  Front->deviceSelected();
  launchSome();
  EXPECT_TRUE(makesRecord(event(1)));
}

TEST_F(HeldEventCallsTest, WhoAsksForAnEventComesBehindItsRecord) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  const cudaEvent_t Events[] = {event(1)};
  EXPECT_EQ(Front->observe(
                "cudaEventQuery",
                [&](const RuntimeCalls &) {
                  EXPECT_EQ(records(), 1u);
                  return cudaSuccess;
                },
                Events),
            cudaSuccess);
}

TEST_F(HeldEventCallsTest, WaitsOfTheStreamThatIsBehindAnyway) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  EXPECT_FALSE(makesWait(nullptr, event(1)));
  EXPECT_EQ(records(), 0u);
  EXPECT_TRUE(makesWait(nullptr, event(1), 7)) << "CUDA says what is wrong";
  EXPECT_EQ(records(), 1u);
}

TEST_F(HeldEventCallsTest, WaitsOfOtherStreamsComeBehindTheRecord) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  EXPECT_TRUE(makesWait(cudaStreamPerThread, event(1)));
  EXPECT_EQ(records(), 1u);
}

TEST_F(HeldEventCallsTest, AWaitLeavesWhatIsHeldOfOtherStreams) {
  const auto One = reinterpret_cast<cudaStream_t>(0x1000),
             Two = reinterpret_cast<cudaStream_t>(0x2000);
  Launches.clear();
  for (int I = 0; I < 3; ++I)
    launch(0, One);
  EXPECT_TRUE(makesWait(Two, event(5))) << "it is none that is held";
  EXPECT_EQ(Launches.size(), 1u);
  EXPECT_TRUE(makesWait(cudaStreamPerThread, event(5)));
  EXPECT_EQ(Launches.size(), 3u) << "it may wait for the default stream";
}

/// Two streams of the program's.
class JoinedCallsTest : public HeldEventCallsTest {
protected:
  void SetUp() override {
    P.Record.Kernels[0].Features = 0; // It waits for nothing.
    HeldEventCallsTest::SetUp();
    Front->madeStream(A, cudaStreamNonBlocking);
    Front->madeStream(B, cudaStreamNonBlocking);
    Front->madeEvent(event(1), cudaEventDisableTiming);
    Front->madeEvent(event(2), cudaEventDisableTiming);
  }
  size_t calls(const char *Name) const {
    size_t Count = 0;
    for (const FakeStreamCall &Each : StreamCalls)
      Count += Each.Name == Name;
    return Count;
  }
  /// B forks from A.
  bool forks() {
    for (int I = 0; I < 3; ++I)
      launch(0, A);
    EXPECT_FALSE(makesRecord(event(1), cudaEventRecordDefault, A));
    return !makesWait(B, event(1));
  }
  const cudaStream_t A = reinterpret_cast<cudaStream_t>(0x1000),
                     B = reinterpret_cast<cudaStream_t>(0x2000);
};

TEST_F(JoinedCallsTest, AForkThatIsJoinedIsOneChain) {
  EXPECT_TRUE(forks());
  launch(0, B);
  EXPECT_FALSE(makesRecord(event(2), cudaEventRecordDefault, B));
  launch(0, A);
  EXPECT_FALSE(makesWait(A, event(2)));
  launch(0, A);
  EXPECT_EQ(calls("record") + calls("wait"), 0u);
  EXPECT_EQ(Front->drain("cudaStreamSynchronize"), cudaSuccess);
  EXPECT_EQ(calls("record"), 2u) << "the program's, for whoever asks";
  EXPECT_EQ(calls("wait"), 1u) << "the other stream is behind it";
  EXPECT_EQ(StreamCalls.back().Stream, B);
}

/// Nothing else has come on it.
TEST_F(JoinedCallsTest, AWaitIsMadeAtLastThoughNothingComesBehindIt) {
  EXPECT_TRUE(forks());
  EXPECT_EQ(Front->fence("cudaLaunchHostFunc"), cudaSuccess);
  EXPECT_EQ(calls("wait"), 1u);
}

TEST_F(JoinedCallsTest, AStreamWithSomethingElseIsNotJoined) {
  EXPECT_EQ(Front->fence("cudaLaunchHostFunc"), cudaSuccess);
  EXPECT_FALSE(forks()) << "it may be for the other stream";
}

TEST_F(JoinedCallsTest, ACopyIsForItsStreamOnly) {
  MemoryKind = cudaMemoryTypeDevice;
  for (const cudaStream_t On : {A, B}) {
    bool Called = false;
    EXPECT_EQ(Front->copy(
                  "cudaMemcpyAsync",
                  [&](const RuntimeCalls &) {
                    Called = true;
                    return cudaSuccess;
                  },
                  [&](const FindSymbol &, Request &Out) {
                    Out.What = CopyCommand{
                        linearCopy(Host, Memory, 4, cudaMemcpyDeviceToHost)};
                    Out.Stream = On;
                    return cudaSuccess;
                  },
                  &Executor::fence),
              cudaSuccess);
    EXPECT_TRUE(Called);
    EXPECT_EQ(forks(), On == A);
    EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  }
}

TEST_F(JoinedCallsTest, AStreamThatMeasuresTimeIsNotJoined) {
  Front->madeEvent(event(3), cudaEventDefault);
  EXPECT_TRUE(forks());
  launch(0, B);
  EXPECT_TRUE(makesRecord(event(3), cudaEventRecordDefault, B));
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  EXPECT_FALSE(forks());
}

/// Another process may have recorded it since.
TEST_F(JoinedCallsTest, EventsOfOtherProcessesAreWaitedFor) {
  Front->madeEvent(event(3), cudaEventDisableTiming | cudaEventInterprocess);
  launch(0, A);
  EXPECT_TRUE(makesRecord(event(3), cudaEventRecordDefault, A));
  EXPECT_TRUE(makesWait(B, event(3)));
  EXPECT_TRUE(makesWait(A, event(3)));
}

TEST_F(JoinedCallsTest, AnEventThatCouldNotBeRecordedIsWaitedFor) {
  launch(0, A);
  EXPECT_EQ(Front->record(
                "cudaEventRecord",
                [](const RuntimeCalls &) { return cudaErrorInvalidValue; },
                {event(1)}, A),
            cudaErrorInvalidValue);
  EXPECT_TRUE(makesWait(A, event(1)));
}

TEST_F(HeldEventCallsTest, AnEventThatIsGoneIsNotRecorded) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  EXPECT_EQ(Front->destroy([](const RuntimeCalls &) { return cudaSuccess; },
                           event(1)),
            cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  EXPECT_EQ(records(), 0u);
  launchSome();
  EXPECT_TRUE(makesRecord(event(1))) << "nobody knows what it is now";
}

TEST_F(HeldEventCallsTest, CapturesBeginBehindTheRecord) {
  Front->madeEvent(event(1), cudaEventDisableTiming);
  launchSome();
  EXPECT_FALSE(makesRecord(event(1)));
  EXPECT_EQ(Front->beginCapture(
                "cudaStreamBeginCapture",
                [&](const RuntimeCalls &) {
                  EXPECT_EQ(records(), 1u);
                  return cudaSuccess;
                },
                nullptr),
            cudaSuccess);
}

/// It stays as it is until the program has waited for the copy.
TEST_F(HeldCallsTest, CopiesOfPinnedMemory) {
  MemoryKind = cudaMemoryTypeHost;
  Front->allocated(Host, sizeof Host);
  EXPECT_TRUE(holds(Host, sizeof Host, Asker::AsyncCall));
  EXPECT_FALSE(holds(Host, 4, Asker::Call)) << "the call waits";
  EXPECT_FALSE(holds(Host + 4, sizeof Host, Asker::AsyncCall))
      << "more than there is";
  EXPECT_EQ(Front->releasing("cudaFreeHost", Host), cudaSuccess);
  EXPECT_FALSE(holds(Host, 4, Asker::AsyncCall));
  MemoryDevice = 1;
  Front->allocated(Host, sizeof Host);
  EXPECT_FALSE(holds(Host, 4, Asker::AsyncCall)) << "another device's";
}

/// A chain that keeps its arguments must not read what was there before.
TEST(PinnedMemory, AnAllocationHasItsOwnNumber) {
  PinnedMemory All;
  All.add(100, 10);
  const uint64_t First = All.holding(104, 6);
  EXPECT_NE(First, 0u);
  EXPECT_EQ(All.holding(104, 7), 0u);
  EXPECT_EQ(All.holding(99, 1), 0u);
  EXPECT_EQ(All.holding(110, 0), 0u);
  All.remove(100);
  EXPECT_EQ(All.holding(104, 6), 0u);
  All.add(100, 10);
  EXPECT_NE(All.holding(104, 6), First);
}

} // namespace
} // namespace blockmaestro
