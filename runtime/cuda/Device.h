// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the one interface of the machines a program can run on: the
// emulated device and a CUDA GPU.
// On the data's way: below the front end (Runtime.h), which is the only caller.
// Order of use: construct; addModule() and learn() for what the program
// registered; then everything else. Both may come again later, from a library
// loaded while the program runs.
// Invariants: every pointer in calls() is set. Nothing here prints or exits.
// Ownership: records, modules and the event sink outlive the device; a device
// outlives its executors and is never destroyed while calls may still come.
// Threads: calls() may be called from any thread; everything else from one
// thread at a time (the front end's lock).

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_DEVICE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_DEVICE_H

#include "CodeImages.h"
#include "CommandOf.h"
#include "DeclaredTasks.h"
#include "Executor.h"
#include "Expected.h"
#include "GpuWork.h"
#include "Options.h"
#include "PreparedWork.h"
#include "RegisteredModule.h"
#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/EventSink.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Metadata.h"
#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

/// The implementations of the calls in Api.def.
struct RuntimeCalls {
#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  Return(*Name) Parameters = nullptr;
#include "Api.def"
#undef BM_CALL
};

struct Kernel;

/// A launch as the program asked for it.
struct LaunchRequest {
  Kernel *Known = nullptr; ///< Null when nothing is known of its stub.
  const void *Stub = nullptr;
  dim3 Grid;
  dim3 Block;
  void **Args = nullptr;
  size_t SharedBytes = 0;
  cudaStream_t Stream = nullptr;
  const char *Symbol = ""; ///< Of its kernel, where the launch says.
};

/// What becomes of a call that an executor may gather.
enum class Gathering : uint8_t {
  Taken,   ///< The executor does it, in its place.
  InOrder, ///< It is made by itself; what was held has come before it.
  Refused, ///< It is none that is gathered, and nothing has happened.
};

class Device {
public:
  virtual ~Device() = default;

  /// For people and recordings.
  virtual std::string name() const = 0;

  /// Whether kernels run of which there is only code for a GPU.
  virtual bool runsClosedCode() const { return true; }

  /// Which code it runs.
  virtual CodeTarget target() const = 0;

  /// What a program's calls go to, after the front end has seen to the
  /// launches in flight.
  const RuntimeCalls &calls() const { return Calls; }

  virtual Status addModule(const RegisteredModule &Module) = 0;
  /// The program unregisters it at its end; no launch is in flight then.
  virtual void removeModule(const RegisteredModule &Module) = 0;

  /// Which kernel of the modules this host function stands for; null: none that
  /// has a record.
  virtual void learn(const void *, const KernelRecord *) {}

  /// Ok when an executor can run this launch on this stream; otherwise why the
  /// front end must leave it to calls().cudaLaunchKernel.
  virtual Status accepts(const Launch &What, cudaStream_t Stream) = 0;

  /// What a launch that keeps the order of its stream, and that nobody relates
  /// to others, takes in place of its kernel; null for the kernel itself.
  virtual const void *formInOrder(const LaunchRequest &) { return nullptr; }
  /// Gives the launch, in this form, to the executor where that gathers such
  /// launches; false where it has to be made by itself.
  virtual Result<bool> gather(const LaunchRequest &, const void * /*Form*/) {
    return false;
  }
  /// What a copy reads, and of pinned memory the number of its allocation.
  struct Origin {
    CopySource Source = CopySource::Device;
    uint64_t Allocation = 0;
  };
  /// The same for a fill or copy of memory of which ownsMemory() is true; a
  /// copy may come from the host.
  virtual Result<Gathering> gather(const Request &, Origin) {
    return Gathering::Refused;
  }
  /// The same for a record of an event: true where it is held.
  virtual bool gatherRecord(const RecordCommand &, cudaStream_t) {
    return false;
  }
  /// Whether the stream is behind the event from here on though the call that
  /// has it wait is not made.
  virtual bool holdWait(cudaStream_t, cudaEvent_t) { return false; }
  /// Whether it is told what streams are given, while no other thread makes
  /// such a call.
  virtual bool seesStreams() { return false; }
  /// A record comes that is not held.
  virtual Status recordComes(const RecordCommand &, cudaStream_t) { return {}; }
  /// A record or wait has been made, not held.
  virtual void recordMade(const RecordCommand &, cudaStream_t) {}
  virtual void waitMade(cudaStream_t, const WaitCommand &) {}
  /// The stream is given something that no executor knows; or any of them is.
  virtual void strange(cudaStream_t) {}
  virtual Status strangeAnywhere() { return {}; }
  /// Somebody rests on the event: what is held in front of its record goes.
  virtual Status submitFor(cudaEvent_t) { return {}; }
  /// The stream is to wait for another next: what is held in front of that
  /// goes. False: a fence has to come.
  virtual Result<bool> submitBefore(cudaStream_t) { return false; }
  /// The calling thread has made an event; an event is about to go away.
  virtual void eventMade(cudaEvent_t, unsigned /*Flags*/) {}
  virtual void eventGone(cudaEvent_t) {}
  /// Makes that launch, on any thread at any time.
  virtual cudaError_t launchInOrder(const LaunchRequest &What,
                                    const void * /*Form*/) const {
    return Calls.cudaLaunchKernel(What.Stub, What.Grid, What.Block, What.Args,
                                  What.SharedBytes, What.Stream);
  }
  /// The program has set an attribute of a kernel.
  virtual void attributeSet(const void * /*Stub*/, const Kernel &,
                            cudaFuncAttribute, int) {}

