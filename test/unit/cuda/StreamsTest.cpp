// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The order of streams with real threads: random programs over all kinds of
// streams and events, compared with a model that knows CUDA's rules only.

#include "emulated/streams/Streams.h"
#include "emulated/Calls.h"
#include "emulated/engine/EngineState.h"
#include "emulated/streams/StreamExecutor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace blockmaestro;
using namespace std::chrono_literals;

namespace {

/// What a random program does, one by one; the index is the step.
struct Model {
  using Set = std::vector<bool>;

  /// What must be over before a step of this stream made now.
  Set before(size_t Stream) const {
    Set Out(Steps.size(), false);
    for (size_t I = 0; I < Steps.size(); ++I)
      if (ordered(Steps[I].Stream, Stream))
        add(Out, I);
    return Out;
  }
  /// Whether CUDA orders an earlier step of one stream before a later of the
  /// other.
  bool ordered(size_t Earlier, size_t Later) const {
    if (Earlier == Later)
      return true;
    return (Earlier == Legacy && Blocking[Later]) ||
           (Later == Legacy && Blocking[Earlier]);
  }
  void add(Set &To, size_t Step) const {
    To[Step] = true;
    for (size_t I = 0; I < Steps[Step].Before.size(); ++I)
      To[I] = To[I] || Steps[Step].Before[I];
  }

  struct Step {
    size_t Stream;
    Set Before;
  };
  static constexpr size_t Legacy = 0;
  std::vector<bool> Blocking;
  std::vector<Step> Steps;
};

struct Watched final : BlockRunner {
  Status prepare(const Launch &) override { return {}; }
  Status run(const Launch &What, uint64_t, unsigned, BlockCost *) override {
    Piece(What.Id);
    return {};
  }
  std::function<void(size_t Step)> Piece;
};

const KernelRecord &kernel() {
  static const KernelRecord Kernel;
  return Kernel;
}

Work blocks(size_t Id, uint32_t Count) {
  auto L = std::make_shared<Launch>();
  L->Id = Id;
  L->Kernel = &kernel();
  L->Grid = {Count, 1, 1};
  Work W;
  W.Blocks = std::move(L);
  return W;
}

class StreamsTest : public testing::TestWithParam<unsigned> {
protected:
  void SetUp() override { start(5s); }
  void TearDown() override {
    EXPECT_EQ(emulated::cudaDeviceReset(), cudaSuccess);
  }
  void start(std::chrono::milliseconds Patience) {
    EngineSettings Asked;
    Asked.Workers = GetParam();
    Asked.Patience = Patience;
    startEngine(engineState(), Runner, Asked);
  }
  Watched Runner;
};

INSTANTIATE_TEST_SUITE_P(Workers, StreamsTest, testing::Values(1, 2, 4));

constexpr size_t MostSteps = 60;
constexpr size_t Events = 3;

/// One random program.
class RandomProgram {
public:
  RandomProgram(Watched &Runner, unsigned Seed)
      : Runner(Runner), Random(Seed), Left(MostSteps) {}

