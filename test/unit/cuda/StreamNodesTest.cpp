// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Launches on several streams through the front end: which of them are related,
// and how event records take their place among them.

#include "FrontEnd.h"
#include "Reader.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <vector>

using namespace blockmaestro;

namespace {

class StreamNodes : public RuntimeTest {
protected:
  void begin() {
    RuntimeTest::begin();
    for (cudaStream_t Each : {A, B})
      Front->madeStream(Each, cudaStreamNonBlocking);
  }
  void SetUp() override {
    for (cudaStream_t *Each : {&A, &B})
      ASSERT_EQ(Machine.calls().cudaStreamCreateWithFlags(
                    Each, cudaStreamNonBlocking),
                cudaSuccess);
    ASSERT_EQ(Machine.calls().cudaEventCreate(&Event), cudaSuccess);
  }
  void TearDown() override {
    (void)Front->drain("end");
    (void)engineState().Runs->waitAll();
    Front.reset();
    for (cudaStream_t Each : {A, B})
      (void)Machine.calls().cudaStreamDestroy(Each);
    (void)Machine.calls().cudaEventDestroy(Event);
  }

  cudaError_t record(cudaStream_t Stream) {
    return Front->record(
        "cudaEventRecord",
        [=, this](const RuntimeCalls &Calls) {
          return Calls.cudaEventRecord(Event, Stream);
        },
        {Event}, Stream);
  }
  cudaError_t join(cudaStream_t Stream) {
    return Front->join(
        [=, this](const RuntimeCalls &Calls) {
          return Calls.cudaStreamWaitEvent(Stream, Event, 0);
        },
        Stream, {Event});
  }
  cudaError_t query() {
    return Front->observe("cudaEventQuery",
                          [this](const RuntimeCalls &Calls) {
                            return Calls.cudaEventQuery(Event);
                          },
                          {&Event, 1});
  }
  unsigned ran(uint64_t Launch) { return Machine.Runner.Ran[Launch]; }

