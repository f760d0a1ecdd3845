// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What launches that keep the order of their stream are made of on a GPU.

#include "CudaDevice.h"
#include "Chained.h"
#include "FakeCuda.h"
#include "Registry.h"
#include "Runtime.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

namespace blockmaestro {
namespace {

class CudaDeviceTest : public testing::Test {
protected:
  CudaDeviceTest() {
    Library.Registration = fakeRegistration();
    Library.Calls = fakeRuntime();
    for (unsigned I = 0; I < 3; ++I)
      Kernels[I].Record = &P.Record.Kernels[I];
  }

  void open(ExecutorKind Kind) {
    Opened = makeCudaDevice(Library, 0, Options());
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    Result<std::unique_ptr<Executor>> Made =
        Opened->makeExecutor({Kind}, 8, nullptr);
    ASSERT_TRUE(Made.ok());
    Executing = std::move(*Made);
  }

  LaunchRequest request(unsigned Number) {
    LaunchRequest Out;
    Out.Known = &Kernels[Number];
    Out.Stub = &P.Stubs[Number];
    Out.Grid = dim3(7, 2);
    Out.Block = dim3(64);
    return Out;
  }

  /// What a launch of the kernel becomes: the symbol, and a star where it may
  /// start early.
  std::string launched(const LaunchRequest &What) {
    Launches.clear();
    EXPECT_EQ(Opened->launchInOrder(What, Opened->formInOrder(What)),
              LaunchResult);
    if (Launches.size() != 1)
      return std::to_string(Launches.size()) + " launches";
    EXPECT_EQ(Launches[0].Config.gridDim.y, 2u);
    EXPECT_EQ(Launches[0].Config.dynamicSmemBytes, What.SharedBytes);
    EXPECT_EQ(Launches[0].Config.stream, What.Stream);
    std::string Out = "?";
    for (const Registered &Each : Functions)
      if (Each.Key == Launches[0].Key)
        Out = Each.Symbol;
    for (const cudaLaunchAttribute &Each : Launches[0].Attributes)
      Out += Each.id == cudaLaunchAttributeProgrammaticStreamSerialization &&
                     Each.val.programmaticStreamSerializationAllowed
                 ? "*"
                 : "?";
    return Out;
  }
  std::string launched(unsigned Number) { return launched(request(Number)); }

