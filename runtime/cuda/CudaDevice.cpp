// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaDevice.h"

#include "CallsUnderWay.h"
#include "Chained.h"
#include "CudaKernels.h"
#include "CudaLibrary.h"
#include "CudaPort.h"
#include "DriverUsers.h"
#include "EarlyGraphs.h"
#include "GpuSerial.h"
#include "GraphParts.h"
#include "Lane.h"
#include "LaunchingLibraries.h"
#include "OwnErrors.h"
#include "Persistent.h"
#include "Prelaunch.h"
#include "Registry.h"
#include "Share.h"
#include "Streams.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace blockmaestro {
namespace {

/// The first architecture whose blocks can be admitted early.
constexpr unsigned FirstArchitecture = 90;
/// What CUDA_DEVICE_MAX_CONNECTIONS is where it is not set.
constexpr uint32_t DefaultQueues = 8;
/// More blocks than this are not tracked one by one.
constexpr uint64_t MostBlocks = Persistent::MostBlocks;

Status refuse(std::string Why) {
  return {StatusCode::Unsupported, std::move(Why)};
}

Dim3 sizeOf(dim3 Size) { return {Size.x, Size.y, Size.z}; }

/// Whether any GPU runs grids of this size, and blocks of this depth.
bool isShape(Dim3 Grid, Dim3 Block) {
  constexpr uint32_t WidestGrid = 0x7fffffff;
  constexpr uint32_t HighestGrid = 0xffff;
  constexpr uint32_t DeepestBlock = 64;
  return Grid.X <= WidestGrid && Grid.Y <= HighestGrid &&
         Grid.Z <= HighestGrid && Grid.count() <= WidestGrid &&
         Grid.count() != 0 && Block.Z <= DeepestBlock;
}

/// A number that was never given before.
uint64_t newSelections() {
  static std::atomic<uint64_t> Last{0};
  return ++Last;
}

/// Whether blocks of this form wait for single blocks of other launches.
bool waitsByBlock(KernelVariant Form) {
  return Form == KernelVariant::Prelaunch || Form == KernelVariant::Persistent;
}

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
  std::string whyNotHeld() override;
  bool isCapturing(cudaStream_t Stream) const override {
    return blockmaestro::isCapturing(Calls, Stream);
  }
  uint32_t registersOf(const void *Stub) override;
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
  bool seesGraphs();
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
  /// It chooses a form for each launch, so that blocks note when they run.
  bool ChoosesForms = false;
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

CudaDevice::CudaDevice(const CudaLibrary &Library, int Number,
                       const Options &Asked)
    : Patience(Asked.TimeoutSeconds
                   ? std::chrono::seconds(*Asked.TimeoutSeconds)
                   : LongPatience),
      Registration(Library.Registration), Number(Number), Kernels(Registration),
      Port(Calls, Kernels, Number), Graphs(Calls, Number) {
  Calls = Library.Calls;
  cudaDeviceProp Properties = {};
  if (Calls.cudaGetDeviceProperties(&Properties, Number) == cudaSuccess) {
    Name = Properties.name;
    Architecture = unsigned(10 * Properties.major + Properties.minor);
  }
}

Status CudaDevice::addModule(const RegisteredModule &Module) {
  Forms.clear();
  Graphs.changeAll();
  Kernels.addModule(Module);
  return {};
}

void CudaDevice::removeModule(const RegisteredModule &Module) {
  Forms.clear();
  Graphs.changeAll();
  Kernels.removeModule(Module);
}

/// The form that launches of this shape take; null: the kernel as it is.
KernelKey CudaDevice::chooseForm(const KernelRecord &Kernel, dim3 Grid,
                                 dim3 Block, size_t SharedBytes) {
  Launch Shape;
  Shape.Kernel = &Kernel;
  Shape.Grid = sizeOf(Grid);
  Shape.Block = sizeOf(Block);
  Shape.DynamicSharedBytes = static_cast<uint32_t>(SharedBytes);
  const OwnErrors Ours(Calls);
  return acceptsKernel(Shape, Form).ok() ? Kernels.find(Kernel)->of(Form)
                                         : nullptr;
}

/// What chooseForm() has said of a launch of a usable kernel.
const CudaDevice::ChosenForm &CudaDevice::formOf(const LaunchRequest &What) {
  const uint64_t Threads = uint64_t(What.Block.x) * What.Block.y * What.Block.z;
  auto [Found, New] = Forms.try_emplace(What.Stub);
  ChosenForm &Chosen = Found->second;
  if (New || Chosen.Threads != Threads ||
      Chosen.SharedBytes != What.SharedBytes)
    Chosen = {Threads, What.SharedBytes,
              chooseForm(*What.Known->Record, What.Grid, What.Block,
                         What.SharedBytes)};
  return Chosen;
}

const void *CudaDevice::formInOrder(const LaunchRequest &What) {
  if (Form == KernelVariant::Plain || !What.Known || !What.Known->usable() ||
      !runsNow(What.Stream).ok())
    return nullptr;
  return formOf(What).Key;
}

/// Of a stream on which runsNow() has just said that a launch runs. The one
/// that each thread has of its own would be another on the thread that submits.
bool CudaDevice::mayGather(cudaStream_t Stream) const {
  return Stream != cudaStreamPerThread && SawAll;
}

/// A launch of what has a record, with the program's own arguments.
static GpuLaunch launchOf(const LaunchRequest &What, KernelVariant Form) {
  GpuLaunch Out;
  Out.Kernel = What.Known->Record;
  Out.Form = Form;
  Out.Grid = sizeOf(What.Grid);
  Out.Block = sizeOf(What.Block);
  Out.SharedBytes = static_cast<uint32_t>(What.SharedBytes);
  Out.Stream = What.Stream;
  Out.Arguments = What.Args;
  return Out;
}

/// Whether the launch has gone. One that the executor cannot look at goes as it
/// is.
Result<bool> CudaDevice::share(const LaunchRequest &What) {
  const bool Possible = What.Known && What.Known->usable() &&
                        (What.Args || What.Known->Record->Parameters.empty()) &&
                        isShape(sizeOf(What.Grid), sizeOf(What.Block)) &&
                        Kernels.find(*What.Known->Record) &&
                        acceptsStream(What.Stream).ok();
  if (!Possible)
    return false;
  Status Done = Shares->run(launchOf(What, KernelVariant::Plain));
  return Done.ok() ? Result<bool>(true) : Result<bool>(Done);
}

/// Whether works may leave the order of a stream on which runsNow() has just
/// said that a launch runs.
bool CudaDevice::maySpread(cudaStream_t Stream) const {
  return mayGather(Stream) && Stream != cudaStreamLegacy && Captures.empty() &&
         !CallsUnderWay::onOtherThreads();
}

/// Whether the launch has gone. One that has to keep its place goes as it is,
/// behind all; so does one that the GPU would not run.
Result<bool> CudaDevice::spread(const LaunchRequest &What) {
  const bool Possible = What.Known && What.Known->usable() &&
                        (What.Args || What.Known->Record->Parameters.empty()) &&
                        isShape(sizeOf(What.Grid), sizeOf(What.Block)) &&
                        runsNow(What.Stream).ok() && maySpread(What.Stream) &&
                        formOf(What).Key;
  Status Done = Possible ? Spreads->run(launchOf(What, KernelVariant::Plain))
                         : Spreads->drain();
  return Done.ok() ? Result<bool>(Possible) : Result<bool>(Done);
}

/// What is held comes before a launch that is not taken.
Result<bool> CudaDevice::gather(const LaunchRequest &What, const void *Form) {
  if (Shares)
    return share(What);
  if (Spreads)
    return spread(What);
  if (!Gathers)
    return false;
  const bool Possible =
      Form && (What.Args || What.Known->Record->Parameters.empty()) &&
      isShape(sizeOf(What.Grid), sizeOf(What.Block)) && mayGather(What.Stream);
  if (!Possible) {
    Status Submitted = Gathers->drain();
    Gathers->streams().strange(What.Stream);
    return Submitted.ok() ? Result<bool>(false) : Result<bool>(Submitted);
  }
  GpuLaunch Out = launchOf(What, this->Form);
  Out.Programmatic = true;
  return Gathers->gather(Out);
}

/// Whether a copy that says so may come from there.
static bool isDirection(cudaMemcpyKind Kind, CopySource Source) {
  return Kind == cudaMemcpyDefault ||
         Kind == (Source == CopySource::Device ? cudaMemcpyDeviceToDevice
                                               : cudaMemcpyHostToDevice);
}

/// The row of bytes that a call copies or sets; nothing where it is no row.
static std::optional<GpuWork> rowOf(const Request &Asked,
                                    Device::Origin Place) {
  const auto IsRow = [](size_t Width, size_t Height, size_t Depth,
                        size_t Pitch) {
    return Width != 0 && Depth == 1 &&
           (Height == 1 || (Height > 1 && Pitch == Width));
  };
  if (const auto *Copy = std::get_if<CopyCommand>(&Asked.What)) {
    const cudaMemcpy3DParms &What = Copy->What;
    const cudaExtent &Size = What.extent;
    const bool Starts = What.srcPos.x + What.srcPos.y + What.srcPos.z +
                            What.dstPos.x + What.dstPos.y + What.dstPos.z ==
                        0;
    if (What.srcArray || What.dstArray || !Starts ||
        !isDirection(What.kind, Place.Source) ||
        !IsRow(Size.width, Size.height, Size.depth, What.srcPtr.pitch) ||
        !IsRow(Size.width, Size.height, Size.depth, What.dstPtr.pitch))
      return {};
    return GpuCopy{What.dstPtr.ptr, What.srcPtr.ptr, Size.width * Size.height,
                   Asked.Stream,    Place.Source,    Place.Allocation};
  }
  const auto *Fill = std::get_if<FillCommand>(&Asked.What);
  if (!Fill || Fill->ElementBytes != 1 ||
      !IsRow(Fill->Width, Fill->Height, Fill->Depth, Fill->Pitch))
    return {};
  return GpuFill{Fill->To, static_cast<uint8_t>(Fill->Value),
                 Fill->Width * Fill->Height, Asked.Stream};
}

/// Only a graph's nodes for rows can be given other ones. What streams spreads
/// is the device's own.
Result<Gathering> CudaDevice::gather(const Request &Asked, Origin From) {
  const bool Takes = Gathers || (Spreads && From.Source == CopySource::Device);
  const std::optional<GpuWork> Row = Takes ? rowOf(Asked, From) : std::nullopt;
  if (!Row || !runsNow(Asked.Stream).ok() || !mayGather(Asked.Stream) ||
      (Spreads && !maySpread(Asked.Stream)))
    return Gathering::Refused;
  if (Spreads) {
    Status Done = Spreads->run(*Row);
    return Done.ok() ? Result<Gathering>(Gathering::Taken)
                     : Result<Gathering>(Done);
  }
  const Result<bool> Taken = Gathers->gather(*Row);
  if (!Taken.ok())
    return Taken.status();
  return *Taken ? Gathering::Taken : Gathering::InOrder;
}

bool CudaDevice::gatherRecord(const RecordCommand &What, cudaStream_t Stream) {
  return Gathers && Gathers->gathers() &&
         What.Flags == cudaEventRecordDefault && Untimed.contains(What.Event) &&
         runsNow(Stream).ok() && mayGather(Stream) &&
         Gathers->holdRecord(What.Event, Stream);
}

/// An event that another process may record, or that nobody knows, is waited
/// for.
bool CudaDevice::holdWait(cudaStream_t Stream, cudaEvent_t Event) {
  return Gathers && Own.contains(Event) && runsNow(Stream).ok() &&
         mayGather(Stream) && Gathers->holdWait(Stream, Event);
}

/// In a capture the event stands for nothing that has been launched.
void CudaDevice::recordMade(const RecordCommand &What, cudaStream_t Stream) {
  if (!Gathers)
    return;
  if (What.Flags == cudaEventRecordDefault && Own.contains(What.Event) &&
      runsNow(Stream).ok())
    Gathers->streams().recorded(What.Event, Stream);
  else
    Gathers->forgetEvent(What.Event);
}

void CudaDevice::waitMade(cudaStream_t Stream, const WaitCommand &What) {
  if (!Gathers)
    return;
  if (What.Flags == cudaEventWaitDefault && Own.contains(What.Event) &&
      runsNow(Stream).ok())
    Gathers->streams().waits(Stream, What.Event);
  else
    Gathers->streams().strange(Stream);
}

/// Streams that are joined by now are so no longer; what is held of them goes.
Status CudaDevice::strangeAnywhere() {
  if (!Gathers)
    return {};
  const bool Goes = Gathers->gathers() && !Gathers->streams().isAlone();
  Status Done = Goes ? Gathers->drain() : Status();
  Gathers->streams().strangeAnywhere();
  return Done;
}

/// Those of one kind may stand in for each other.
void CudaDevice::streamMade(cudaStream_t Stream, unsigned Flags) {
  if (!Gathers)
    return;
  Gathers->streams().forgetStream(Stream);
  const Result<int> Priority = Port.priorityOf(Stream);
  if (Priority.ok() && isCurrent(seesAll()))
    Gathers->streams().made(Stream, uint64_t(uint32_t(*Priority)) << 1 |
                                        (Flags & cudaStreamNonBlocking));
}

Result<bool> CudaDevice::submitBefore(cudaStream_t Stream) {
  if (!Gathers || Stream == cudaStreamLegacy || Stream == cudaStreamPerThread)
    return false;
  Status Done = Gathers->submitBefore(Stream);
  return Done.ok() ? Result<bool>(true) : Result<bool>(Done);
}

void CudaDevice::eventMade(cudaEvent_t Event, unsigned Flags) {
  eventGone(Event);
  if ((Flags & cudaEventInterprocess) || !Gathers || !isCurrent(seesAll()))
    return;
  Own.insert(Event);
  if (Flags & cudaEventDisableTiming)
    Untimed.insert(Event);
}

void CudaDevice::eventGone(cudaEvent_t Event) {
  Own.erase(Event);
  Untimed.erase(Event);
  if (Gathers)
    Gathers->forgetEvent(Event);
}

/// Nothing where the device does not say.
std::optional<cudaPointerAttributes>
CudaDevice::placeOf(const void *Address) const {
  const OwnErrors Ours(Calls);
  cudaPointerAttributes Place = {};
  if (Calls.cudaPointerGetAttributes(&Place, Address) != cudaSuccess)
    return {};
  return Place;
}

bool CudaDevice::ownsMemory(const void *Address) {
  if (!Gathers && !Spreads)
    return false;
  const auto Place = placeOf(Address);
  return Place && Place->type == cudaMemoryTypeDevice &&
         Place->device == Number;
}

bool CudaDevice::isPinned(const void *Address) {
  const auto Place = Gathers ? placeOf(Address) : std::nullopt;
  return Place && Place->type == cudaMemoryTypeHost && Place->device == Number;
}

bool CudaDevice::isPageable(const void *Address) {
  const auto Place = Gathers ? placeOf(Address) : std::nullopt;
  return Place && Place->type == cudaMemoryTypeUnregistered;
}

bool CudaDevice::reachesPageable() {
  int Reaches = 0;
  return Calls.cudaDeviceGetAttribute(&Reaches, cudaDevAttrPageableMemoryAccess,
                                      Number) != cudaSuccess ||
         Reaches != 0;
}

/// Why something may reach the GPU beside our calls; empty where nothing does.
/// A user who names the executor answers for what is looked up by name.
std::string CudaDevice::whyNotHeld() {
  if (ChoosesForms && Form == KernelVariant::Pdl)
    return "the run is recorded";
  if (!Gathers && !Spreads)
    return "";
  if (DriverGiven && !GathersByName)
    return "the program has asked for functions of the driver";
  return GathersByName ? Others.loaded() : Users.found();
}

cudaError_t CudaDevice::launchInOrder(const LaunchRequest &What,
                                      const void *Form) const {
  if (!Form)
    return Device::launchInOrder(What, Form);
  cudaLaunchAttribute Early = {};
  Early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  Early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t Config = {};
  Config.gridDim = What.Grid;
  Config.blockDim = What.Block;
  Config.dynamicSmemBytes = What.SharedBytes;
  Config.stream = What.Stream;
  Config.attrs = &Early;
  Config.numAttrs = 1;
  return Calls.cudaLaunchKernelExC(&Config, Form, What.Args);
}

void CudaDevice::attributeSet(const void *Stub, const Kernel &Of,
                              cudaFuncAttribute Which, int Value) {
  Forms.erase(Stub);
  const KernelKeys *Keys = Of.Record ? Kernels.find(*Of.Record) : nullptr;
  if (Which != cudaFuncAttributePreferredSharedMemoryCarveout || !Keys)
    return;
  if (Keys->Pdl)
    (void)Calls.cudaFuncSetAttribute(Keys->Pdl, Which, Value);
  if (Keys->Prelaunch && ChoosesForms)
    (void)Calls.cudaFuncSetAttribute(Keys->Prelaunch, Which, Value);
}

/// Whether no graph changes but by our calls, and launches may start early.
bool CudaDevice::seesGraphs() {
  return Form == KernelVariant::Pdl && !ChoosesForms && !DriverGiven &&
         Users.found().empty();
}

void CudaDevice::graphMade(cudaGraphExec_t Made, cudaGraph_t From,
                           unsigned long long Flags) {
  if (Flags == 0 && seesGraphs() && isCurrent(seesAll()))
    Graphs.made(Made, From);
  else
    Graphs.forget(Made);
}

Result<cudaGraphExec_t> CudaDevice::graphToLaunch(cudaGraphExec_t Graph,
                                                  cudaStream_t Stream,
                                                  const KernelOf &Known) {
  const bool SeesAll = seesAll();
  if (isCaptured(Stream, SeesAll))
    return Graph;
  if (!seesGraphs())
    Graphs.changeAll();
  if (!isCurrent(SeesAll))
    Graphs.changes(Graph);
  return Graphs.toLaunch(Graph, Stream, [&](const cudaKernelNodeParams &Node) {
    const Kernel *Of = Known(Node.func);
    return Of && Of->usable() ? chooseForm(*Of->Record, Node.gridDim,
                                           Node.blockDim, Node.sharedMemBytes)
                              : nullptr;
  });
}

/// Whether nothing reaches CUDA but through our calls, by which we then know
/// what would take asking for at every launch.
bool CudaDevice::seesAll() {
  return (Gathers || Spreads) && whyNotHeld().empty();
}

/// Whether the calling thread's device is ours.
bool CudaDevice::isCurrent(bool SeesAll) {
  thread_local uint64_t OursAt = 0;
  if (!SeesAll)
    deviceSelected();
  else if (OursAt == Selections)
    return true;
  int Current = 0;
  if (Calls.cudaGetDevice(&Current) != cudaSuccess || Current != Number)
    return false;
  OursAt = Selections;
  return true;
}

/// Whether launches on the stream become nodes of a graph.
bool CudaDevice::isCaptured(cudaStream_t Stream, bool SeesAll) const {
  if (!SeesAll)
    return isCapturing(Stream);
  return std::find(Captures.begin(), Captures.end(), laneOf(Stream)) !=
             Captures.end() ||
         (!Captures.empty() && isCapturing(Stream));
}

/// Whether a launch on the stream runs, on our GPU, when its turn comes.
Status CudaDevice::runsNow(cudaStream_t Stream) {
  SawAll = seesAll();
  if (!isCurrent(SawAll))
    return refuse("launched on another GPU than the first");
  if (isCaptured(Stream, SawAll))
    return refuse("the stream is being captured into a graph");
  return {};
}

/// The special handles stand for a different stream in every thread, or for
/// one that also has another name.
Status CudaDevice::acceptsStream(cudaStream_t Stream) {
  if (Stream == cudaStreamLegacy || Stream == cudaStreamPerThread)
    return refuse("launched on a default stream by a special handle");
  return runsNow(Stream);
}

/// Whether the GPU has this form of the kernel.
Status CudaDevice::acceptsForm(const Launch &What, KernelVariant As) {
  const KernelRecord &Kernel = *What.Kernel;
  if (As != KernelVariant::Plain && Architecture < FirstArchitecture)
    return refuse("the GPU is older than compute capability 9.0");
  const KernelKeys *Keys = Kernels.find(Kernel);
  if (!Keys)
    return refuse("the program did not register it");
  if (Keys->of(As))
    return {};
  return refuse(Kernel.NoVariantReason.empty() ? "it has no such variant"
                                               : Kernel.NoVariantReason);
}

/// Whether the launch's dynamic shared memory is what the program allowed and
/// fits beside what this form of the kernel has of its own.
Status CudaDevice::acceptsShared(const Launch &What, KernelVariant As) {
  if (What.DynamicSharedBytes == 0)
    return {};
  cudaFuncAttributes Own = {};
  const KernelKeys *Keys = Kernels.find(*What.Kernel);
  if (Calls.cudaFuncGetAttributes(&Own, Keys->Plain) != cudaSuccess ||
      What.DynamicSharedBytes > uint64_t(Own.maxDynamicSharedSizeBytes))
    return refuse("its blocks need more shared memory than they may have");
  if (As == KernelVariant::Plain)
    return {};
  Result<uint32_t> Room = Port.sharedLimit(*What.Kernel, As);
  if (!Room.ok())
    return Room.status();
  if (What.DynamicSharedBytes > *Room)
    return refuse("its blocks need more shared memory than the variant, with "
                  "its own, leaves them");
  return {};
}

/// Whether the launch is one the GPU would run at all, and this form of the
/// kernel with it.
Status CudaDevice::acceptsShape(const Launch &What, KernelVariant As) {
  if (!isShape(What.Grid, What.Block))
    return refuse("launched with more blocks than a grid can have, or deeper "
                  "ones than a GPU can have");
  for (KernelVariant Each : {KernelVariant::Plain, As}) {
    Result<uint32_t> Limit = Port.threadLimit(*What.Kernel, Each);
    if (!Limit.ok())
      return Limit.status();
    if (What.Block.count() > *Limit)
      return refuse("its blocks have more threads than the GPU can hold");
  }
  if (waitsByBlock(As) && What.Grid.count() > MostBlocks)
    return refuse("it has more blocks than are tracked one by one");
  if (As == KernelVariant::Persistent)
    if (Status Taken = Persistent::accepts(What); !Taken.ok())
      return Taken;
  return acceptsShared(What, As);
}

/// Whether the GPU holds as many blocks of a pdl variant at a time as of the
/// kernel: it gains a microsecond, and a kernel may lose more.
Status CudaDevice::acceptsLoad(const Launch &What, KernelVariant As) {
  if (As != KernelVariant::Pdl)
    return {};
  uint32_t Held[2] = {};
  for (KernelVariant Each : {KernelVariant::Plain, KernelVariant::Pdl}) {
    Result<uint32_t> Blocks =
        Port.residentBlocks(*What.Kernel, Each, uint32_t(What.Block.count()),
                            What.DynamicSharedBytes);
    if (!Blocks.ok())
      return Blocks.status();
    Held[Each == KernelVariant::Pdl] = *Blocks;
  }
  if (Held[1] < Held[0])
    return refuse("the GPU holds fewer blocks of its variant at a time");
  return {};
}

Status CudaDevice::acceptsKernel(const Launch &What, KernelVariant As) {
  Status Accepted = acceptsForm(What, As);
  if (Accepted.ok())
    Accepted = acceptsShape(What, As);
  if (Accepted.ok())
    Accepted = acceptsLoad(What, As);
  return Accepted;
}

Status CudaDevice::accepts(const Launch &What, cudaStream_t Stream) {
  if (waitsByBlock(Form) && !Others.loaded().empty())
    return refuse("the program has loaded " + Others.loaded() +
                  ", which launches kernels that must stay in order with it");
  Status Accepted = acceptsStream(Stream);
  const KernelVariant Least = ChoosesForms ? KernelVariant::Plain : Form;
  return Accepted.ok() ? acceptsKernel(What, Least) : Accepted;
}

Status CudaDevice::offers(const ExecutorChoice &Choice) const {
  if (needsEmulator(Choice.Kind))
    return refuse("executors shuffle and sim run on the emulated device only");
  if (Choice.Kind == ExecutorKind::Persistent && Choice.InOrder)
    return refuse("executor persistent does not complete launches in order");
  if (Choice.Kind == ExecutorKind::Streams && Choice.InOrder)
    return refuse("executor streams does not complete launches in order");
  if (needsNewGpu(Choice.Kind) && Architecture < FirstArchitecture)
    return refuse(
        "executors pdl, chained, prelaunch, persistent and share need a GPU of "
        "compute capability 9.0 or newer");
  return {};
}

Result<std::unique_ptr<Executor>>
CudaDevice::makeExecutor(const ExecutorChoice &Choice, unsigned Window,
                         EventSink *Events) {
  Status Offered = offers(Choice);
  if (!Offered.ok())
    return Offered;
  Port.forget();
  Forms.clear();
  Gathers = nullptr;
  Shares = nullptr;
  Spreads = nullptr;
  ChoosesForms = false;
  switch (Choice.Kind) {
  case ExecutorKind::Prelaunch:
    Form = KernelVariant::Prelaunch;
    return std::unique_ptr<Executor>(
        new Prelaunch(Port, Window, Patience, timesFor(Events)));
  case ExecutorKind::Persistent:
    Form = KernelVariant::Persistent;
    return std::unique_ptr<Executor>(
        new Persistent(Port, Window, Patience, timesFor(Events)));
  case ExecutorKind::Share:
    return Events ? makeInOrder(Choice, Events) : makeShare(Choice);
  case ExecutorKind::Streams:
    return Events || Choice.Streams == 1 ? makeInOrder(Choice, Events)
                                         : makeStreams(Choice, Window);
  default:
    return makeInOrder(Choice, Events);
  }
}

/// Where somebody listens to blocks nothing is gathered: what a launch takes to
/// note them is its own.
std::unique_ptr<Executor> CudaDevice::makeInOrder(const ExecutorChoice &Choice,
                                                  EventSink *Events) {
  const ExecutorKind Kind = Choice.Kind;
  const bool Early = Architecture >= FirstArchitecture &&
                     (Kind == ExecutorKind::Auto || Kind == ExecutorKind::Pdl ||
                      Kind == ExecutorKind::Chained);
  if (Early && Kind != ExecutorKind::Pdl && !Events)
    return makeChained(Choice);
  Form = Early ? KernelVariant::Pdl : KernelVariant::Plain;
  if (!Events)
    return std::make_unique<GpuSerial>(Port, Form);
  ChoosesForms = true;
  return std::make_unique<GpuSerial>(
      Port, Form, timesFor(Events),
      [this](const Launch &What, KernelVariant As) {
        return acceptsKernel(What, As);
      });
}

std::unique_ptr<Executor> CudaDevice::makeShare(const ExecutorChoice &Choice) {
  Form = KernelVariant::Plain;
  std::optional<WorkersByHand> ByHand;
  if (Choice.Workers[0] + Choice.Workers[1] != 0)
    ByHand = WorkersByHand{{Choice.Workers[0], Choice.Workers[1]}};
  auto Made = std::make_unique<Share>(
      Port, ByHand, [this](const Launch &What, KernelVariant As) {
        return acceptsKernel(What, As);
      });
  Shares = Made.get();
  return Made;
}

std::unique_ptr<Executor> CudaDevice::makeStreams(const ExecutorChoice &Choice,
                                                  unsigned Window) {
  Form = KernelVariant::Plain;
  GathersByName = true;
  CallsUnderWay::count();
  auto Made = std::make_unique<Streams>(
      Port, Choice.Streams != 0 ? Choice.Streams : DefaultQueues, Window,
      [this](void *Stream) {
        const auto On = static_cast<cudaStream_t>(Stream);
        return runsNow(On).ok() && maySpread(On);
      },
      Choice.Streams != 0 ? Streams::Policy::Always
                          : Streams::Policy::WhereFaster);
  Spreads = Made.get();
  return Made;
}

/// Null where nobody listens.
std::unique_ptr<BlockTimes> CudaDevice::timesFor(EventSink *Events) {
  return Events ? std::make_unique<BlockTimes>(Port, *Events, Patience)
                : nullptr;
}

std::unique_ptr<Executor>
CudaDevice::makeChained(const ExecutorChoice &Choice) {
  Form = KernelVariant::Pdl;
  GathersByName = Choice.Kind == ExecutorKind::Chained;
  ChainSettings Settings;
  Settings.Patience = Patience;
  Settings.Forms = Choice.Forms;
  auto Made = std::make_unique<Chained>(
      Port, [this] { return whyNotHeld().empty(); }, Settings);
  Gathers = Made.get();
  return Made;
}

/// Of the program's own kernel, whatever form its launches take.
uint32_t CudaDevice::registersOf(const void *Stub) {
  const OwnErrors Ours(Calls);
  cudaFuncAttributes Own = {};
  return Calls.cudaFuncGetAttributes(&Own, Stub) == cudaSuccess
             ? uint32_t(Own.numRegs)
             : 0;
}

Result<Allocation> CudaDevice::findGlobal(const GlobalRecord &Global,
                                          const ModuleRecord &Of) {
  const void *Host = Kernels.variable(Global, Of);
  const OwnErrors Ours(Calls);
  void *Address = nullptr;
  size_t Bytes = 0;
  if (!Host || Calls.cudaGetSymbolAddress(&Address, Host) != cudaSuccess ||
      Calls.cudaGetSymbolSize(&Bytes, Host) != cudaSuccess)
    return Status(StatusCode::NotFound,
                  "the GPU has no variable " + Global.Symbol);
  return Allocation{reinterpret_cast<uint64_t>(Address),
                    std::max<uint64_t>(Bytes, Global.Bytes)};
}

} // namespace

std::unique_ptr<Device> makeCudaDevice(const CudaLibrary &Library, int Number,
                                       const Options &Asked) {
  return std::make_unique<CudaDevice>(Library, Number, Asked);
}

Result<std::unique_ptr<Device>> openCudaDevice(const Options &Asked) {
  Result<CudaLibrary> Library = openCudaLibrary();
  if (!Library.ok())
    return Library.status();
  int Count = 0;
  cudaError_t Error = Library->Calls.cudaGetDeviceCount(&Count);
  if (Error != cudaSuccess || Count == 0)
    return Status(StatusCode::NotFound,
                  std::string("no GPU can be used: ") +
                      Library->Calls.cudaGetErrorString(
                          Error != cudaSuccess ? Error : cudaErrorNoDevice));
  int Current = 0;
  (void)Library->Calls.cudaGetDevice(&Current);
  return makeCudaDevice(*Library, Current, Asked);
}

} // namespace blockmaestro
