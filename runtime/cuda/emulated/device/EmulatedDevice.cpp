// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatedDevice.h"

#include "Capture.h"
#include "Checking.h"
#include "Commands.h"
#include "Emulator.h"
#include "EngineState.h"
#include "ErrorText.h"
#include "GraphExec.h"
#include "GraphState.h"
#include "InstallPaths.h"
#include "Launches.h"
#include "Machine.h"
#include "MachineFile.h"
#include "MemoryState.h"
#include "Shuffle.h"
#include "Simulated.h"
#include "StreamExecutor.h"
#include "Streams.h"
#include "Symbols.h"

#include <algorithm>
#include <dlfcn.h>
#include <thread>
#include <utility>

namespace blockmaestro {
namespace {

using Guard = std::lock_guard<std::mutex>;

Status refuse(std::string Why) {
  return {StatusCode::Unsupported, std::move(Why)};
}

/// At least one worker number is kept for blocks run outside of the engine.
constexpr unsigned MostWorkers = Emulator::MaxWorkers - 1;

unsigned workersOf(const Options &Asked) {
  unsigned Cores = std::max(std::thread::hardware_concurrency(), 1u);
  return std::min(Asked.Workers ? Asked.Workers : Cores, MostWorkers);
}

/// Before a kernel that waits ends.
unsigned patienceOf(const Options &Asked) {
  constexpr unsigned DefaultSeconds = 5;
  return Asked.TimeoutSeconds.value_or(DefaultSeconds);
}

EngineSettings engineSettings(const Options &Asked, Notes &Reasons) {
  EngineSettings Out;
  Out.Workers = workersOf(Asked);
  Out.Patience = std::chrono::seconds(patienceOf(Asked));
  const cudaDeviceProp &Machine = emulatedProperties();
  Out.MostThreads = uint64_t(Machine.multiProcessorCount) *
                    uint64_t(Machine.maxThreadsPerMultiProcessor);
  Out.OnFailure = [&Reasons](const Status &Why) {
    Reasons.addFailure(Why.message());
  };
  return Out;
}

class EmulatedDevice final : public Device {
public:
  EmulatedDevice(std::unique_ptr<Emulator> Owned, const Options &Asked,
                 Notes &Reasons)
      : State(engineState()), Processor(std::move(Owned)),
        Workers(workersOf(Asked)) {
    Calls = emulatedCalls();
    if (Asked.Checks)
      Checked = std::make_unique<Checking>(Asked.Checks, memoryState().Heap,
                                           *Processor, Reasons);
    Guard Held(State.Lock);
    State.Processor = Processor.get();
    State.Reasons = &Reasons;
    Processor->setLimit(DeviceLimit::StuckMilliseconds,
                        uint64_t(patienceOf(Asked)) * 1000);
    startEngine(State, *Processor, engineSettings(Asked, Reasons));
  }