  Program P;
  Kernel Kernels[3];
  CudaLibrary Library;
  std::unique_ptr<Device> Opened;
  std::unique_ptr<Executor> Executing; ///< The device names it.
};

TEST_F(CudaDeviceTest, PdlLaunchesVariantsEarly) {
  for (ExecutorKind Kind : {ExecutorKind::Pdl, ExecutorKind::Auto}) {
    open(Kind);
    EXPECT_EQ(launched(0), "a$bm_pdl*");
    EXPECT_EQ(launched(1), "b$bm_pdl*");
    EXPECT_EQ(launched(2), "c") << "has no variant";
  }
}

TEST_F(CudaDeviceTest, SerialLaunchesWhatTheProgramHas) {
  open(ExecutorKind::Serial);
  EXPECT_EQ(launched(0), "a");
}

TEST_F(CudaDeviceTest, OlderGpusLaunchWhatTheProgramHas) {
  Generation = 8;
  open(ExecutorKind::Auto);
  EXPECT_EQ(launched(0), "a");
  EXPECT_FALSE(Opened->offers({ExecutorKind::Pdl}).ok());
}

TEST_F(CudaDeviceTest, KernelsThatAreNotKnownOrDoubtedStay) {
  open(ExecutorKind::Pdl);
  LaunchRequest What = request(0);
  What.Known = nullptr;
  EXPECT_EQ(launched(What), "a");
  Kernels[0].Doubt = "another file's";
  EXPECT_EQ(launched(0), "a");
}

/// A graph of the program's shows it the kernels that it launched.
TEST_F(CudaDeviceTest, WhatIsCapturedStays) {
  open(ExecutorKind::Pdl);
  Capturing = true;
  EXPECT_EQ(launched(0), "a");
  Capturing = false;
  EXPECT_EQ(launched(0), "a$bm_pdl*");
}

TEST_F(CudaDeviceTest, OtherGpusLaunchWhatTheProgramHas) {
  open(ExecutorKind::Pdl);
  CurrentDevice = 1;
  EXPECT_EQ(launched(0), "a");
}

TEST_F(CudaDeviceTest, AVariantThatHoldsFewerBlocksIsNotTaken) {
  open(ExecutorKind::Pdl);
  for (const Registered &Each : Functions)
    if (Each.Symbol == "a$bm_pdl")
      HeavyForm = Each.Key;
  EXPECT_EQ(launched(0), "a");
  EXPECT_EQ(launched(1), "b$bm_pdl*");
}

TEST_F(CudaDeviceTest, TheFormIsChosenOncePerShape) {
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  const unsigned Asked = OccupancyAsked;
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  EXPECT_EQ(OccupancyAsked, Asked);
  LaunchRequest Wider = request(0);
  Wider.Block = dim3(128);
  EXPECT_EQ(launched(Wider), "a$bm_pdl*");
  EXPECT_GT(OccupancyAsked, Asked);
}

TEST_F(CudaDeviceTest, ChainedGathersWhatPdlWouldLaunch) {
  Opened = makeCudaDevice(Library, 0, Options());
  ASSERT_TRUE(Opened->addModule(P.Module).ok());
  auto Runs = Opened->makeExecutor({ExecutorKind::Chained}, 8, nullptr);
  ASSERT_TRUE(Runs.ok());
  auto Taken = [&](const LaunchRequest &What) {
    Result<bool> Out = Opened->gather(What, Opened->formInOrder(What));
    EXPECT_TRUE(Out.ok());
    return Out.ok() && *Out;
  };
  EXPECT_FALSE(Taken(request(0))) << "the first is not held";
  EXPECT_TRUE(Taken(request(0)));
  EXPECT_TRUE(Taken(request(1)));
  EXPECT_TRUE(Launches.empty());
  EXPECT_TRUE((*Runs)->gathers());
  EXPECT_FALSE(Taken(request(2))) << "has no variant";
  EXPECT_EQ(Launches.size(), 2u) << "what was held comes before it";
  for (auto [Grid, Block] : {std::pair(dim3(0), dim3(64)),
                             {dim3(1, 65536), dim3(64)},
                             {dim3(1), dim3(64, 0)}}) {
    LaunchRequest Wrong = request(0);
    Wrong.Grid = Grid;
    Wrong.Block = Block;
    EXPECT_FALSE(Taken(Wrong)) << "the launch has an error of its own";
  }
  LaunchRequest Own = request(0);
  Own.Stream = cudaStreamPerThread;
  EXPECT_FALSE(Taken(Own)) << "another stream on another thread";
  Opened->captureBegins(nullptr);
  EXPECT_FALSE(Taken(request(0)));
  Opened->captureEnded(nullptr);
  Opened->captureBegins(cudaStreamLegacy);
  Capturing = true;
  EXPECT_FALSE(Taken(request(0))) << "it may have joined in";
}

/// No stream is asked to run what has an error of its own.
TEST_F(CudaDeviceTest, ExecutorsOfStreamsTakeWhatTheGpuWouldRun) {
  for (ExecutorKind Kind : {ExecutorKind::Streams, ExecutorKind::Share}) {
    open(Kind);
    const auto Goes = [&](const LaunchRequest &What) {
      const Result<bool> Gone = Opened->gather(What, nullptr);
      EXPECT_TRUE(Gone.ok());
      return Gone.ok() && *Gone;
    };
    EXPECT_TRUE(Goes(request(0)));
    for (auto [Grid, Block] : {std::pair(dim3(0), dim3(64)),
                               {dim3(1), dim3(0)},
                               {dim3(1), dim3(2048)}}) {
      LaunchRequest Wrong = request(0);
      Wrong.Grid = Grid;
      Wrong.Block = Block;
      EXPECT_FALSE(Goes(Wrong)) << Grid.x << " " << Block.x;
    }
    LaunchRequest Wrong = request(0);
    Wrong.SharedBytes = 50000;
    EXPECT_FALSE(Goes(Wrong)) << "more than the program has asked for";
    EXPECT_TRUE(Goes(request(0)));
  }
}

/// Where nothing else reaches CUDA, we know the thread's device and whether
/// streams are captured.
TEST_F(CudaDeviceTest, WhatIsKnownIsNotAsked) {
  open(ExecutorKind::Chained);
  auto Taken = [&] {
    const LaunchRequest What = request(0);
    return *Opened->gather(What, Opened->formInOrder(What)) ||
           Opened->formInOrder(What);
  };
  EXPECT_TRUE(Taken() && Taken() && Taken());
  EXPECT_EQ(DeviceAsked, 1u);
  EXPECT_EQ(CaptureAsked, 0u);

  Opened->captureBegins(cudaStreamPerThread);
  EXPECT_TRUE(Taken()) << "another stream is captured";
  EXPECT_NE(CaptureAsked, 0u);
  Opened->captureEnded(cudaStreamPerThread);
  CaptureAsked = 0;
  EXPECT_TRUE(Taken());
  EXPECT_EQ(CaptureAsked, 0u);

  std::thread([&] {
    CurrentDevice = 1;
    Opened->deviceSelected();
    EXPECT_FALSE(Taken());
  }).join();
  DeviceAsked = 0;
  EXPECT_TRUE(Taken()) << "this thread's device is what it was";
  EXPECT_EQ(DeviceAsked, 1u);
}

/// What reaches CUDA beside us may choose a device and capture streams.
TEST_F(CudaDeviceTest, WhatOthersMayChangeIsAskedEveryTime) {
  open(ExecutorKind::Pdl);
  for (unsigned I = 1; I < 4; ++I) {
    EXPECT_EQ(launched(0), "a$bm_pdl*");
    EXPECT_EQ(DeviceAsked, I);
    EXPECT_EQ(CaptureAsked, I);
  }
}

/// Rows of bytes within the device's memory; a graph's node can be given no
/// other ones.
TEST_F(CudaDeviceTest, ChainedGathersCopiesAndFillsOfRows) {
  Opened = makeCudaDevice(Library, 0, Options());
  auto Runs = Opened->makeExecutor({ExecutorKind::Chained}, 8, nullptr);
  ASSERT_TRUE(Runs.ok());
  char To[64], From[64];
  const auto Gathered = [&](auto... Arguments) {
    Request Asked;
    Asked.By = Asker::AsyncCall;
    const FindSymbol Find;
    EXPECT_EQ((CommandOf{Find, Asked.What}(Arguments...)), cudaSuccess);
    Result<Gathering> Out = Opened->gather(Asked, {});
    EXPECT_TRUE(Out.ok());
    return *Out;
  };
  void *const ToVoid = To;
  const void *const FromVoid = From;
  const size_t Four = 4, Eight = 8, None = 0;
  EXPECT_EQ(Gathered(ToVoid, FromVoid, Eight, cudaMemcpyDeviceToDevice),
            Gathering::InOrder)
      << "the first is not held";
  EXPECT_EQ(Gathered(ToVoid, FromVoid, Eight, cudaMemcpyDeviceToDevice),
            Gathering::Taken);
  EXPECT_EQ(Gathered(ToVoid, FromVoid, Eight, cudaMemcpyDefault),
            Gathering::Taken);
  EXPECT_EQ(Gathered(ToVoid, 7, Eight), Gathering::Taken);
  EXPECT_EQ(Gathered(ToVoid, Four, FromVoid, Four, Four, Four,
                     cudaMemcpyDeviceToDevice),
            Gathering::Taken)
      << "rows without gaps";
  EXPECT_TRUE((*Runs)->gathers());
  EXPECT_EQ(Gathered(ToVoid, Eight, FromVoid, Four, Four, Four,
                     cudaMemcpyDeviceToDevice),
            Gathering::Refused);
  EXPECT_EQ(Gathered(ToVoid, Eight, 7, Four, Four), Gathering::Refused);
  EXPECT_EQ(Gathered(ToVoid, FromVoid, None, cudaMemcpyDeviceToDevice),
            Gathering::Refused);
  EXPECT_EQ(Gathered(ToVoid, FromVoid, Eight, cudaMemcpyHostToDevice),
            Gathering::Refused);
  Opened->captureBegins(nullptr);
  EXPECT_EQ(Gathered(ToVoid, FromVoid, Eight, cudaMemcpyDeviceToDevice),
            Gathering::Refused);
}

TEST_F(CudaDeviceTest, OwnsWhatLiesOnItsGpu) {
  open(ExecutorKind::Pdl);
  EXPECT_FALSE(Opened->ownsMemory(&P)) << "nobody gathers";
  Opened = makeCudaDevice(Library, 0, Options());
  auto Runs = Opened->makeExecutor({ExecutorKind::Chained}, 8, nullptr);
  EXPECT_TRUE(Opened->ownsMemory(&P));
  MemoryKind = cudaMemoryTypeManaged;
  EXPECT_FALSE(Opened->ownsMemory(&P));
  MemoryKind = cudaMemoryTypeDevice;
  MemoryDevice = 1;
  EXPECT_FALSE(Opened->ownsMemory(&P));
}

/// Functions of the driver do not wait for what is held.
TEST_F(CudaDeviceTest, AutoGathersWhereNobodyElseReachesTheGpu) {
  for (ExecutorKind Kind : {ExecutorKind::Auto, ExecutorKind::Chained}) {
    Opened = makeCudaDevice(Library, 0, Options());
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    auto Runs = Opened->makeExecutor({Kind}, 8, nullptr);
    ASSERT_TRUE(Runs.ok());
    EXPECT_EQ(Opened->whyNotHeld(), "");
    EXPECT_FALSE(*Opened->gather(request(0), Opened->formInOrder(request(0))))
        << "the first";
    EXPECT_TRUE(*Opened->gather(request(0), Opened->formInOrder(request(0))));
    EXPECT_TRUE((*Runs)->gathers());
    Opened->driverGiven();
    const bool Named = Kind == ExecutorKind::Chained;
    EXPECT_EQ(Opened->whyNotHeld().empty(), Named);
    EXPECT_EQ(*Opened->gather(request(0), Opened->formInOrder(request(0))),
              Named);
    EXPECT_EQ((*Runs)->gathers(), Named);
  }
}

/// A front end over the device, under executor chained.
class ChainedCallsTest : public CudaDeviceTest {
protected:
  void SetUp() override {
    Library.Calls.cudaLaunchKernelExC = [](const cudaLaunchConfig_t *,
                                           const void *, void **) {
      ++Made;
      return cudaSuccess;
    };
    Library.Calls.cudaGraphLaunch = [](cudaGraphExec_t, cudaStream_t) {
      Made += 2;
      return cudaSuccess;
    };
    Made = 0;
    Asked.Executor.Kind = ExecutorKind::Chained;
    Opened = makeCudaDevice(Library, 0, Asked);
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    Front = std::make_unique<Runtime>(*Opened, Registered, Reasons, Asked);
    ASSERT_TRUE(Front->start("test").ok());
  }
  void TearDown() override { EXPECT_TRUE(Front->finish().ok()); }

