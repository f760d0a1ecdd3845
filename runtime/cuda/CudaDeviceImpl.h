// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the CUDA GPU behind Device.h, for the files that make it up:
// CudaDevice.cpp has its kernels, graphs and executors,
// CudaDeviceGathering.cpp what an executor may take of the program's calls.
// On the data's way: made by makeCudaDevice().
// Invariants: at most one of the executors that gather, share and spread is
// there, and goes before the device does. Threads: see Device.h.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CUDADEVICEIMPL_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CUDADEVICEIMPL_H

#include "Chained.h"
#include "CudaDevice.h"
#include "CudaKernels.h"
#include "CudaPort.h"
#include "DriverUsers.h"
#include "EarlyGraphs.h"
#include "GpuSerial.h"
#include "GraphParts.h"
#include "Lane.h"
#include "LaunchingLibraries.h"
#include "PackLaunch.h"
#include "Share.h"
#include "Streams.h"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace blockmaestro {

/// Whether any GPU runs grids of this size, and blocks this deep.
bool isShape(Dim3 Grid, Dim3 Block);

/// A number that was never given before.
uint64_t newSelections();

class CudaDevice final : public Device {
public:
  CudaDevice(const CudaLibrary &Library, int Number, const Options &Asked);

  std::string name() const override { return Name; }
  CodeTarget target() const override {
    return gpuTarget(Architecture, [](const char *Variable) -> const char * {
      return std::getenv(Variable);
    });
  }
  Status addModule(const RegisteredModule &Module) override;
  void removeModule(const RegisteredModule &Module) override;
  Status accepts(const Launch &What, cudaStream_t Stream) override;
  Result<bool> gather(const LaunchRequest &What, const void *Form) override;
  Result<Gathering> gather(const Request &What, Origin From) override;
  bool gatherRecord(const RecordCommand &What, cudaStream_t Stream) override;
  bool holdWait(cudaStream_t Stream, cudaEvent_t Event) override;
  bool seesStreams() override { return Gathers; }
  Status recordComes(const RecordCommand &What, cudaStream_t Stream) override {
    return Gathers && !Untimed.contains(What.Event)
               ? Gathers->submitForTime(Stream)
               : Status();
  }
  void recordMade(const RecordCommand &What, cudaStream_t Stream) override;
  void waitMade(cudaStream_t Stream, const WaitCommand &What) override;
  void strange(cudaStream_t Stream) override {
    if (Gathers)
      Gathers->streams().strange(Stream);
  }
  Status strangeAnywhere() override;
  void streamMade(cudaStream_t Stream, unsigned Flags) override;
  Status submitFor(cudaEvent_t Event) override {
    return Gathers ? Gathers->submitFor(Event) : Status();
  }
  Result<bool> submitBefore(cudaStream_t Stream) override;
  void eventMade(cudaEvent_t Event, unsigned Flags) override;
  void eventGone(cudaEvent_t Event) override;
  bool ownsMemory(const void *Address) override;
  bool isPinned(const void *Address) override;
  bool isPageable(const void *Address) override;
  bool reachesPageable() override;
  const void *formInOrder(const LaunchRequest &What) override;
  cudaError_t launchInOrder(const LaunchRequest &What,
                            const void *Form) const override;
  void attributeSet(const void *Stub, const Kernel &Of, cudaFuncAttribute Which,
                    int Value) override;
  void deviceSelected() override { Selections = newSelections(); }
  void captureBegins(cudaStream_t Stream) override {
    Captures.push_back(laneOf(Stream));
  }
  void captureEnded(cudaStream_t Stream) override {
    std::erase(Captures, laneOf(Stream));
  }
  void graphMade(cudaGraphExec_t Made, cudaGraph_t From,
                 unsigned long long Flags) override;
  void graphChanges(cudaGraphExec_t Graph) override { Graphs.changes(Graph); }
  void graphGone(cudaGraphExec_t Graph) override { Graphs.forget(Graph); }
  void forgetGraphs() override { Graphs.forgetAll(); }
  Result<cudaGraphExec_t> graphToLaunch(cudaGraphExec_t Graph,
                                        cudaStream_t Stream,
                                        const KernelOf &Known) override;
  void streamGone(cudaStream_t Stream) override { Graphs.forgetStream(Stream); }
  void letMemoryGo() override { Graphs.letMemoryGo(); }
  std::string account() const override { return Graphs.account(); }
  void finish() override {
    Graphs.letMemoryGo();
    Gathers = nullptr;
    Shares = nullptr;
    Spreads = nullptr;
  }
  void driverGiven() override { DriverGiven = true; }
  std::string whyNotHeld() override { return std::string(findReachBeside()); }
  bool isCapturing(cudaStream_t Stream) const override {
    return blockmaestro::isCapturing(Calls, Stream);
  }
  uint32_t registersOf(const void *Stub) override;
  uint32_t registersAsRun(const Launch &What) override;
  bool ordersClosed(cudaStream_t Stream) override {
    return acceptsStream(Stream).ok();
  }
  Status offers(const ExecutorChoice &Choice) const override;
  Result<std::unique_ptr<Executor>> makeExecutor(const ExecutorChoice &Choice,
                                                 unsigned Window,
                                                 EventSink *Events) override;
  Result<Allocation> findGlobal(const GlobalRecord &Global,
                                const ModuleRecord &Of) override;

private:
  /// The form of a kernel that launches of one shape take.
  struct ChosenForm {
    uint64_t Threads = 0;
    size_t SharedBytes = 0;
    KernelKey Key = nullptr; ///< Null: the kernel as it is.