  void run() {
    Runner.Piece = [this](size_t Step) { piece(Step); };
    makeStreams();
    for (size_t Step = 0; Step < MostSteps; ++Step)
      take();
    EXPECT_EQ(emulated::cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(Error, 0);
    for (const std::atomic<int> &Each : Left)
      EXPECT_EQ(Each, 0);
    for (cudaEvent_t Each : Made)
      EXPECT_EQ(emulated::cudaEventDestroy(Each), cudaSuccess);
    for (size_t I = 2; I < Streams.size(); ++I)
      EXPECT_EQ(emulated::cudaStreamDestroy(Streams[I]), cudaSuccess);
  }

private:
  /// Called where a part of a step runs.
  void piece(size_t Step) {
    std::lock_guard<std::mutex> Held(Lock);
    const Model::Set &Before = Rules.Steps[Step].Before;
    for (size_t I = 0; I < Before.size(); ++I)
      Error += Before[I] && Left[I] != 0;
    --Left[Step];
  }

  void makeStreams() {
    Streams = {nullptr, cudaStreamPerThread};
    Rules.Blocking = {true, true};
    for (unsigned Flags : {0u, 0u, 1u, 1u}) {
      Streams.emplace_back();
      ASSERT_EQ(emulated::cudaStreamCreateWithFlags(&Streams.back(), Flags),
                cudaSuccess);
      Rules.Blocking.push_back(Flags == 0);
    }
    for (size_t I = 0; I < Streams.size(); ++I)
      Names.push_back(I);
    Made.resize(Events);
    Behind.resize(Events);
    for (cudaEvent_t &Each : Made)
      ASSERT_EQ(emulated::cudaEventCreate(&Each), cudaSuccess);
  }

  /// Adds the step to the model before it can run.
  void know(size_t Stream, int Pieces, const Model::Set *Also = nullptr) {
    std::lock_guard<std::mutex> Held(Lock);
    Model::Set Before = Rules.before(Names[Stream]);
    for (size_t I = 0; Also && I < Also->size(); ++I)
      Before[I] = Before[I] || (*Also)[I];
    Left[Rules.Steps.size()] = Pieces;
    Rules.Steps.push_back({Names[Stream], std::move(Before)});
  }

  void take() {
    const size_t Stream = Random() % Streams.size();
    const size_t Event = Random() % Events;
    switch (Random() % 10) {
    case 0:
      know(Stream, 0);
      Behind[Event] = Rules.Steps.back().Before;
      EXPECT_EQ(emulated::cudaEventRecord(Made[Event], Streams[Stream]),
                cudaSuccess);
      return;
    case 1:
      know(Stream, 0, &Behind[Event]);
      EXPECT_EQ(emulated::cudaStreamWaitEvent(Streams[Stream], Made[Event], 0),
                cudaSuccess);
      return;
    case 2:
      if (Random() % 2)
        replace(Stream);
      else
        synchronize(Stream, Event);
      return;
    default:
      work(Stream);
    }
  }

  /// The stream is destroyed and another of its kind takes its place.
  void replace(size_t Stream) {
    if (Stream < 2)
      return;
    EXPECT_EQ(emulated::cudaStreamDestroy(Streams[Stream]), cudaSuccess);
    EXPECT_EQ(emulated::cudaStreamCreateWithFlags(&Streams[Stream],
                                                  Rules.Blocking[Names[Stream]]
                                                      ? cudaStreamDefault
                                                      : cudaStreamNonBlocking),
              cudaSuccess);
    // Nothing orders the new one behind the old one.
    std::lock_guard<std::mutex> Held(Lock);
    Rules.Blocking.push_back(Rules.Blocking[Names[Stream]]);
    Names[Stream] = Rules.Blocking.size() - 1;
  }

  void synchronize(size_t Stream, size_t Event) {
    if (Random() % 2) {
      EXPECT_EQ(emulated::cudaStreamSynchronize(Streams[Stream]), cudaSuccess);
      expectOver(Rules.before(Names[Stream]));
    } else {
      EXPECT_EQ(emulated::cudaEventSynchronize(Made[Event]), cudaSuccess);
      expectOver(Behind[Event]);
    }
  }

  void expectOver(const Model::Set &Which) {
    for (size_t I = 0; I < Which.size(); ++I)
      EXPECT_TRUE(!Which[I] || Left[I] == 0) << I;
  }

  void work(size_t Stream) {
    const unsigned Kind = Random() % 4;
    const int Pieces = Kind < 2 ? 1 + int(Random() % 4) : 1;
    know(Stream, Pieces);
    const size_t Step = Rules.Steps.size() - 1;
    Work What;
    if (Kind < 2)
      What = blocks(Step, uint32_t(Pieces));
    else if (Kind == 2)
      What.Short = [this, Step] {
        piece(Step);
        return Status();
      };
    else
      What.Host = [this, Step] { piece(Step); };
    EXPECT_EQ(emulated::enqueue(Streams[Stream], std::move(What)), cudaSuccess);
  }

  Watched &Runner;
  std::mt19937 Random;
  std::mutex Lock;
  Model Rules;
  std::vector<cudaStream_t> Streams;
  std::vector<size_t> Names; ///< Of the streams, in the model.
  std::vector<cudaEvent_t> Made;
  std::vector<Model::Set> Behind;
  std::vector<std::atomic<int>> Left;
  std::atomic<int> Error = 0;
};

TEST_P(StreamsTest, RandomProgramsKeepCudasOrder) {
  for (unsigned Seed = 0; Seed < 200; ++Seed)
    RandomProgram(Runner, Seed).run();
}

/// A stream is held up by a host function until the promise is kept.
class Held {
public:
  explicit Held(cudaStream_t Stream) {
    Work W;
    W.Host = [this] {
      while (!Open)
        std::this_thread::yield();
    };
    EXPECT_EQ(emulated::enqueue(Stream, std::move(W)), cudaSuccess);
  }
  void open() { Open = true; }

private:
  std::atomic<bool> Open = false;
};

TEST_P(StreamsTest, QueriesTellWhatIsNotDone) {
  cudaStream_t Stream = nullptr;
  cudaEvent_t Event = nullptr;
  ASSERT_EQ(emulated::cudaStreamCreate(&Stream), cudaSuccess);
  ASSERT_EQ(emulated::cudaEventCreate(&Event), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamQuery(Stream), cudaSuccess);
  EXPECT_EQ(emulated::cudaEventQuery(Event), cudaSuccess);
  Held Gate(Stream);
  EXPECT_EQ(emulated::cudaEventRecord(Event, Stream), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamQuery(Stream), cudaErrorNotReady);
  EXPECT_EQ(emulated::cudaEventQuery(Event), cudaErrorNotReady);
  float Ignored = 0;
  EXPECT_EQ(emulated::cudaEventElapsedTime(&Ignored, Event, Event),
            cudaErrorNotReady);
  Gate.open();
  EXPECT_EQ(emulated::cudaEventSynchronize(Event), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamQuery(Stream), cudaSuccess);
}

TEST_P(StreamsTest, EventsHaveTheTimeOfWhatTheyAreBehind) {
  cudaEvent_t Start = nullptr, End = nullptr;
  ASSERT_EQ(emulated::cudaEventCreate(&Start), cudaSuccess);
  ASSERT_EQ(emulated::cudaEventCreate(&End), cudaSuccess);
  EXPECT_EQ(emulated::cudaEventRecord(Start, nullptr), cudaSuccess);
  Work Slow;
  Slow.Short = [] {
    std::this_thread::sleep_for(30ms);
    return Status();
  };
  EXPECT_EQ(emulated::enqueue(nullptr, std::move(Slow)), cudaSuccess);
  EXPECT_EQ(emulated::cudaEventRecord(End, nullptr), cudaSuccess);
  EXPECT_EQ(emulated::cudaEventSynchronize(End), cudaSuccess);
  std::this_thread::sleep_for(50ms);
  float Milliseconds = 0;
  EXPECT_EQ(emulated::cudaEventElapsedTime(&Milliseconds, Start, End),
            cudaSuccess);
  EXPECT_GE(Milliseconds, 29.0f);
}

TEST_P(StreamsTest, AHostFunctionMustNotWait) {
  std::atomic<int> Got = cudaSuccess;
  auto Waits = [](void *Data) {
    *static_cast<std::atomic<int> *>(Data) = emulated::cudaDeviceSynchronize();
  };
  EXPECT_EQ(emulated::cudaLaunchHostFunc(nullptr, Waits, &Got), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(Got, cudaErrorNotPermitted);
}

TEST_P(StreamsTest, ACallbackIsToldOfTheFailure) {
  Work Fails;
  Fails.Short = [] { return Status(StatusCode::IllegalAddress, "no"); };
  static std::atomic<int> Told, Called;
  Told = Called = 0;
  auto Callback = [](cudaStream_t, cudaError_t Error, void *) { Told = Error; };
  auto Function = [](void *) { Called = 1; };
  EXPECT_EQ(emulated::enqueue(nullptr, std::move(Fails)), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamAddCallback(nullptr, Callback, nullptr, 0),
            cudaSuccess);
  EXPECT_EQ(emulated::cudaLaunchHostFunc(nullptr, Function, nullptr),
            cudaSuccess);
  EXPECT_EQ(emulated::cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(emulated::cudaStreamQuery(nullptr), cudaErrorIllegalAddress);
  EXPECT_EQ(Told, cudaErrorIllegalAddress);
  EXPECT_EQ(Called, 0);
  EXPECT_EQ(emulated::cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(emulated::cudaDeviceSynchronize(), cudaSuccess);
}

TEST_P(StreamsTest, HandlesThatAreNoStreamsOrEvents) {
  cudaStream_t Stream = nullptr;
  ASSERT_EQ(emulated::cudaStreamCreate(&Stream), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamDestroy(Stream), cudaSuccess);
  EXPECT_EQ(emulated::cudaStreamDestroy(Stream),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::cudaStreamSynchronize(Stream),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::enqueue(Stream, Work()), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::cudaStreamDestroy(nullptr),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(emulated::cudaEventRecord(nullptr, nullptr),
            cudaErrorInvalidResourceHandle);
}

/// The executor leaves the order to the streams and reports every block.
TEST_P(StreamsTest, TheStreamExecutorReportsBlocks) {
  struct Counts final : EventSink {
    void blockRan(const blockmaestro::Event &What,
                  const BlockCost *Cost) override {
      std::lock_guard<std::mutex> Held(Lock);
      EXPECT_LE(What.Start, What.End);
      EXPECT_NE(Cost, nullptr);
      ++Of[What.Launch];
    }
    std::mutex Lock;
    std::map<uint64_t, int> Of;
  } Sink;
  Runner.Piece = [](size_t) {};
  std::unique_ptr<Executor> Runs = makeStreamExecutor(&Sink, false);
  EXPECT_FALSE(Runs->plain());
  EXPECT_TRUE(makeStreamExecutor(nullptr, false)->plain());
  EXPECT_FALSE(makeStreamExecutor(nullptr, true)->plain());
  for (size_t Id = 0; Id < 4; ++Id) {
    Task Next;
    Next.What = blocks(Id, 5).Blocks;
    EXPECT_TRUE(Runs->submit(std::move(Next)).ok());
  }
  EXPECT_EQ(emulated::cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(Sink.Of, (std::map<uint64_t, int>{{0, 5}, {1, 5}, {2, 5}, {3, 5}}));
}

} // namespace