  void hold() {
    for (int I = 0; I < 3; ++I)
      EXPECT_EQ(Front->launch(request(0)), cudaSuccess);
  }

  /// Whether what is held reaches CUDA though nobody makes a call.
  static bool comesByItself() {
    const auto End =
        std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (Made < 3 && std::chrono::steady_clock::now() < End)
      std::this_thread::yield();
    return Made >= 3;
  }

  /// Launches that have reached CUDA, by themselves or in chains of two.
  static inline std::atomic<int> Made;
  Options Asked;
  Registry Registered;
  Notes Reasons;
  std::unique_ptr<Runtime> Front;
  const Runtime::DeviceCall Behind = [](const RuntimeCalls &) {
    EXPECT_EQ(Made, 3) << "what was held comes before the call";
    return cudaSuccess;
  };
};

TEST_F(ChainedCallsTest, RecordedEventsComeBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->record("cudaEventRecord", Behind, {}, nullptr), cudaSuccess);
}

TEST_F(ChainedCallsTest, WaitsForEventsComeBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->join(Behind, nullptr, {}), cudaSuccess);
}

TEST_F(ChainedCallsTest, EventsAreAskedForBehindWhatIsHeld) {
  hold();
  cudaEvent_t Event = nullptr;
  EXPECT_EQ(Front->observe("cudaEventSynchronize", Behind, {&Event, 1}),
            cudaSuccess);
}