    /// Whether it was chosen for launches of this shape.
    bool isFor(const LaunchRequest &What) const;
  };

  std::optional<cudaPointerAttributes> placeOf(const void *Address) const;
  std::unique_ptr<Executor> makeChained(const ExecutorChoice &Choice);
  bool mayGather(cudaStream_t Stream) const;
  std::unique_ptr<Executor> makeShare(const ExecutorChoice &Choice);
  std::unique_ptr<Executor> makeStreams(const ExecutorChoice &Choice,
                                        unsigned Window);
  Result<bool> share(const LaunchRequest &What);
  bool maySpread(cudaStream_t Stream) const;
  Result<bool> spread(const LaunchRequest &What);
  const ChosenForm &formOf(const LaunchRequest &What);
  bool isFormless(const LaunchRequest &What) const;
  bool seesGraphs();
  /// Why something may reach the GPU beside our calls; empty where nothing
  /// does. Good until the next call.
  std::string_view findReachBeside();
  bool seesAll();
  bool isCurrent(bool SeesAll);
  bool isCaptured(cudaStream_t Stream, bool SeesAll) const;
  std::unique_ptr<Executor> makeInOrder(const ExecutorChoice &Choice,
                                        EventSink *Events);
  std::unique_ptr<BlockTimes> timesFor(EventSink *Events);
  KernelKey chooseForm(const KernelRecord &Kernel, dim3 Grid, dim3 Block,
                       size_t SharedBytes);
  Status acceptsKernel(const Launch &What, KernelVariant As);
  Status acceptsStream(cudaStream_t Stream);
  Status runsNow(cudaStream_t Stream);
  Status acceptsForm(const Launch &What, KernelVariant As);
  Status acceptsLoad(const Launch &What, KernelVariant As);
  Status acceptsShape(const Launch &What, KernelVariant As);
  Status acceptsShared(const Launch &What, KernelVariant As);

  const std::chrono::nanoseconds Patience;
  const RegistrationCalls Registration;
  const int Number;
  unsigned Architecture = 0;
  std::string Name;
  CudaKernels Kernels;
  CudaPort Port;
  LaunchingLibraries Others;
  DriverUsers Users;
  bool DriverGiven = false;   ///< Some of its functions, to the program.
  bool GathersByName = false; ///< The user has named the executor.
  KernelVariant Form = KernelVariant::Plain; ///< What the executor launches.
  /// The executor, where it chooses a form for each launch, so that blocks note
  /// when they run.
  const GpuSerial *ChoosesForms = nullptr;
  std::unordered_map<const void *, ChosenForm> Forms; ///< By stub.
  EarlyGraphs Graphs;
  Chained *Gathers = nullptr; ///< The executor, where it does.
  bool SawAll = false;        ///< As runsNow() found last; see seesAll().
  Share *Shares = nullptr;    ///< The executor, where it does.
  Streams *Spreads = nullptr; ///< The executor, where it does.
  /// Changes whenever a thread may have chosen another GPU; no two devices ever
  /// have the same.
  uint64_t Selections = newSelections();
  /// Events of our GPU that no other process sees; of these, those that measure
  /// no time.
  std::unordered_set<cudaEvent_t> Own, Untimed;
  /// Where the program has begun captures that are not known to have ended.
  std::vector<Lane> Captures;
};

} // namespace blockmaestro

#endif