  cudaStream_t A = nullptr, B = nullptr;
  cudaEvent_t Event = nullptr;
};

TEST_F(StreamNodes, ARecordingSaysWhatTheHostWaitedFor) {
  Asked.RecordPath = testing::TempDir() + "bm-stream-nodes-test-" +
                     std::to_string(::getpid()) + ".bmr";
  begin();
  launch(0, 1, A);
  EXPECT_EQ(record(A), cudaSuccess);
  launch(1, 2, A);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_EQ(record(A), cudaSuccess);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_TRUE(Front->finish().ok());
  const Result<Recording> Read = readRecording(Asked.RecordPath);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  ASSERT_EQ(Read->Waits.size(), 2u);
  EXPECT_EQ(Read->Waits[0].Until, 1u);
  EXPECT_EQ(Read->Waits[0].BeforeLaunch, 2u);
  EXPECT_EQ(Read->Waits[1].Until, 2u);
  EXPECT_EQ(Read->Waits[1].What, "cudaEventQuery");
  EXPECT_EQ(std::remove(Asked.RecordPath.c_str()), 0);
}

TEST_F(StreamNodes, ARecordingIsMadeWithoutWarpsWhereNobodyTracesThem) {
  Asked.RecordPath = testing::TempDir() + "bm-stream-nodes-test-" +
                     std::to_string(::getpid()) + ".bmr";
  Asked.WarpsOneIn = 8;
  begin();
  launch(0, 1, A);
  EXPECT_TRUE(Front->finish().ok());
  EXPECT_NE(Reasons.text().find("only the emulated device traces warps; the "
                                "recording is made without"),
            std::string::npos);
  const Result<Recording> Read = readRecording(Asked.RecordPath);
  ASSERT_TRUE(Read.ok()) << Read.status().message();
  EXPECT_EQ(Read->WarpsOneIn, 0u);
  EXPECT_EQ(Read->Launches.size(), 1u);
  EXPECT_EQ(std::remove(Asked.RecordPath.c_str()), 0);
}

TEST_F(StreamNodes, AreRelatedWhereAnEventJoinsTheStreams) {
  begin();
  launch(0, 1, A);
  launch(1, 2, B);
  EXPECT_EQ(record(A), cudaSuccess);
  EXPECT_EQ(join(B), cudaSuccess);
  launch(1, 2, B);
  EXPECT_EQ(Trace, (Lines{"launch 0", "launch 1", "cudaEventRecord after 0",
                          "launch 2 after 0 after 1"}));
}

TEST_F(StreamNodes, OnlyWhatIsBehindTheRecordIsUnordered) {
  begin();
  EXPECT_EQ(record(A), cudaSuccess);
  launch(0, 1, A);
  EXPECT_EQ(join(B), cudaSuccess);
  launch(1, 2, B);
  EXPECT_EQ(Trace, (Lines{"cudaEventRecord", "launch 0", "launch 1"}));
}

TEST_F(StreamNodes, TheLegacyStreamWaitsForBlockingOnes) {
  cudaStream_t Blocking = nullptr;
  ASSERT_EQ(Machine.calls().cudaStreamCreate(&Blocking), cudaSuccess);
  begin();
  launch(0, 1, Blocking);
  launch(0, 1, A);
  launch(1, 2);
  EXPECT_EQ(Trace, (Lines{"launch 0", "launch 1", "launch 2 after 0"}));
  Front->drain("cudaStreamDestroy");
  (void)Machine.calls().cudaStreamDestroy(Blocking);
}

/// Nothing runs before it has to; who asks for the event lets it happen.
TEST_F(StreamNodes, AnEventIsDoneWhenItIsAskedFor) {
  begin();
  launch(0, 1, A);
  EXPECT_EQ(record(A), cudaSuccess);
  launch(1, 2, A);
  EXPECT_EQ(ran(0), 0u);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_EQ(ran(0), Blocks);
  EXPECT_EQ(Trace.back(), "finish 1");
}

/// The oldest that may still run is one more than what a new launch may run
/// beside.
TEST_F(StreamNodes, AnEventIsDoneHoweverManyLaunchesCameLater) {
  Asked.Window = 2;
  begin();
  EXPECT_EQ(record(A), cudaSuccess);
  launch(0, 1, A);
  launch(0, 2, A);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_EQ(Trace.back(), "finish 0");
}

/// Records that nobody asks for take no places from launches.
TEST_F(StreamNodes, RecordsDoNotFillTheWindow) {
  Asked.Window = 2;
  begin();
  launch(0, 1, A);
  for (int I = 0; I < 5; ++I)
    EXPECT_EQ(record(A), cudaSuccess);
  launch(0, 2, A);
  launch(1, 2, A);
  EXPECT_EQ(Trace.back(), "launch 2 after 0 after 6");
}

/// What the host has waited for is before whatever it issues then.
TEST_F(StreamNodes, WaitingForAnEventJoinsAllStreams) {
  begin();
  launch(0, 1, A);
  EXPECT_EQ(record(A), cudaSuccess);
  launch(0, 2, B);
  EXPECT_EQ(query(), cudaSuccess);
  launch(1, 2, B);
  EXPECT_EQ(Trace.back(), "launch 2 after 0 after 2");
}

TEST_F(StreamNodes, TheLatestRecordCounts) {
  begin();
  launch(0, 1, A);
  EXPECT_EQ(record(A), cudaSuccess);
  EXPECT_EQ(record(B), cudaSuccess);
  EXPECT_EQ(Trace.back(), "cudaEventRecord after 1");
  EXPECT_EQ(join(B), cudaSuccess);
  launch(1, 2, B);
  EXPECT_EQ(Trace.back(), "launch 1");
}

TEST_F(StreamNodes, AnEventThatGoesAwayHasBeenRecorded) {
  begin();
  launch(0, 1, A);
  cudaEvent_t Other = nullptr;
  ASSERT_EQ(Machine.calls().cudaEventCreate(&Other), cudaSuccess);
  std::swap(Event, Other);
  EXPECT_EQ(record(A), cudaSuccess);
  EXPECT_EQ(Front->destroy(
                [this](const RuntimeCalls &Calls) {
                  return Calls.cudaEventDestroy(Event);
                },
                Event),
            cudaSuccess);
  EXPECT_EQ(ran(0), Blocks);
  EXPECT_EQ(query(), cudaErrorInvalidResourceHandle);
  std::swap(Event, Other);
}

TEST_F(StreamNodes, ARecordTakesTheEventBackFromACapture) {
  begin();
  const RuntimeCalls &Calls = Machine.calls();
  ASSERT_EQ(Calls.cudaStreamBeginCapture(A, cudaStreamCaptureModeRelaxed),
            cudaSuccess);
  ASSERT_EQ(Calls.cudaEventRecord(Event, A), cudaSuccess);
  cudaGraph_t Graph = nullptr;
  ASSERT_EQ(Calls.cudaStreamEndCapture(A, &Graph), cudaSuccess);
  EXPECT_EQ(Calls.cudaGraphDestroy(Graph), cudaSuccess);
  EXPECT_EQ(query(), cudaErrorCapturedEvent);
  launch(0, 1, B);
  EXPECT_EQ(record(B), cudaSuccess);
  EXPECT_EQ(Trace.back(), "cudaEventRecord after 0");
  EXPECT_EQ(join(A), cudaSuccess);
  EXPECT_EQ(query(), cudaSuccess);
  EXPECT_EQ(ran(0), Blocks);
}

TEST_F(StreamNodes, ErrorsAreTheDevicesOwn) {
  begin();
  launch(0, 1, A);
  EXPECT_EQ(record(reinterpret_cast<cudaStream_t>(&Trace)),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(Machine.prepare({RecordCommand{Event, 77}, A}, true), nullptr);
  EXPECT_NE(
      Machine.prepare({RecordCommand{Event, cudaEventRecordExternal}, A}, true),
      nullptr);
  EXPECT_EQ(Trace.back(), "fence");
  EXPECT_EQ(join(reinterpret_cast<cudaStream_t>(&Trace)),
            cudaErrorInvalidResourceHandle);
}

/// Where streams keep the order themselves, a record is behind a fence of the
/// executor and the relations are known all the same.
TEST_F(StreamNodes, RelationsReachOverAFenceOfTheExecutor) {
  Machine.TakesStreams = false;
  Asked.Explain = true;
  begin();
  launch(0, 1, A);
  launch(1, 2, B);
  EXPECT_EQ(record(B), cudaSuccess);
  EXPECT_EQ(join(A), cudaSuccess);
  launch(1, 0, A);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "launch 1",
                          "cudaEventRecord after 1", "fence", "launch 2"}));
}