TEST_F(ChainedCallsTest, CopiesComeBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->copy(
                "cudaMemcpyAsync", Behind,
                [](const FindSymbol &, Request &) { return cudaSuccess; },
                &Executor::fence),
            cudaSuccess);
}

TEST_F(ChainedCallsTest, CopiesOfTheDevicesMemoryAreHeldToo) {
  char Memory[64] = {};
  Front->allocated(Memory, sizeof Memory);
  Launches.clear();
  const auto Copy = [&](size_t Bytes, const void *From) {
    return Front->copy(
        "cudaMemcpyAsync", Behind,
        [&](const FindSymbol &, Request &Out) {
          Out.What = CopyCommand{
              linearCopy(Memory, From, Bytes, cudaMemcpyDeviceToDevice)};
          return cudaSuccess;
        },
        &Executor::fence);
  };
  hold();
  EXPECT_EQ(Copy(16, Memory + 32), cudaSuccess);
  EXPECT_EQ(Made, 1) << "the launches and the copy are held";
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  EXPECT_EQ(Made, 3);
  ASSERT_EQ(Rows.size(), 1u);
  EXPECT_EQ(Rows[0].Count, 16u);
  Made = 0;
  hold();
  EXPECT_EQ(Copy(16, &Memory[63]), cudaSuccess) << "ends behind the allocation";
  EXPECT_EQ(Made, 3);
}

