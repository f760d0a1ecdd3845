// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the front end: turns a program's calls into launches with their
// relations, in the order issued, and keeps what the relations rest on (the
// memory map and the window of launches in flight).
// On the data's way: Launch -> Window -> recording and executor. See
// docs/runtime.md.
// Invariants:
//  - A launch no executor accepts goes to the device's own cudaLaunchKernel
//    behind a fence, and nothing is related to anything before it. One of a
//    kernel without a record, of which the program has declared what it
//    touches, has relations all the same: it is a node of the window, of which
//    the executor sees only a fence.
//  - Launches and copies are related to those before them that the program
//    orders (StreamOrder.h). Executors that keep to one stream at a time come
//    to another behind a fence of their own. Copies and event records are nodes
//    where the device can prepare their work, else fences.
//  - A call that lets the host go on sees to it that the host finds what CUDA
//    promises: see Note [What the host may see] in Runtime.cpp.
//  - The first failure of an executor or of the device's own work is what every
//    later call returns, until reset().
//  - A launch that needs no relations, because nobody asks for them, reaches
//    the device without the lock.
// Ownership: the device, the registry and the notes outlive it.
// Threads: any; one lock. HostWatch has one of its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_RUNTIME_H
#define BLOCKMAESTRO_RUNTIME_CUDA_RUNTIME_H

#include "Allocations.h"
#include "ChainRelations.h"
#include "Declarations.h"
#include "Device.h"
#include "HostWatch.h"
#include "LeveledTasks.h"
#include "NodesInFlight.h"
#include "Notes.h"
#include "Options.h"
#include "PinnedMemory.h"
#include "RecordedForms.h"
#include "Registry.h"
#include "SharedMappings.h"
#include "Writer.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

class Runtime {
public:
  Runtime(Device &Target, Registry &Registered, Notes &Reasons,
          const Options &Asked);

  /// Opens the recording and makes the executor. Nothing else before it.
  Status start(const std::string &Program);

  /// Hands the device what was registered since the last time.
  void takeRegistered();
  /// Takes a module back that the program unregisters at its end.
  void removeModule(RegisteredModule &Module);

  const RuntimeCalls &calls() const { return Target.calls(); }

  cudaError_t launch(const LaunchRequest &What);
  /// A launch with attributes, which no executor takes.
  cudaError_t launchPlain(const cudaLaunchConfig_t *Config, const void *Stub,
                          void **Args);

  /// The program has set an attribute of a kernel.
  void attributeSet(const void *Stub, const Kernel &Of, cudaFuncAttribute Which,
                    int Value);

  using DeviceCall = std::function<cudaError_t(const RuntimeCalls &)>;
  /// What a call asks for, or CUDA's error.
  using RequestMaker =
      std::function<cudaError_t(const FindSymbol &, Request &)>;
  /// A call that copies or fills memory. Where it cannot be a node the
  /// executor does Otherwise, and the device makes the call.
  cudaError_t copy(const char *Name, const DeviceCall &Call,
                   const RequestMaker &Asked, Status (Executor::*Otherwise)());

  /// A call of a library that stands in for NVIDIA's: a LibraryCommand.
  cudaError_t libraryCall(const Request &Asked);
  /// Whether kernels run of which there is only code for a GPU.
  bool runsClosedCode() const { return Target.runsClosedCode(); }

  /// How graphs of tasks run here.
  TaskPlace placeOfTasks() const;
  /// Where regions of tasks are reported; empty for nowhere.
  const std::string &taskReport() const { return Asked.TaskReportPath; }
  /// Runs a graph of tasks by the executor, behind all that came before and
  /// before all that comes next. Why says more than the error, or is empty.
  cudaError_t runTasks(const LeveledTasks &What, std::string &Why);