  /// The calling thread may have another current device from now on.
  virtual void deviceSelected() {}
  /// The program is about to capture the stream; that has ended.
  virtual void captureBegins(cudaStream_t) {}
  virtual void captureEnded(cudaStream_t) {}

  /// The program has made the first of the second; is about to change it; is
  /// about to destroy it.
  virtual void graphMade(cudaGraphExec_t, cudaGraph_t,
                         unsigned long long /*Flags*/) {}
  virtual void graphChanges(cudaGraphExec_t) {}
  virtual void graphGone(cudaGraphExec_t) {}
  /// All that it has made go away.
  virtual void forgetGraphs() {}
  /// What a host function stands for; null where that is not known.
  using KernelOf = std::function<const Kernel *(const void *Stub)>;
  /// What is launched on the stream where the program launches the graph.
  virtual Result<cudaGraphExec_t>
  graphToLaunch(cudaGraphExec_t Graph, cudaStream_t, const KernelOf &) {
    return Graph;
  }
  /// The calling thread has made a stream; a stream is about to go away.
  virtual void streamMade(cudaStream_t, unsigned /*Flags*/) {}
  virtual void streamGone(cudaStream_t) {}
  /// Memory is about to go away: no other thread looks at it from here on.
  virtual void letMemoryGo() {}
  /// What became of the program's graphs, for people; empty: nothing.
  virtual std::string account() const { return ""; }

  /// The program has been given functions of the driver.
  virtual void driverGiven() {}

  /// What may give the device work beside our calls, so that an executor that
  /// gathers launches does not; empty: nothing, or no executor gathers.
  virtual std::string whyNotHeld() { return ""; }

  /// How many 32-bit registers a thread of the kernel has; 0: only its fat
  /// binary can tell.
  virtual uint32_t registersOf(const void * /*Stub*/) { return 0; }
  /// The same of the form of its kernel that a launch takes if it is submitted
  /// now; 0: not known.
  virtual uint32_t registersAsRun(const Launch &) { return 0; }

  /// Whether launches on this stream do not run, but become nodes of a graph.
  virtual bool isCapturing(cudaStream_t) const { return false; }

  /// Whether a launch on this stream of a kernel without a record runs, and its
  /// stream puts it behind all work before and before all work after.
  virtual bool ordersClosed(cudaStream_t) { return false; }

  /// Ok when the device has such an executor; otherwise why not.
  virtual Status offers(const ExecutorChoice &Choice) const = 0;

  /// Events may be null. The device offers the choice.
  virtual Result<std::unique_ptr<Executor>>
  makeExecutor(const ExecutorChoice &Choice, unsigned Window,
               EventSink *Events) = 0;

  /// The memory of a device variable of this record's module, or of the one
  /// that the linker took in its place.
  virtual Result<Allocation> findGlobal(const GlobalRecord &Global,
                                        const ModuleRecord &Of) = 0;

  /// What is submitted next, and what it is to touch and to wait for; told when
  /// accesses are checked.
  virtual void expect(ExpectedNode) {}
  /// A graph of tasks is submitted next, all of it; told when footprints are
  /// checked.
  virtual void expectTasks(ExpectedTasks) {}

  /// Each hears what is seen of pairs of launches when the graph is checked,
  /// from any thread, until finish() has returned.
  virtual void watchEdges(std::function<void(const RecordedObservation &)>) {}

  /// Whether prepare() may give something.
  virtual bool prepares() const { return false; }
  /// A copy, fill or event record as work that an executor may run; with
  /// \p Stages it does not read what the host may change once the call has
  /// returned, as far as that can be taken aside. Null where the call that asks
  /// has to be made: nothing has happened then.
  virtual std::unique_ptr<PreparedWork> prepare(const Request &,
                                                bool /*Stages*/) {
    return nullptr;
  }
  /// Does what has been prepared, in the order of its stream.
  virtual cudaError_t perform(const Request &) { return cudaErrorNotSupported; }
  /// As FindSymbol.
  virtual cudaError_t findSymbol(const void *, size_t, size_t, void *&) {
    return cudaErrorNotSupported;
  }
  /// The launches, copies and fills that a launch of the graph on the stream
  /// does, one after the other; or why it has to be launched as a whole.
  virtual Result<std::vector<Command>> steps(cudaGraphExec_t, cudaStream_t) {
    return Status(StatusCode::Unsupported, "the device runs it by itself");
  }
  /// Whether the host may touch the memory there without a call.
  virtual bool hostSees(uint64_t) { return true; }
  /// Whether an executor that gathers calls has this memory for itself: it lies
  /// on the device, and neither the host nor another device sees it.
  virtual bool ownsMemory(const void *) { return false; }
  /// To such an executor: whether this memory of the host, which the program
  /// has just allocated, is pinned for the device; and whether memory is the
  /// host's that the device knows nothing of.
  virtual bool isPinned(const void *) { return false; }
  virtual bool isPageable(const void *) { return false; }
  /// Whether kernels may touch such memory too.
  virtual bool reachesPageable() { return true; }

  /// The first failure of what the device does while the host goes on, until it
  /// is reset. Where the calls themselves report it: none.
  virtual Status failure() { return {}; }

  /// The program ends: what is under way is done or given up, and nothing can
  /// be launched any more.
  virtual void finish() {}

  /// Whether it tells an EventSink that asks for it what warps did.
  virtual bool tracesWarps() const { return false; }

protected:
  RuntimeCalls Calls;
};

} // namespace blockmaestro

#endif