/// CUDA makes such a call without waiting for the device.
TEST_F(ChainedCallsTest, CopiesAndFillsOfNoBytesLeaveWhatIsHeld) {
  unsigned Called = 0;
  const auto Make = [&](const Command &What) {
    return Front->copy(
        "cudaMemcpy",
        [&](const RuntimeCalls &) {
          ++Called;
          EXPECT_EQ(Made, 1) << "the others are held still";
          return cudaSuccess;
        },
        [&](const FindSymbol &, Request &Out) {
          Out.What = What;
          return cudaSuccess;
        },
        &Executor::drain);
  };
  hold();
  char Memory = 0;
  EXPECT_EQ(Make(CopyCommand{
                linearCopy(&Memory, &Memory, 0, cudaMemcpyDeviceToHost)}),
            cudaSuccess);
  EXPECT_EQ(Make(FillCommand{&Memory, 0, 1, /*Width=*/0}), cudaSuccess);
  EXPECT_EQ(Called, 2u);
}

TEST_F(ChainedCallsTest, MemoryIsSharedBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->memoryShared("cudaIpcGetMemHandle"), cudaSuccess);
  EXPECT_EQ(Made, 3);
}

TEST_F(ChainedCallsTest, StreamsGoAwayBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->forgetStream("cudaStreamDestroy", nullptr), cudaSuccess);
  EXPECT_EQ(Made, 3);
}