  /// A call that launches the graph on the stream.
  cudaError_t launchGraph(const char *Name, const DeviceCall &Call,
                          cudaGraphExec_t Graph, cudaStream_t Stream);
  /// The program has made the first of the second.
  void madeGraph(cudaGraphExec_t Made, cudaGraph_t From,
                 unsigned long long Flags);
  /// The program is about to change the graph.
  cudaError_t changeGraph(cudaGraphExec_t Graph);
  /// The program destroys the graph.
  void forgetGraph(cudaGraphExec_t Graph);
  /// The program has made a stream.
  void madeStream(cudaStream_t Stream, unsigned Flags);
  /// The calling thread has made an event.
  void madeEvent(cudaEvent_t Event, unsigned Flags);
  /// The program destroys the stream.
  cudaError_t forgetStream(const char *What, cudaStream_t Stream);
  /// The calling thread may have another device from now on.
  void deviceSelected();
  /// Calls that begin and end the capture of a stream.
  cudaError_t beginCapture(const char *Name, const DeviceCall &Call,
                           cudaStream_t Stream);
  cudaError_t endCapture(const DeviceCall &Call, cudaStream_t Stream);
  /// The program gets functions that reach the device beside our calls.
  cudaError_t driverGiven(const char *What);
  /// Another process or device may see memory of the device from now on.
  cudaError_t memoryShared(const char *What);
  /// A call that records an event on the stream.
  cudaError_t record(const char *Name, const DeviceCall &Call,
                     const RecordCommand &What, cudaStream_t Stream);
  /// A call that lets the stream wait for the event.
  cudaError_t join(const DeviceCall &Call, cudaStream_t Stream,
                   const WaitCommand &What);
  /// A call that asks for, or waits for, what was recorded; if it succeeds,
  /// that is done.
  cudaError_t observe(const char *Name, const DeviceCall &Call,
                      std::span<const cudaEvent_t> Events);
  /// A call that destroys the event.
  cudaError_t destroy(const DeviceCall &Call, cudaEvent_t Event);

  /// Everything launched comes before the device work the caller issues next.
  cudaError_t fence(const char *What);
  /// The calling thread is about to choose its device.
  cudaError_t selecting(const char *What);
  /// Everything launched has completed.
  cudaError_t drain(const char *What);
  /// A call in which the host waits for what was launched, and for so long for
  /// something else.
  cudaError_t wait(const DeviceCall &Call,
                   std::chrono::nanoseconds Otherwise = {});
  cudaError_t failure();
  /// A call has said that a launch failed: says why, if an executor knows.
  void explainFailure();
  /// All that was launched and related, in numbers. After finish().
  std::string explained() const;

  void allocated(void *Address, size_t Bytes);
  /// The same for memory of the host, some of which may have been registered at
  /// another address too: of such memory nothing is known.
  void registered(void *Address, size_t Bytes);
  /// What uses the allocation that starts at Address has completed; it is
  /// forgotten.
  cudaError_t releasing(const char *What, void *Address);
  /// The same for memory that goes away in stream order: fences.
  cudaError_t retiring(const char *What, void *Address);
  /// Drains, forgets all memory and the failure, and makes the executor anew
  /// around the device's own reset.
  cudaError_t reset(const char *What);

  /// Drains and closes the recording; launches fail from then on.
  Status finish();

private:
  using Guard = std::unique_lock<std::mutex>;
  /// The arguments of copy().
  struct CopyCall {
    const char *Name;
    const DeviceCall &Call;
    const RequestMaker &Asked;
    Status (Executor::*Otherwise)();
  };
  /// One thing that a graph does; Ready is null for a launch.
  struct GraphStep {
    Command What;
    std::unique_ptr<PreparedWork> Ready;
  };

