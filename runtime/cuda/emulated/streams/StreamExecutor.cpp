// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamExecutor.h"

#include "EngineState.h"
#include "ErrorText.h"
#include "HelperThread.h"
#include "Streams.h"

#include <utility>

namespace blockmaestro {
namespace {

class StreamExecutor final : public Executor {
public:
  StreamExecutor(EventSink *Events, bool SeesAll)
      : Events(Events), SeesAll(SeesAll) {}

  Status submit(Task Next) override {
    Work What;
    What.Blocks = std::move(Next.What);
    What.Sink = Events;
    cudaError_t Error = emulated::enqueue(
        static_cast<cudaStream_t>(Next.Stream), std::move(What));
    return Error == cudaSuccess ? Status() : refused(Error);
  }
  Status drain() override { return engineState().Runs->failure(); }
  bool plain() const override { return !Events && !SeesAll; }
  bool takesStreams() const override { return true; }

private:
  static Status refused(cudaError_t Why) {
    return Status(Why == cudaErrorOperatingSystem ? StatusCode::Io
                                                  : StatusCode::Device,
                  errorText(Why));
  }

  EventSink *Events;
  const bool SeesAll;
};

/// Hands blocks on under worker numbers of its own.
class NumberedRunner final : public BlockRunner {
public:
  NumberedRunner(BlockRunner &Below, unsigned First)
      : Below(Below), First(First) {}
  Status prepare(const Launch &What) override { return Below.prepare(What); }
  Status run(const Launch &What, uint64_t Block, unsigned Worker,
             BlockCost *Cost) override {
    HelperThread Arithmetic;
    return Below.run(What, Block, First + Worker, Cost);
  }

private:
  BlockRunner &Below;
  const unsigned First;
};

class AfterEngine final : public Executor {
public:
  AfterEngine(
      BlockRunner &Below, unsigned First,
      const std::function<std::unique_ptr<Executor>(BlockRunner &)> &Make)
      : Runner(Below, First), Runs(Make(Runner)) {}

  Status submit(Task Next) override {
    Status Before = engineState().Runs->waitAll();
    return Before.ok() ? Runs->submit(std::move(Next)) : Before;
  }
  bool takesStreams() const override { return Runs->takesStreams(); }
  bool takesHostWork() const override { return Runs->takesHostWork(); }
  Status finish(const std::vector<uint64_t> &Nodes) override {
    return Runs->finish(Nodes);
  }
  Status drain() override { return Runs->drain(); }
  Status fence() override { return Runs->fence(); }

private:
  NumberedRunner Runner;
  std::unique_ptr<Executor> Runs;
};

} // namespace

std::unique_ptr<Executor> makeStreamExecutor(EventSink *Events, bool SeesAll) {
  return std::make_unique<StreamExecutor>(Events, SeesAll);
}

std::unique_ptr<Executor> makeAfterEngine(
    BlockRunner &Runner, unsigned First,
    const std::function<std::unique_ptr<Executor>(BlockRunner &)> &Make) {
  return std::make_unique<AfterEngine>(Runner, First, Make);
}

} // namespace blockmaestro