TEST_F(ChainedCallsTest, TheDriverIsGivenBehindWhatIsHeld) {
  hold();
  EXPECT_EQ(Front->driverGiven("cudaGetDriverEntryPoint"), cudaSuccess);
  EXPECT_EQ(Made, 3);
}

TEST_F(ChainedCallsTest, CapturesBeginBehindWhatIsHeldAndAreCounted) {
  const auto Fails = [](const RuntimeCalls &) { return cudaErrorUnknown; };
  const auto Works = [](const RuntimeCalls &) { return cudaSuccess; };
  const auto Asks = [&] {
    CaptureAsked = 0;
    EXPECT_EQ(Front->launch(request(0)), cudaSuccess);
    return CaptureAsked != 0;
  };
  hold();
  const cudaStream_t Other = cudaStreamPerThread;
  EXPECT_EQ(Front->beginCapture("begin", Fails, Other), cudaErrorUnknown);
  EXPECT_EQ(Made, 3);
  EXPECT_FALSE(Asks()) << "it has not begun";
  EXPECT_EQ(Front->beginCapture("begin", Works, Other), cudaSuccess);
  EXPECT_TRUE(Asks());
  EXPECT_EQ(Front->endCapture(Fails, Other), cudaErrorUnknown);
  EXPECT_TRUE(Asks()) << "it may not have ended";
  EXPECT_EQ(Front->endCapture(Works, Other), cudaSuccess);
  EXPECT_FALSE(Asks());
}

/// Calls in which the host waits for long, between launches.
class LongWaitsTest : public ChainedCallsTest {
protected:
  static constexpr int Launches = 6;

  static cudaError_t sleep(const RuntimeCalls &) {
    std::this_thread::sleep_for(Launches * Chained::LaunchTime);
    return cudaSuccess;
  }
  int launched() {
    Made = 0;
    for (int I = 0; I < Launches; ++I)
      EXPECT_EQ(Front->launch(request(0)), cudaSuccess);
    return Made;
  }
  /// Whether launches are held after such calls. What is held goes by itself
  /// where this thread gets no turn for long, but not every time.
  bool holdsBehind(const std::function<cudaError_t()> &Call) {
    constexpr int Times = 50;
    for (int I = 0; I < Times; ++I) {
      launched();
      EXPECT_EQ(Call(), cudaSuccess);
      if (launched() < Launches && I >= int(Chained::FirstWaits))
        return true;
    }
    return false;
  }
  cudaError_t copy(size_t Bytes, Status (Executor::*Otherwise)()) {
    return Front->copy(
        "cudaMemcpy", sleep,
        [&](const FindSymbol &, Request &Out) {
          CopyCommand What;
          What.What.extent = {Bytes, 1, 1};
          Out.What = What;
          return cudaSuccess;
        },
        Otherwise);
  }
};

TEST_F(LongWaitsTest, ForTheDevice) {
  EXPECT_FALSE(holdsBehind([&] {
    const cudaError_t Error = Front->drain("cudaDeviceSynchronize");
    return Error == cudaSuccess ? Front->wait(sleep) : Error;
  }));
}

TEST_F(LongWaitsTest, ForAnEvent) {
  EXPECT_FALSE(holdsBehind([&] {
    cudaEvent_t Event = nullptr;
    return Front->observe("cudaEventSynchronize", sleep, {&Event, 1});
  }));
}

TEST_F(LongWaitsTest, ForWhatABlockingCopyComesBehind) {
  EXPECT_FALSE(holdsBehind([&] { return copy(8, &Executor::drain); }));
}

TEST_F(LongWaitsTest, NotForTheCopyItself) {
  EXPECT_TRUE(
      holdsBehind([&] { return copy(size_t(1) << 40, &Executor::drain); }));
}

TEST_F(LongWaitsTest, NotInACopyThatIsToReturnAtOnce) {
  EXPECT_TRUE(holdsBehind([&] { return copy(8, &Executor::fence); }));
}