  void startRecording(const std::string &Program);
  void sayOtherPath();
  void keepRecorded();
  Status makeExecutor();
  void captureEnded(cudaStream_t Stream);
  void letMemoryGo();
  cudaError_t settle(const char *What, Status (Executor::*How)(),
                     const cudaStream_t *For = nullptr);
  cudaError_t passThrough(const LaunchRequest &What, const std::string &Why);
  cudaError_t launchDeclared(const LaunchRequest &What,
                             const Declaration &Declared);
  cudaError_t goTo(cudaStream_t Stream);
  cudaError_t afterPrinting();
  cudaError_t submit(std::shared_ptr<const Launch> What, const void *Stub,
                     cudaStream_t Stream, const Declaration *Declared);
  uint32_t registersOf(const void *Stub);
  Admission admit(const Launch &What, cudaStream_t Stream,
                  const Declaration *Declared);
  void keep(FlightNode Mine);
  Task enter(Task Next, const Admission &Entry, FlightNode Mine);
  bool relates() const;
  bool takesCopies() const;
  Result<Gathering> gather(const Request &Asked);
  bool owns(const TouchedBox &Box) const;
  std::optional<Device::Origin> hostOrigin(const Request &Asked,
                                           const cudaMemcpy3DParms &Copy);
  cudaError_t copyAlone(Guard &Held, const CopyCall &What,
                        const Request *Given);
  std::unique_ptr<PreparedWork> prepare(const RequestMaker &Make,
                                        cudaStream_t &Stream);
  cudaError_t addCopy(const char *Name, PreparedWork &What, cudaStream_t Stream,
                      const Admission &Entry);
  Result<std::vector<GraphStep>> stepsOf(cudaGraphExec_t Graph,
                                         cudaStream_t Stream);
  cudaError_t addStep(const char *Name, GraphStep &Step, cudaStream_t Stream);
  cudaError_t addStep(const LaunchCommand &Step, cudaStream_t Stream);
  cudaError_t launchSteps(const char *Name, const DeviceCall &Call,
                          cudaGraphExec_t Graph, cudaStream_t Stream);
  cudaError_t comeAfterLast(cudaGraphExec_t Graph, cudaStream_t Stream);
  cudaError_t noteLast(cudaGraphExec_t Graph, cudaStream_t Stream);
  std::shared_ptr<Launch> packLevel(const LeveledTasks &What,
                                    const KernelRecord &Kernel, size_t Level);
  Status submitLevel(std::shared_ptr<const Launch> What, const LeveledTasks &Of,
                     std::vector<Need> Edges, std::vector<Need> Paths);
  Status submitLevels(const LeveledTasks &What, const KernelRecord &Kernel);
  cudaError_t addRecord(const char *Name, PreparedWork &What,
                        cudaStream_t Stream, cudaEvent_t Event);
  cudaError_t fenceExecutor();
  cudaError_t leaveToStreams();
  cudaError_t finishRecord(cudaEvent_t Event);
  cudaError_t submitFor(std::span<const cudaEvent_t> Events);
  cudaError_t submitBefore(cudaStream_t Stream);
  template <typename Known>
  cudaError_t makeCall(Guard &Held, const DeviceCall &Call, Known Note);
  void noteWait(const char *Name, std::span<const cudaEvent_t> Events);
  Status finishSeen();
  bool heldBack() const;
  cudaError_t submitGathered(const char *What);
  void explainFence(const char *What);
  void submitUnasked();
  bool gathered() const;
  cudaError_t addRelease(const char *Name, const Allocation &Gone);
  bool wantsAll() const;
  bool hostSees(const Launch &What, const LaunchAccesses &Touched);
  void explain(const std::string &Kernel, const Admission &Entry,
               FlightNode &Mine);
  void learnGlobals(Kernel &Known);
  cudaError_t failed(const Status &Why);
  cudaError_t known();

  Device &Target;
  Registry &Registered;
  Notes &Reasons;
  const Options Asked;

  std::mutex Lock;
  AllocationMap Memory;
  PinnedMemory Pinned;
  /// The host may see something of what the device does without a call of
  /// ours, or may have: memory, text, its own functions.
  bool HostNotices = false;
  ChainRelations Beside{Memory};
  bool Shared = false; ///< Others may see memory of the device.
  SharedMappings Mappings;
  NodesInFlight InFlight;
  std::unique_ptr<RecordingWriter> Recorder;
  struct {
    uint64_t Launches = 0; ///< By blocks.
    uint64_t Whole = 0;    ///< Other launches.
    uint64_t Relations = 0, Exact = 0;
  } Explained; ///< Where launches are.
  /// Of the kernels that have been recorded, by stub.
  std::unordered_map<const void *, uint32_t> Registers;
  std::unique_ptr<Executor> Runs;
  uint64_t NextId = 0;   ///< Launches.
  uint64_t NextCopy = 0; ///< Copies.
  cudaStream_t LastStream = nullptr;
  /// Of graphs that have been launched, the event behind the last launch.
  std::map<cudaGraphExec_t, cudaEvent_t> GraphEnds;
  cudaError_t Failure = cudaSuccess;
  bool Finished = false;
  HostWatch Watch{Lock, [this] { return heldBack(); },
                  [this] {
                    if (const Status Done = finishSeen(); !Done.ok())
                      failed(Done);
                  }};

  /// So long a program may make no call before what was gathered is submitted.
  static constexpr std::chrono::microseconds GatherPatience{50};
  HostWatch Gathered{Lock, [this] { return gathered(); },
                     [this] { submitUnasked(); }, GatherPatience,
                     GatherPatience};
};

} // namespace blockmaestro

#endif
