// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaDevice.h"

#include "CudaKernels.h"
#include "CudaLibrary.h"
#include "CudaPort.h"
#include "GpuSerial.h"
#include "LaunchingLibraries.h"
#include "Persistent.h"
#include "Prelaunch.h"

#include <algorithm>
#include <cstdlib>

namespace blockmaestro {
namespace {

/// The first architecture whose blocks can be admitted early.
constexpr unsigned FirstArchitecture = 90;
/// More blocks than this are not tracked one by one.
constexpr uint64_t MostBlocks = Persistent::MostBlocks;

Status refuse(std::string Why) {
  return {StatusCode::Unsupported, std::move(Why)};
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
  bool isCapturing(cudaStream_t Stream) const override;
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
  Status acceptsStream(cudaStream_t Stream) const;
  Status acceptsForm(const Launch &What);
  Status acceptsShape(const Launch &What);
  Status acceptsShared(const Launch &What);

  const std::chrono::nanoseconds Patience;
  const RegistrationCalls Registration;
  const int Number;
  unsigned Architecture = 0;
  std::string Name;
  CudaKernels Kernels;
  CudaPort Port;
  LaunchingLibraries Others;
  KernelVariant Form = KernelVariant::Plain; ///< What the executor launches.
};

CudaDevice::CudaDevice(const CudaLibrary &Library, int Number,
                       const Options &Asked)
    : Patience(Asked.TimeoutSeconds
                   ? std::chrono::seconds(*Asked.TimeoutSeconds)
                   : LongPatience),
      Registration(Library.Registration), Number(Number), Kernels(Registration),
      Port(Calls, Kernels, Number) {
  Calls = Library.Calls;
  cudaDeviceProp Properties = {};
  if (Calls.cudaGetDeviceProperties(&Properties, Number) == cudaSuccess) {
    Name = Properties.name;
    Architecture = unsigned(10 * Properties.major + Properties.minor);
  }
}

Status CudaDevice::addModule(const RegisteredModule &Module) {
  Kernels.addModule(Module);
  return {};
}

void CudaDevice::removeModule(const RegisteredModule &Module) {
  Kernels.removeModule(Module);
}

/// The special handles stand for a different stream in every thread, or for
/// one that also has another name.
Status CudaDevice::acceptsStream(cudaStream_t Stream) const {
  if (Stream == cudaStreamLegacy || Stream == cudaStreamPerThread)
    return refuse("launched on a default stream by a special handle");
  int Current = 0;
  if (Calls.cudaGetDevice(&Current) != cudaSuccess || Current != Number)
    return refuse("launched on another GPU than the first");
  if (isCapturing(Stream))
    return refuse("the stream is being captured into a graph");
  return {};
}

/// Where the GPU does not say, it counts as captured.
bool CudaDevice::isCapturing(cudaStream_t Stream) const {
  cudaStreamCaptureStatus State = cudaStreamCaptureStatusNone;
  return Calls.cudaStreamIsCapturing(Stream, &State) != cudaSuccess ||
         State != cudaStreamCaptureStatusNone;
}

/// Whether the kernel has the form that the executor launches.
Status CudaDevice::acceptsForm(const Launch &What) {
  const KernelRecord &Kernel = *What.Kernel;
  const KernelKeys *Keys = Kernels.find(Kernel);
  if (!Keys)
    return refuse("the program did not register it");
  if (Keys->of(Form))
    return {};
  return refuse(Kernel.NoVariantReason.empty() ? "it has no such variant"
                                               : Kernel.NoVariantReason);
}

/// Whether the launch's dynamic shared memory is what the program allowed and
/// fits beside what our form of the kernel has of its own.
Status CudaDevice::acceptsShared(const Launch &What) {
  if (What.DynamicSharedBytes == 0)
    return {};
  cudaFuncAttributes Own = {};
  const KernelKeys *Keys = Kernels.find(*What.Kernel);
  if (Calls.cudaFuncGetAttributes(&Own, Keys->Plain) != cudaSuccess ||
      What.DynamicSharedBytes > uint64_t(Own.maxDynamicSharedSizeBytes))
    return refuse("its blocks need more shared memory than they may have");
  if (Form == KernelVariant::Plain)
    return {};
  Result<uint32_t> Room = Port.sharedLimit(*What.Kernel, Form);
  if (!Room.ok())
    return Room.status();
  if (What.DynamicSharedBytes > *Room)
    return refuse("its blocks need more shared memory than the variant, with "
                  "its own, leaves them");
  return {};
}

/// Whether the launch is one the GPU would run at all, and our form of the
/// kernel with it.
Status CudaDevice::acceptsShape(const Launch &What) {
  constexpr uint32_t WidestGrid = 0x7fffffff;
  constexpr uint32_t HighestGrid = 0xffff;
  constexpr uint32_t DeepestBlock = 64;
  if (What.Grid.X > WidestGrid || What.Grid.Y > HighestGrid ||
      What.Grid.Z > HighestGrid || What.Grid.count() > WidestGrid)
    return refuse("launched with more blocks than a grid can have");
  if (What.Block.Z > DeepestBlock)
    return refuse("launched with blocks deeper than a GPU can have");
  for (KernelVariant Each : {KernelVariant::Plain, Form}) {
    Result<uint32_t> Limit = Port.threadLimit(*What.Kernel, Each);
    if (!Limit.ok())
      return Limit.status();
    if (What.Block.count() > *Limit)
      return refuse("its blocks have more threads than the GPU can hold");
  }
  if (Form != KernelVariant::Plain && What.Grid.count() > MostBlocks)
    return refuse("it has more blocks than are tracked one by one");
  if (Form == KernelVariant::Persistent)
    if (Status Taken = Persistent::accepts(What); !Taken.ok())
      return Taken;
  return acceptsShared(What);
}

Status CudaDevice::accepts(const Launch &What, cudaStream_t Stream) {
  if (Form != KernelVariant::Plain && !Others.loaded().empty())
    return refuse("the program has loaded " + Others.loaded() +
                  ", which launches kernels that must stay in order with it");
  Status Accepted = acceptsStream(Stream);
  if (Accepted.ok())
    Accepted = acceptsForm(What);
  if (Accepted.ok())
    Accepted = acceptsShape(What);
  return Accepted;
}

Status CudaDevice::offers(const ExecutorChoice &Choice) const {
  if (Choice.Kind == ExecutorKind::Shuffle)
    return refuse("executor shuffle runs on the emulated device only");
  if (Choice.Kind == ExecutorKind::Persistent && Choice.InOrder)
    return refuse("executor persistent does not complete launches in order");
  bool Overlaps = Choice.Kind == ExecutorKind::Prelaunch ||
                  Choice.Kind == ExecutorKind::Persistent;
  if (Overlaps && Architecture < FirstArchitecture)
    return refuse("executors prelaunch and persistent need a GPU of compute "
                  "capability 9.0 or newer");
  return {};
}

Result<std::unique_ptr<Executor>>
CudaDevice::makeExecutor(const ExecutorChoice &Choice, unsigned Window,
                         EventSink *) {
  Status Offered = offers(Choice);
  if (!Offered.ok())
    return Offered;
  switch (Choice.Kind) {
  case ExecutorKind::Prelaunch:
    Form = KernelVariant::Prelaunch;
    return std::unique_ptr<Executor>(new Prelaunch(Port, Window, Patience));
  case ExecutorKind::Persistent:
    Form = KernelVariant::Persistent;
    return std::unique_ptr<Executor>(new Persistent(Port, Window, Patience));
  default:
    Form = KernelVariant::Plain;
    return std::unique_ptr<Executor>(new GpuSerial(Port));
  }
}

Result<Allocation> CudaDevice::findGlobal(const GlobalRecord &Global,
                                          const ModuleRecord &Of) {
  const void *Host = Kernels.variable(Global, Of);
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
  return std::unique_ptr<Device>(new CudaDevice(*Library, Current, Asked));
}

} // namespace blockmaestro
