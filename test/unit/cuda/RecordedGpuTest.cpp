// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a recorded run launches on a GPU, and what of its blocks is in the
// recording. The GPU runs a launch when it is given, or when it is asked to.

#include "CudaDevice.h"
#include "FakeCuda.h"
#include "Gate.h"
#include "Reader.h"
#include "Registry.h"
#include "Runtime.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <unistd.h>
#include <vector>

namespace blockmaestro {
namespace {

/// What has been launched to note when it runs and has not run.
struct Waiting {
  BlockTime *Times;
  uint64_t Launch;
  uint64_t Blocks;
};
std::vector<Waiting> Given;
uint64_t NextLaunch; ///< Of the run.

/// Block b of launch l starts at 1000 l + 10 b, ends 5 later, on SM b % 132.
void runGiven() {
  for (const Waiting &Each : Given)
    for (uint64_t Block = 0; Each.Times && Block < Each.Blocks; ++Block) {
      const uint64_t Start = 1000 * (1 + Each.Launch) + 10 * Block;
      Each.Times[Block] = {Start, Start + 5, uint32_t(1 + Block % 132)};
    }
  Given.clear();
}

class RecordedGpuTest : public testing::Test {
protected:
  RecordedGpuTest() {
    Library.Calls = fakeRuntime();
    Given.clear();
    for (unsigned I = 0; I < 3; ++I)
      Kernels[I].Record = &P.Record.Kernels[I];
    Library.Calls.cudaLaunchKernelExC = [](const cudaLaunchConfig_t *Config,
                                           const void *Key, void **Arguments) {
      Launches.push_back(
          {*Config, {Config->attrs, Config->attrs + Config->numAttrs}, Key});
      const uint64_t Blocks = uint64_t(Config->gridDim.x) * Config->gridDim.y;
      if (symbolOf(Key).ends_with("$bm_prelaunch"))
        Given.push_back(
            {static_cast<Gate *>(Arguments[0])->Times, NextLaunch, Blocks});
      if (symbolOf(Key).ends_with("$bm_timed"))
        Given.push_back(
            {*static_cast<BlockTime **>(Arguments[0]), NextLaunch, Blocks});
      ++NextLaunch;
      return LaunchResult;
    };
  }
  ~RecordedGpuTest() override { std::remove(Path.c_str()); }

  static std::string symbolOf(const void *Key) {
    for (const Registered &Each : Functions)
      if (Each.Key == Key)
        return Each.Symbol;
    return "?";
  }

  void open(ExecutorKind Kind) {
    Library.Registration = fakeRegistration();
    Asked.Executor.Kind = Kind;
    Asked.RecordPath = Path;
    NextLaunch = 0;
    Asked.TimeoutSeconds = 1;
    Opened = makeCudaDevice(Library, 0, Asked);
    ASSERT_TRUE(Opened->addModule(P.Module).ok());
    Front = std::make_unique<Runtime>(*Opened, Programs, Reasons, Asked);
    ASSERT_TRUE(Front->start("test").ok());
  }

  cudaError_t launch(unsigned Number, dim3 Grid = dim3(7, 2)) {
    LaunchRequest What;
    What.Known = &Kernels[Number];
    What.Stub = &P.Stubs[Number];
    What.Grid = Grid;
    What.Block = dim3(64);
    return Front->launch(What);
  }

  /// The last launch: its symbol, and a star where it may start early.
  std::string launched() {
    std::string Out = symbolOf(Launches.back().Key);
    for (const cudaLaunchAttribute &Each : Launches.back().Attributes)
      Out += Each.id == cudaLaunchAttributeProgrammaticStreamSerialization
                 ? "*"
                 : "?";
    return Out;
  }

  Recording recorded() { return recordedIn(Path); }

  Recording recordedIn(const std::string &Name) {
    Result<Recording> Read = readRecording(Name);
    EXPECT_TRUE(Read.ok()) << Read.status().message();
    return Read.ok() ? *Read : Recording();
  }

  void finish() {
    EXPECT_TRUE(Front->finish().ok());
    Front.reset();
  }

