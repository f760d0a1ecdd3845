// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaDeviceImpl.h"

#include "CallsUnderWay.h"
#include "GpuSerial.h"
#include "OwnErrors.h"
#include "Persistent.h"
#include "Prelaunch.h"
#include "Registry.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>

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

/// Whether blocks of this form wait for single blocks of other launches.
bool waitsByBlock(KernelVariant Form) {
  return Form == KernelVariant::Prelaunch || Form == KernelVariant::Persistent;
}

} // namespace

bool isShape(Dim3 Grid, Dim3 Block) {
  constexpr uint32_t WidestGrid = 0x7fffffff;
  constexpr uint32_t HighestGrid = 0xffff;
  constexpr uint32_t DeepestBlock = 64;
  return Grid.X <= WidestGrid && Grid.Y <= HighestGrid &&
         Grid.Z <= HighestGrid && Grid.count() <= WidestGrid &&
         Grid.count() != 0 && Block.count() != 0 && Block.Z <= DeepestBlock;
}

uint64_t newSelections() {
  static std::atomic<uint64_t> Last{0};
  return ++Last;
}

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

static uint64_t threadsOf(const LaunchRequest &What) {
  return uint64_t(What.Block.x) * What.Block.y * What.Block.z;
}

bool CudaDevice::ChosenForm::isFor(const LaunchRequest &What) const {
  return Threads == threadsOf(What) && SharedBytes == What.SharedBytes;
}

/// What chooseForm() has said of a launch of a usable kernel.
const CudaDevice::ChosenForm &CudaDevice::formOf(const LaunchRequest &What) {
  auto [Found, New] = Forms.try_emplace(What.Stub);
  ChosenForm &Chosen = Found->second;
  if (New || !Chosen.isFor(What))
    Chosen = {threadsOf(What), What.SharedBytes,
              chooseForm(*What.Known->Record, What.Grid, What.Block,
                         What.SharedBytes)};
  return Chosen;
}

/// Whether formOf() has said of such a launch that it has no form.
bool CudaDevice::isFormless(const LaunchRequest &What) const {
  const auto Found = Forms.find(What.Stub);
  return Found != Forms.end() && !Found->second.Key &&
         Found->second.isFor(What);
}

/// What takes asking the device for comes last.
const void *CudaDevice::formInOrder(const LaunchRequest &What) {
  if (Form == KernelVariant::Plain || !What.Known || !What.Known->usable() ||
      isFormless(What) || !runsNow(What.Stream).ok())
    return nullptr;
  return formOf(What).Key;
}

/// A user who names the executor answers for what is looked up by name.
std::string_view CudaDevice::findReachBeside() {
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
  if (!ChoosesForms)
    return;
  for (KernelKey Noting : {Keys->Prelaunch, Keys->Timed})
    if (Noting)
      (void)Calls.cudaFuncSetAttribute(Noting, Which, Value);
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
  return (Gathers || Spreads) && findReachBeside().empty();
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
    return refuse("launched with no blocks, or with more than a grid can have, "
                  "or with ones of no threads or deeper than a GPU can have");
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
  ChoosesForms = nullptr;
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
  auto Made =
      std::make_unique<GpuSerial>(Port, Form, timesFor(Events),
                                  [this](const Launch &What, KernelVariant As) {
                                    return acceptsKernel(What, As);
                                  });
  ChoosesForms = Made.get();
  return Made;
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

uint32_t CudaDevice::registersAsRun(const Launch &What) {
  const OwnErrors Ours(Calls);
  const Result<uint32_t> Known = Port.registersOf(
      *What.Kernel, ChoosesForms ? ChoosesForms->formOf(What) : Form);
  return Known.ok() ? *Known : 0;
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