/// The program may watch memory without any call.
TEST_F(ChainedCallsTest, WhatIsHeldGoesByItselfAfterAWhile) {
  hold();
  EXPECT_TRUE(comesByItself());
}

class ExplainedCallsTest : public ChainedCallsTest {
protected:
  ExplainedCallsTest() { Asked.Explain = true; }
};

TEST_F(ExplainedCallsTest, WhatIsHeldGoesByItselfAfterAWhile) {
  hold();
  EXPECT_TRUE(comesByItself());
}

/// How many launches went by themselves, and what ended a chain how often.
TEST_F(ExplainedCallsTest, SaysWhatBecameOfLaunches) {
  for (int I = 0; I < 3; ++I) {
    for (int J = 0; J < 1 + 8 + 32; ++J)
      EXPECT_EQ(Front->launch(request(0)), cudaSuccess);
    EXPECT_EQ(Front->fence("cudaMemcpyAsync"), cudaSuccess);
  }
  EXPECT_TRUE(Front->finish().ok());
  const std::string Text = Reasons.text();
  EXPECT_NE(Text.find("BlockMaestro: launches were held until cudaMemcpyAsync "
                      "(3 times)\n"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("BlockMaestro: of 123 launches and copies "),
            std::string::npos)
      << Text;
}

TEST_F(CudaDeviceTest, OthersGatherNothing) {
  open(ExecutorKind::Pdl);
  Result<bool> Taken =
      Opened->gather(request(0), Opened->formInOrder(request(0)));
  ASSERT_TRUE(Taken.ok());
  EXPECT_FALSE(*Taken);
  EXPECT_TRUE(Launches.empty());
}

/// What a GPU refuses, it refuses for the program's own kernel.
TEST_F(CudaDeviceTest, ImpossibleShapesAreLeftToTheKernel) {
  open(ExecutorKind::Pdl);
  LaunchRequest What = request(0);
  What.Block = dim3(1024);
  EXPECT_EQ(launched(What), "a") << "640 threads are the most";
  What = request(0);
  What.SharedBytes = 50000;
  EXPECT_EQ(launched(What), "a") << "more than the program has asked for";
}

TEST_F(CudaDeviceTest, AttributesOfAKernelHoldForItsVariant) {
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  const unsigned Asked = OccupancyAsked;
  SharedAsked.clear();
  Opened->attributeSet(&P.Stubs[0], Kernels[0],
                       cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  EXPECT_EQ(SharedAsked, std::vector<int>{50});
  Opened->attributeSet(&P.Stubs[0], Kernels[0],
                       cudaFuncAttributeMaxDynamicSharedMemorySize, 1000);
  EXPECT_EQ(SharedAsked, std::vector<int>{50}) << "asked for when launched";
  Opened->attributeSet(&P.Stubs[2], Kernels[2],
                       cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  EXPECT_EQ(SharedAsked, std::vector<int>{50}) << "has no variant";
  EXPECT_EQ(launched(0), "a$bm_pdl*");
  EXPECT_EQ(OccupancyAsked, Asked) << "the port remembers";
}

TEST_F(CudaDeviceTest, ErrorsOfTheProgramStayAndOursDoNot) {
  Library.Calls.cudaOccupancyMaxActiveBlocksPerMultiprocessor =
      [](int *, const void *, int, size_t) {
        if (LastError == cudaSuccess)
          LastError = cudaErrorInvalidValue;
        return cudaErrorInvalidValue;
      };
  open(ExecutorKind::Pdl);
  EXPECT_EQ(launched(0), "a");
  EXPECT_EQ(LastError, cudaSuccess);
  LastError = cudaErrorInvalidConfiguration;
  EXPECT_EQ(launched(1), "b");
  EXPECT_EQ(LastError, cudaErrorInvalidConfiguration);
}

} // namespace
} // namespace blockmaestro
