// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the front end on a device made of a few lines, for tests of what
// reaches the executor, in which order, and with which relations. Kernels are
// one, Out[i] = In[i] + 1; copies are the emulated device's.

#ifndef BLOCKMAESTRO_TEST_UNIT_CUDA_FRONTEND_H
#define BLOCKMAESTRO_TEST_UNIT_CUDA_FRONTEND_H

#include "Runtime.h"
#include "Shuffle.h"
#include "emulated/device/Commands.h"
#include "emulated/device/EmulatedDevice.h"
#include "emulated/engine/EngineState.h"
#include "emulated/memory/MemoryState.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

constexpr uint32_t Threads = 32;
constexpr uint32_t Blocks = 8;
constexpr size_t Elements = Threads * Blocks;

inline std::vector<std::string> Trace;
inline cudaError_t plainLaunch(const void *, dim3, dim3, void **, size_t,
                               cudaStream_t) {
  Trace.push_back("plain launch");
  return cudaErrorInvalidDeviceFunction;
}

inline cudaError_t attributedLaunch(const cudaLaunchConfig_t *, const void *,
                                    void **) {
  Trace.push_back("launch with attributes");
  return cudaErrorInvalidDeviceFunction;
}

/// Out[i] = In[i] + 1, one int per thread; parameters In, Out.
inline KernelRecord stepKernel() {
  KernelRecord K;
  K.Symbol = "step";
  K.Name = "step(int const*, int*)";
  K.Parameters = {{0, 8, 8, true, false}, {8, 8, 8, true, false}};
  K.ArgumentBytes = 16;
  Footprint &F = K.Bytes;
  F.Symbols.resize(3);
  F.Symbols[0].Kind = SymbolKind::ThreadIdx;
  F.Symbols[1].Kind = SymbolKind::BlockIdx;
  F.Symbols[2].Kind = SymbolKind::BlockDim;
  for (uint16_t Argument : {0, 1}) {
    Access A;
    A.Kind = Argument ? AccessKind::Write : AccessKind::Read;
    A.Base.Kind = RootKind::Argument;
    A.Base.Argument = Argument;
    A.ElementBytes = 4;
    A.Offset.Terms = {{4, {0}}, {4, {1, 2}}};
    A.How = Exactness::Exact;
    F.Accesses.push_back(A);
  }
  return K;
}

/// Runs blocks of stepKernel() on host memory.
class StepRunner final : public BlockRunner {
public:
  Status prepare(const Launch &) override { return Status(); }
  Status run(const Launch &What, uint64_t Block, unsigned,
             BlockCost *) override {
    ++Ran[What.Id];
    if (Fail)
      return Status(StatusCode::Device, "the block failed");
    int *Pointers[2];
    std::memcpy(Pointers, What.Arguments.data(), sizeof(Pointers));
    for (uint32_t I = 0; I < Threads; ++I)
      Pointers[1][Block * Threads + I] = Pointers[0][Block * Threads + I] + 1;
    return Status();
  }
  bool Fail = false;
  std::map<uint64_t, unsigned> Ran; ///< Blocks, by launch.
};

/// Writes down what arrives before it hands it on, and can lose relations.
class Watcher final : public Executor {
public:
  Watcher(std::unique_ptr<Executor> Below, bool Forgets, bool Plain,
          bool TakesStreams)
      : Below(std::move(Below)), Forgets(Forgets), Plain(Plain),
        TakesStreams(TakesStreams) {}
  bool plain() const override { return Plain; }
  Status submit(Task Next) override {
    std::string Text =
        Next.What ? "launch " + std::to_string(Next.What->Id) : Next.Work.Name;
    for (const Dependence &Each : Next.Needs)
      Text += " after " + std::to_string(Each.Producer);
    Trace.push_back(Text);
    if (Forgets)
      Next.Needs.clear();
    return Below->submit(std::move(Next));
  }
  bool takesStreams() const override { return TakesStreams; }
  bool takesHostWork() const override { return true; }
  Status finish(const std::vector<uint64_t> &Nodes) override {
    std::string Text = "finish";
    for (uint64_t Each : Nodes)
      Text += " " + std::to_string(Each);
    Trace.push_back(Text);
    return Below->finish(Nodes);
  }
  Status drain() override {
    Trace.push_back("drain");
    return Below->drain();
  }
  Status fence() override {
    Trace.push_back("fence");
    return Below->drain();
  }

private:
  std::unique_ptr<Executor> Below;
  bool Forgets;
  bool Plain;
  bool TakesStreams;
};