  const std::string Path = testing::TempDir() + "bm-recorded-gpu-test-" +
                           std::to_string(::getpid()) + ".bmr";
  Program P;
  Kernel Kernels[3];
  CudaLibrary Library;
  Options Asked;
  Registry Programs;
  Notes Reasons;
  std::unique_ptr<Device> Opened;
  std::unique_ptr<Runtime> Front;
};

TEST_F(RecordedGpuTest, LaunchesTakeTheFormThatNotesAndKeepTheirOrder) {
  P.Record.Kernels[1].TimedSymbol = "";
  struct Row {
    ExecutorKind Kind;
    const char *A, *B, *C;
  } Rows[] = {
      {ExecutorKind::Serial, "a$bm_timed", "b$bm_prelaunch", "c"},
      {ExecutorKind::Pdl, "a$bm_timed", "b$bm_prelaunch*", "c"},
      {ExecutorKind::Chained, "a$bm_timed", "b$bm_prelaunch*", "c"},
      {ExecutorKind::Auto, "a$bm_timed", "b$bm_prelaunch*", "c"},
  };
  for (const Row &Each : Rows) {
    open(Each.Kind);
    for (int I = 0; I < 6; ++I) {
      EXPECT_EQ(launch(0), cudaSuccess);
      EXPECT_EQ(launched(), Each.A);
    }
    EXPECT_EQ(launch(1), cudaSuccess);
    EXPECT_EQ(launched(), Each.B);
    EXPECT_EQ(launch(2), cudaSuccess);
    EXPECT_EQ(launched(), Each.C);
    EXPECT_EQ(Launches.back().Config.gridDim.y, 2u);
    runGiven();
    finish();
  }
}

TEST_F(RecordedGpuTest, BlocksAreInTheRecordingAsTheyRan) {
  for (ExecutorKind Kind :
       {ExecutorKind::Serial, ExecutorKind::Auto, ExecutorKind::Prelaunch}) {
    open(Kind);
    EXPECT_EQ(launch(0), cudaSuccess);
    EXPECT_EQ(launch(1, dim3(200)), cudaSuccess);
    runGiven();
    finish();
    const Recording Read = recorded();
    ASSERT_EQ(Read.Launches.size(), 2u);
    ASSERT_EQ(Read.Events.size(), 214u);
    EXPECT_FALSE(Read.Truncated);
    for (const Event &Each : Read.Events) {
      EXPECT_EQ(Each.Start, 1000 * (1 + Each.Launch) + 10 * Each.Block);
      EXPECT_EQ(Each.End, Each.Start + 5);
      EXPECT_EQ(Each.Where, Each.Block % 132);
    }
  }
}

/// Of the kernel, and of the form that its launches take.
TEST_F(RecordedGpuTest, RegistersOfTheKernelAndOfItsFormAreKnown) {
  HeavyForm = &P.Stubs[1];
  open(ExecutorKind::Serial);
  EXPECT_EQ(launch(0), cudaSuccess);
  EXPECT_EQ(launch(1), cudaSuccess);
  EXPECT_EQ(launched(), "b$bm_timed");
  EXPECT_EQ(launch(2), cudaSuccess);
  finish();
  HeavyForm = nullptr;
  const Recording Read = recorded();
  ASSERT_EQ(Read.Launches.size(), 3u);
  EXPECT_EQ(Read.Launches[0].Registers, 40u);
  EXPECT_EQ(Read.Launches[1].Registers, 255u);
  for (const RecordedLaunch &Each : Read.Launches)
    EXPECT_EQ(Each.RegistersAsRun, 40u);
}

/// A call that waits brings what there is, however little; the file has it
/// before the program ends.
TEST_F(RecordedGpuTest, CallsThatWaitBringWhatHasRun) {
  open(ExecutorKind::Serial);
  EXPECT_EQ(launch(0, dim3(4)), cudaSuccess);
  EXPECT_EQ(Front->drain("cudaDeviceSynchronize"), cudaSuccess);
  EXPECT_TRUE(StreamCalls.back().Name == "clear") << "nobody has waited";
  EXPECT_EQ(Front->wait([](const RuntimeCalls &) {
    runGiven();
    return cudaSuccess;
  }),
            cudaSuccess);
  EXPECT_EQ(recordedIn(Path + ".partial").Events.size(), 4u);
  finish();
  EXPECT_EQ(recorded().Events.size(), 4u);
}

/// Before what they are noted in goes away.
TEST_F(RecordedGpuTest, AResetComesBehindWhatHasBeenLaunched) {
  Library.Calls.cudaDeviceReset = [] {
    EXPECT_TRUE(StreamCalls.back().Name == "free") << "of ours before";
    return cudaSuccess;
  };
  open(ExecutorKind::Serial);
  EXPECT_EQ(launch(0), cudaSuccess);
  runGiven();
  EXPECT_EQ(Front->reset("cudaDeviceReset"), cudaSuccess);
  EXPECT_EQ(launch(0), cudaSuccess);
  runGiven();
  finish();
  EXPECT_EQ(recorded().Events.size(), 28u);
}

TEST_F(RecordedGpuTest, WhyBlocksAreMissingIsSaid) {
  P.Record.Kernels[2].NoVariantReason = "its code is too large";
  open(ExecutorKind::Auto);
  EXPECT_EQ(launch(2), cudaSuccess);
  EXPECT_EQ(launch(0), cudaSuccess);
  runGiven();
  finish();
  EXPECT_EQ(recorded().Launches.size(), 2u);
  EXPECT_EQ(recorded().Events.size(), 14u);
  EXPECT_NE(
      Reasons.text().find(
          "c: when its blocks run is not recorded: its code is too large"),
      std::string::npos)
      << Reasons.text();
  EXPECT_EQ(Reasons.text().find("a: when"), std::string::npos);
}

TEST_F(RecordedGpuTest, WithoutMemoryTheRunGoesOn) {
  open(ExecutorKind::Serial);
  MemoryResult = cudaErrorMemoryAllocation;
  EXPECT_EQ(launch(0), cudaSuccess);
  EXPECT_EQ(launched(), "a");
  finish();
  EXPECT_TRUE(recorded().Events.empty());
}

TEST_F(RecordedGpuTest, OlderGpusRecordNoBlocks) {
  Generation = 8;
  open(ExecutorKind::Auto);
  EXPECT_EQ(launch(0), cudaSuccess);
  EXPECT_EQ(launched(), "a");
  finish();
  EXPECT_EQ(recorded().Launches.size(), 1u);
}

TEST_F(RecordedGpuTest, AttributesOfAKernelHoldForTheFormsThatNote) {
  open(ExecutorKind::Serial);
  Opened->attributeSet(&P.Stubs[0], Kernels[0],
                       cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  EXPECT_EQ(SharedAsked, (std::vector<int>{50, 50, 50}));
  finish();
}

TEST_F(RecordedGpuTest, RecordedRunsSayThatNothingIsGathered) {
  for (ExecutorKind Kind : {ExecutorKind::Auto, ExecutorKind::Chained}) {
    open(Kind);
    EXPECT_EQ(Opened->whyNotHeld(), "the run is recorded");
    finish();
  }
  open(ExecutorKind::Serial);
  EXPECT_EQ(Opened->whyNotHeld(), "");
  finish();
}

} // namespace
} // namespace blockmaestro