/// Graphs of a step from 0 to 1, a copy from 1 to 2, and another of these.
class GraphNodes : public StreamNodes {
protected:
  void start() {
    begin();
    Machine.Graph = std::vector<Command>{
        LaunchCommand{nullptr, packed(0, 1)},
        CopyCommand{linearCopy(Memory[2].data(), Memory[1].data(),
                               Elements * sizeof(int), cudaMemcpyDefault)}};
  }
  std::shared_ptr<Launch> packed(unsigned From, unsigned To) {
    auto Out = std::make_shared<Launch>();
    Out->Kernel = &Record;
    Out->Grid = {Blocks, 1, 1};
    Out->Block = {Threads, 1, 1};
    const int *const Pointers[] = {Memory[From].data(), Memory[To].data()};
    Out->Arguments.resize(sizeof(Pointers));
    std::memcpy(Out->Arguments.data(), Pointers, sizeof(Pointers));
    return Out;
  }
  cudaError_t launchGraph(cudaStream_t Stream) {
    return Front->launchGraph(
        "cudaGraphLaunch",
        [](const RuntimeCalls &) {
          Trace.push_back("whole graph");
          return cudaSuccess;
        },
        reinterpret_cast<cudaGraphExec_t>(&Trace), Stream);
  }
};

TEST_F(GraphNodes, AreRelatedLikeAnyOthers) {
  start();
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  launch(2, 0, A);
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  EXPECT_EQ(Trace,
            (Lines{"launch 0", "cudaGraphLaunch after 0", "launch 1 after 1",
                   "launch 2 after 2", "cudaGraphLaunch after 3"}));
  EXPECT_EQ(Front->drain("end"), cudaSuccess);
  EXPECT_EQ(Memory[2], std::vector<int>(Elements, 3));
}

TEST_F(GraphNodes, OfOneGraphComeOneLaunchAfterTheOther) {
  start();
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  EXPECT_EQ(launchGraph(B), cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "cudaGraphLaunch after 0",
                          "launch 1 after 1", "cudaGraphLaunch after 2"}));
}

/// Another may be made in its place.
TEST_F(GraphNodes, AGraphThatIsGoneOrdersNothing) {
  start();
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  Front->forgetGraph(reinterpret_cast<cudaGraphExec_t>(&Trace));
  EXPECT_EQ(launchGraph(B), cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "cudaGraphLaunch after 0", "launch 1",
                          "cudaGraphLaunch after 2"}));
}

TEST_F(GraphNodes, AreAFenceWhereAnExecutorDoesNotTakeThemAll) {
  start();
  launch(0, 1, A);
  Machine.Accepts = Status(StatusCode::Unsupported, "too odd");
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  Machine.Accepts = Status();
  Machine.Graph = Status(StatusCode::Unsupported, "it has host functions");
  EXPECT_EQ(launchGraph(A), cudaSuccess);
  EXPECT_EQ(Trace, (Lines{"launch 0", "fence", "whole graph", "fence",
                          "whole graph"}));
  for (const char *Why : {"too odd", "it has host functions"})
    EXPECT_NE(Reasons.text().find(std::string("as a whole: ") + Why),
              std::string::npos);
}

} // namespace