class FakeDevice final : public Device {
public:
  FakeDevice() {
    Calls = emulatedCalls();
    Calls.cudaLaunchKernel = plainLaunch;
    Calls.cudaLaunchKernelExC = attributedLaunch;
    startEngine(engineState(), Runner, EngineSettings());
  }
  std::string name() const override { return "fake"; }
  CodeTarget target() const override { return {90}; }
  Status addModule(const RegisteredModule &) override { return Status(); }
  void removeModule(const RegisteredModule &) override {}
  Status accepts(const Launch &, cudaStream_t) override { return Accepts; }
  Status offers(const ExecutorChoice &) const override { return Status(); }
  bool prepares() const override { return true; }
  std::unique_ptr<PreparedWork> prepare(const Request &Asked,
                                        bool Stages) override {
    return emulated::prepare(Asked, Stages);
  }
  cudaError_t perform(const Request &Asked) override {
    return emulated::perform(Asked);
  }
  bool hostSees(uint64_t Address) override {
    return memoryState().Heap.isHost(reinterpret_cast<void *>(Address));
  }
  Result<std::unique_ptr<Executor>> makeExecutor(const ExecutorChoice &Choice,
                                                 unsigned Window,
                                                 EventSink *Events) override {
    return std::unique_ptr<Executor>(std::make_unique<Watcher>(
        makeShuffle(Runner, Events, Choice.Seed, Window), Forgets, Plain,
        TakesStreams));
  }
  Result<Allocation> findGlobal(const GlobalRecord &,
                                const ModuleRecord &) override {
    return Status(StatusCode::NotFound, "no variables");
  }

  bool ordersClosed(cudaStream_t) override { return OrdersClosed; }
  Result<std::vector<Command>> steps(cudaGraphExec_t, cudaStream_t) override {
    return Graph;
  }
  /// What launches that no executor takes come to.
  void takeLaunches(decltype(&plainLaunch) Taker) {
    Calls.cudaLaunchKernel = Taker;
  }

  StepRunner Runner;
  Status Accepts;
  bool OrdersClosed = false;
  Result<std::vector<Command>> Graph =
      Status(StatusCode::Unsupported, "no graphs");
  bool Forgets = false;
  bool Plain = false;
  bool TakesStreams = true;
};

class RuntimeTest : public ::testing::Test {
protected:
  void begin(uint64_t Seed = 1) {
    Trace.clear();
    Asked.Executor = {ExecutorKind::Shuffle, Seed};
    Front = std::make_unique<Runtime>(Machine, Registered, Reasons, Asked);
    ASSERT_TRUE(Front->start("test").ok());
    for (std::vector<int> &Each : Memory) {
      Each.assign(Elements, 0);
      Front->allocated(Each.data(), Elements * sizeof(int));
    }
  }

  cudaError_t launch(unsigned From, unsigned To,
                     cudaStream_t Stream = nullptr) {
    void *In = Memory[From].data(), *Out = Memory[To].data();
    void *Args[] = {&In, &Out};
    LaunchRequest Request{&Known, nullptr, dim3(Blocks), dim3(Threads),
                          Args,   0,       Stream};
    return Front->launch(Request);
  }

  const KernelRecord Record = stepKernel();
  ModuleRecord Module;
  Kernel Known{&Record, &Module, {}, {}, false};
  FakeDevice Machine;
  Registry Registered;
  Notes Reasons;
  Options Asked;
  std::vector<int> Memory[3];
  std::unique_ptr<Runtime> Front;
};

using Lines = std::vector<std::string>;

} // namespace blockmaestro

#endif