  std::string name() const override { return emulatedProperties().name; }
  bool runsClosedCode() const override { return false; }
  CodeTarget target() const override;
  Status addModule(const RegisteredModule &Module) override;
  void removeModule(const RegisteredModule &Module) override;
  void learn(const void *Stub, const KernelRecord *Record) override {
    Guard Held(State.Lock);
    State.Stubs[Stub] = Record;
  }
  Status accepts(const Launch &What, cudaStream_t Stream) override;
  bool isCapturing(cudaStream_t Stream) const override {
    return emulated::isCapturing(Stream);
  }
  Status offers(const ExecutorChoice &Choice) const override;
  Result<std::unique_ptr<Executor>> makeExecutor(const ExecutorChoice &Choice,
                                                 unsigned Window,
                                                 EventSink *Events) override;
  Result<Allocation> findGlobal(const GlobalRecord &Global,
                                const ModuleRecord &Of) override {
    return Processor->findGlobal(Global.Symbol, &Of);
  }
  bool prepares() const override { return true; }
  bool tracesWarps() const override { return true; }
  std::unique_ptr<PreparedWork> prepare(const Request &Asked,
                                        bool Stages) override {
    return State.Runs->mayWaitForHost() ? nullptr
                                        : emulated::prepare(Asked, Stages);
  }
  cudaError_t perform(const Request &Asked) override {
    return emulated::perform(Asked);
  }
  cudaError_t findSymbol(const void *Symbol, size_t Bytes, size_t Offset,
                         void *&Out) override {
    return emulated::symbolAddress(Symbol, Bytes, Offset, Out);
  }
  Result<std::vector<Command>> steps(cudaGraphExec_t Exec,
                                     cudaStream_t Stream) override;
  bool hostSees(uint64_t Address) override {
    std::optional<HeapArea> Found =
        memoryState().Heap.find(reinterpret_cast<const void *>(Address));
    return Found && Found->Kind != HeapKind::Device;
  }
  Status failure() override { return State.Runs->failure(); }
  void expect(ExpectedNode Next) override {
    if (Checked)
      Checked->expect(std::move(Next));
  }
  void expectTasks(ExpectedTasks Next) override {
    if (Checked)
      Checked->expectTasks(std::move(Next));
  }
  void
  watchEdges(std::function<void(const RecordedObservation &)> Each) override {
    if (Checked)
      Checked->watch(std::move(Each));
  }
  void finish() override {
    State.Runs->finish();
    if (Checked)
      Checked->finish();
  }

private:
  EngineState &State;
  std::unique_ptr<Emulator> Processor;
  std::unique_ptr<Checking> Checked; ///< Null unless accesses are checked.
  const unsigned Workers;            ///< Of the engine; numbered from 0.
  bool RunsBlocks = false;           ///< The executor does, itself.
};

/// Code for other devices runs too: it is compiled here.
CodeTarget EmulatedDevice::target() const {
  const cudaDeviceProp &P = emulatedProperties();
  CodeTarget Out;
  Out.Capability = unsigned(10 * P.major + P.minor);
  Out.RunsAny = true;
  return Out;
}

Status EmulatedDevice::addModule(const RegisteredModule &Module) {
  Status Added;
  if (!Module.Records.empty())
    Added = Processor->addModules(Module.Records);
  if (!Added.ok())
    return Added;
  Guard Held(State.Lock);
  for (const ModuleRecord *Record : Module.Records)
    for (const KernelRecord &Each : Record->Kernels) {
      size_t Default = emulatedProperties().sharedMemPerBlock;
      size_t Static = std::min<size_t>(Each.StaticSharedBytes, Default);
      State.Kernels.try_emplace(&Each, EmulatedKernel{&Each, Default - Static});
    }
  if (!Module.Records.empty())
    for (const RegisteredVariable &Each : Module.Variables)
      State.Variables[Each.Host].push_back(
          {Each, Module.Records.front(), &Module});
  return Status();
}

void EmulatedDevice::removeModule(const RegisteredModule &Module) {
  Guard Held(State.Lock);
  for (const RegisteredVariable &Each : Module.Variables) {
    std::vector<EmulatedVariable> &All = State.Variables[Each.Host];
    All.erase(std::remove_if(All.begin(), All.end(),
                             [&](const EmulatedVariable &One) {
                               return One.In == &Module;
                             }),
              All.end());
  }
}

Status EmulatedDevice::accepts(const Launch &What, cudaStream_t Stream) {
  if (emulated::isCapturing(Stream))
    return refuse("the stream is being captured into a graph");
  cudaError_t Error = emulated::checkStream(Stream);
  if (Error == cudaSuccess)
    Error = emulated::checkLaunch(What);
  if (Error != cudaSuccess)
    return Status(StatusCode::InvalidArgument, errorText(Error));
  Status Ready = Processor->prepare(What);
  if (!Ready.ok() || !RunsBlocks)
    return Ready;
  if (What.Grid.count() > MostSimulatedBlocks)
    return refuse("it has too many blocks to order them one by one");
  if (!What.Independent && Processor->mayWait(What))
    return refuse("its blocks may wait for each other");
  if (State.Runs->mayWaitForHost())
    return refuse("work before it may wait for the program to go on");
  return Status();
}

Result<std::vector<Command>> EmulatedDevice::steps(cudaGraphExec_t Exec,
                                                   cudaStream_t Stream) {
  if (State.Runs->mayWaitForHost())
    return refuse("work before it may wait for the program to go on");
  if (emulated::isCapturing(Stream) ||
      emulated::checkStream(Stream) != cudaSuccess)
    return refuse("its stream takes no launches");
  Guard Held(emulated::graphState().Lock);
  emulated::GraphExec *Known = emulated::graphState().Handles.exec(Exec);
  return Known ? Known->steps() : refuse("there is no such graph");
}

Status EmulatedDevice::offers(const ExecutorChoice &Choice) const {
  if (needsGpu(Choice.Kind))
    return refuse(
        "executors pdl, chained, prelaunch, persistent, share and streams "
        "need a GPU; the "
        "emulated device has serial, shuffle:SEED and sim");
  if (Choice.Kind == ExecutorKind::Simulated && Choice.InOrder)
    return refuse("executor sim completes launches as its scheduler does");
  return Status();
}

Result<std::unique_ptr<Executor>>
EmulatedDevice::makeExecutor(const ExecutorChoice &Choice, unsigned Window,
                             EventSink *Events) {
  Status Offered = offers(Choice);
  if (!Offered.ok())
    return Offered;
  Processor->countCosts(Events && Events->wantsCosts());
  Processor->traceWarps(Events && Events->warpsOneIn() ? Events : nullptr);
  RunsBlocks = needsEmulator(Choice.Kind);
  if (!RunsBlocks)
    return makeStreamExecutor(Events, Checked != nullptr);
  const unsigned Own = std::min(Workers, Emulator::MaxWorkers - Workers);
  return makeAfterEngine(*Processor, Workers, [=](BlockRunner &Runner) {
    return Choice.Kind == ExecutorKind::Shuffle
               ? makeShuffle(Runner, Events,
                             {Choice.Seed, Window, Choice.InOrder, Own})
               : makeSimulated(Runner, Events, findSchedule(Choice.Scheduler),
                               Window);
  });
}

} // namespace

std::unique_ptr<Device> makeEmulatedDevice(std::unique_ptr<Emulator> Processor,
                                           const Options &Asked,
                                           Notes &Reasons) {
  return std::make_unique<EmulatedDevice>(std::move(Processor), Asked, Reasons);
}

Status chooseMachine(const std::string &Name) {
  if (Name.empty())
    return Status();
  Result<EmulatedMachine> Read =
      readMachine(Name, ownFolder() + "../share/blockmaestro/machines/devices");
  if (Read.ok())
    useMachine(*Read);
  return Read.status();
}

Result<std::unique_ptr<Device>> openEmulatedDevice(const Options &Asked,
                                                   Notes &Reasons) {
  std::string Path = ownFolder() + "libblockmaestro-emulator.so";
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    return Status(StatusCode::NotFound,
                  std::string("no emulated device: ") + dlerror());
  auto Make = reinterpret_cast<Emulator *(*)()>(
      dlsym(Library, "blockmaestroMakeEmulator"));
  std::unique_ptr<Emulator> Processor(Make ? Make() : nullptr);
  if (!Processor)
    return Status(StatusCode::Device,
                  "no emulated device: " + Path +
                      " cannot make code for this processor");
  return makeEmulatedDevice(std::move(Processor), Asked, Reasons);
}

} // namespace blockmaestro
