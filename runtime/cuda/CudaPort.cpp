// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaPort.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace blockmaestro {

/// The Status of a call of the real runtime.
static Status statusOf(const RuntimeCalls &Real, cudaError_t Error,
                       const char *What) {
  if (Error == cudaSuccess)
    return {};
  return {StatusCode::Device,
          std::string(What) + ": " + Real.cudaGetErrorString(Error)};
}

namespace {

/// Makes Device the current one of the calling thread while it lives: the
/// legacy default stream is that of the current device, and what was gathered
/// is submitted when the program may have chosen another, or by a thread of
/// ours.
class OnDevice {
public:
  OnDevice(const RuntimeCalls &Real, int Device) : Real(Real) {
    if (Real.cudaGetDevice(&Before) != cudaSuccess || Before == Device)
      Before = None;
    else
      (void)Real.cudaSetDevice(Device);
  }
  ~OnDevice() {
    if (Before != None)
      (void)Real.cudaSetDevice(Before);
  }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;

private:
  static constexpr int None = -1;
  const RuntimeCalls &Real;
  int Before = None;
};

} // namespace

void CudaPort::forget() {
  Pool = nullptr;
  Uploads = nullptr;
  SharedAllowed.clear();
  ThreadLimits.clear();
  SharedLimits.clear();
  Resident.clear();
}

/// Memory of ours shows in no number that the program can ask for.
Result<cudaMemPool_t> CudaPort::ownPool() {
  if (Pool)
    return Pool;
  cudaMemPoolProps Wanted = {};
  Wanted.allocType = cudaMemAllocationTypePinned;
  Wanted.location.type = cudaMemLocationTypeDevice;
  Wanted.location.id = Device;
  Status Made = statusOf(Real, Real.cudaMemPoolCreate(&Pool, &Wanted),
                         "making a pool for done-words");
  if (!Made.ok())
    return Made;
  return Pool;
}

Result<void *> CudaPort::allocate(size_t Bytes, void *Stream) {
  Result<cudaMemPool_t> From = ownPool();
  if (!From.ok())
    return From.status();
  void *Memory = nullptr;
  Status Made =
      statusOf(Real,
               Real.cudaMallocFromPoolAsync(&Memory, Bytes, *From,
                                            static_cast<cudaStream_t>(Stream)),
               "allocating done-words");
  if (Made.ok())
    Made = clear(Memory, Bytes, Stream);
  if (!Made.ok())
    return Made;
  return Memory;
}

Status CudaPort::clear(void *Memory, size_t Bytes, void *Stream) {
  return statusOf(
      Real,
      Real.cudaMemsetAsync(Memory, 0, Bytes, static_cast<cudaStream_t>(Stream)),
      "clearing done-words");
}

void CudaPort::retire(void *Memory, void *Stream) {
  if (Memory)
    (void)Real.cudaFreeAsync(Memory, static_cast<cudaStream_t>(Stream));
}

void CudaPort::release(void *Memory) {
  if (Memory)
    (void)Real.cudaFree(Memory);
}

Result<void *> CudaPort::allocateStaging(size_t Bytes) {
  void *Memory = nullptr;
  Status Made =
      statusOf(Real,
               Real.cudaHostAlloc(&Memory, Bytes,
                                  cudaHostAllocPortable | cudaHostAllocMapped),
               "allocating staging memory");
  if (!Made.ok())
    return Made;
  return Memory;
}

void CudaPort::releaseStaging(void *Memory) {
  if (Memory)
    (void)Real.cudaFreeHost(Memory);
}

Status CudaPort::copyIn(void *To, const void *From, size_t Bytes,
                        void *Stream) {
  return statusOf(Real,
                  Real.cudaMemcpyAsync(To, From, Bytes, cudaMemcpyHostToDevice,
                                       static_cast<cudaStream_t>(Stream)),
                  "copying a batch");
}

Result<KernelKey> CudaPort::keyOf(const KernelRecord &Kernel,
                                  KernelVariant Form) const {
  const KernelKeys *Keys = Kernels.find(Kernel);
  KernelKey Key = Keys ? Keys->of(Form) : nullptr;
  if (!Key)
    return Status(StatusCode::NotFound,
                  "the GPU has no such form of " + Kernel.Name);
  return Key;
}

/// Asks also for what a kernel may have by default: that is less by its static
/// memory.
Status CudaPort::allowShared(KernelKey Key, uint32_t Bytes) {
  uint32_t &Allowed = SharedAllowed[Key];
  if (Bytes <= Allowed)
    return {};
  Status Set =
      statusOf(Real,
               Real.cudaFuncSetAttribute(
                   Key, cudaFuncAttributeMaxDynamicSharedMemorySize, Bytes),
               "asking for dynamic shared memory");
  if (Set.ok())
    Allowed = Bytes;
  return Set;
}

Status CudaPort::launch(const GpuLaunch &What) {
  Result<KernelKey> Key = keyOf(*What.Kernel, What.Form);
  if (!Key.ok())
    return Key.status();
  if (What.Form != KernelVariant::Plain) {
    Status Allowed = allowShared(*Key, What.SharedBytes);
    if (!Allowed.ok())
      return Allowed;
  }
  cudaLaunchAttribute Attributes[2] = {};
  cudaLaunchConfig_t Config = {};
  Config.gridDim = dim3(What.Grid.X, What.Grid.Y, What.Grid.Z);
  Config.blockDim = dim3(What.Block.X, What.Block.Y, What.Block.Z);
  Config.dynamicSmemBytes = What.SharedBytes;
  Config.stream = static_cast<cudaStream_t>(What.Stream);
  Config.attrs = Attributes;
  if (What.Programmatic) {
    cudaLaunchAttribute &Added = Attributes[Config.numAttrs++];
    Added.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    Added.val.programmaticStreamSerializationAllowed = 1;
  }
  if (What.Cooperative) {
    cudaLaunchAttribute &Added = Attributes[Config.numAttrs++];
    Added.id = cudaLaunchAttributeCooperative;
    Added.val.cooperative = 1;
  }
  const OnDevice Here(Real, Device);
  return statusOf(Real, Real.cudaLaunchKernelExC(&Config, *Key, What.Arguments),
                  What.Kernel->Name.c_str());
}

struct CudaPort::Chain {
  cudaGraph_t Made = nullptr;
  cudaGraphExec_t Ready = nullptr;
  std::vector<cudaGraphNode_t> Nodes;
};

Result<cudaKernelNodeParams> CudaPort::nodeOf(const GpuLaunch &What) {
  Result<KernelKey> Key = keyOf(*What.Kernel, What.Form);
  if (!Key.ok())
    return Key.status();
  Status Allowed = allowShared(*Key, What.SharedBytes);
  if (!Allowed.ok())
    return Allowed;
  cudaKernelNodeParams Out = {};
  Out.func = const_cast<void *>(*Key);
  Out.gridDim = dim3(What.Grid.X, What.Grid.Y, What.Grid.Z);
  Out.blockDim = dim3(What.Block.X, What.Block.Y, What.Block.Z);
  Out.sharedMemBytes = What.SharedBytes;
  Out.kernelParams = What.Arguments;
  return Out;
}

Result<GpuPort::ChainWork>
CudaPort::chainOf(std::span<const GpuLaunch> Launches) {
  std::vector<cudaKernelNodeParams> Nodes;
  for (const GpuLaunch &Each : Launches) {
    Result<cudaKernelNodeParams> Node = nodeOf(Each);
    if (!Node.ok())
      return Node.status();
    Nodes.push_back(*Node);
  }
  return ChainWork(
      [this, Nodes = std::move(Nodes)] { return makeChain(Nodes); });
}

cudaError_t CudaPort::buildChain(Chain &Out,
                                 std::span<const cudaKernelNodeParams> Nodes) {
  cudaGraphEdgeData Early = {};
  Early.from_port = cudaGraphKernelNodePortProgrammatic;
  Early.type = cudaGraphDependencyTypeProgrammatic;
  Out.Nodes.resize(Nodes.size());
  cudaError_t Error = Real.cudaGraphCreate(&Out.Made, 0);
  for (size_t I = 0; I < Nodes.size() && Error == cudaSuccess; ++I) {
    Error = Real.cudaGraphAddKernelNode(&Out.Nodes[I], Out.Made, nullptr, 0,
                                        &Nodes[I]);
    if (I > 0 && Error == cudaSuccess)
      Error = Real.cudaGraphAddDependencies(Out.Made, &Out.Nodes[I - 1],
                                            &Out.Nodes[I], &Early, 1);
  }
  return Error == cudaSuccess
             ? Real.cudaGraphInstantiate(&Out.Ready, Out.Made, 0)
             : Error;
}

/// Otherwise the first launch of a graph does, and its caller waits.
cudaError_t CudaPort::upload(cudaGraphExec_t What) {
  cudaError_t Error = cudaSuccess;
  if (!Uploads)
    Error = Real.cudaStreamCreateWithFlags(&Uploads, cudaStreamNonBlocking);
  if (Error == cudaSuccess)
    Error = Real.cudaGraphUpload(What, Uploads);
  return Error == cudaSuccess ? Real.cudaStreamSynchronize(Uploads) : Error;
}

/// The program may be capturing a stream on a thread of its own: what is done
/// here is no part of that.
Result<void *>
CudaPort::makeChain(std::span<const cudaKernelNodeParams> Nodes) {
  const OnDevice Here(Real, Device);
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
  (void)Real.cudaThreadExchangeStreamCaptureMode(&Mode);
  auto Out = std::make_unique<Chain>();
  cudaError_t Error = buildChain(*Out, Nodes);
  if (Error == cudaSuccess)
    Error = upload(Out->Ready);
  (void)Real.cudaThreadExchangeStreamCaptureMode(&Mode);
  if (Error == cudaSuccess)
    return static_cast<void *>(Out.release());
  destroy(*Out);
  return statusOf(Real, Error, "making a graph of launches");
}

Status CudaPort::setLaunch(void *Chain, unsigned Place, const GpuLaunch &What) {
  const auto *In = static_cast<CudaPort::Chain *>(Chain);
  Result<cudaKernelNodeParams> Node = nodeOf(What);
  if (!Node.ok())
    return Node.status();
  return statusOf(Real,
                  Real.cudaGraphExecKernelNodeSetParams(
                      In->Ready, In->Nodes[Place], &*Node),
                  What.Kernel->Name.c_str());
}

Status CudaPort::launchChain(void *Chain, void *Stream) {
  const OnDevice Here(Real, Device);
  return statusOf(
      Real,
      Real.cudaGraphLaunch(static_cast<CudaPort::Chain *>(Chain)->Ready,
                           static_cast<cudaStream_t>(Stream)),
      "launching a graph of launches");
}

void CudaPort::destroy(const Chain &Gone) {
  if (Gone.Ready)
    (void)Real.cudaGraphExecDestroy(Gone.Ready);
  if (Gone.Made)
    (void)Real.cudaGraphDestroy(Gone.Made);
}

void CudaPort::releaseChain(void *Chain) {
  std::unique_ptr<CudaPort::Chain> Gone(static_cast<CudaPort::Chain *>(Chain));
  destroy(*Gone);
}

Status CudaPort::synchronize(void *Stream) {
  return statusOf(Real,
                  Real.cudaStreamSynchronize(static_cast<cudaStream_t>(Stream)),
                  "waiting for the GPU");
}

uint64_t CudaPort::moduleOf(const KernelRecord &Kernel) {
  const KernelKeys *Keys = Kernels.find(Kernel);
  return Keys ? Keys->Module : 0;
}

Result<uint32_t> CudaPort::residentBlocks(const KernelRecord &Kernel,
                                          KernelVariant Form, uint32_t Threads,
                                          uint32_t SharedBytes) {
  Result<KernelKey> Key = keyOf(Kernel, Form);
  if (!Key.ok())
    return Key.status();
  auto [Found, New] = Resident.try_emplace({*Key, Threads, SharedBytes}, 0);
  if (!New)
    return Found->second;
  // What the kernel itself may have is the program's to say.
  Status Allowed =
      Form == KernelVariant::Plain ? Status() : allowShared(*Key, SharedBytes);
  if (!Allowed.ok())
    return Allowed;
  int Processors = 0;
  int Blocks = 0;
  cudaError_t Error = Real.cudaDeviceGetAttribute(
      &Processors, cudaDevAttrMultiProcessorCount, Device);
  if (Error == cudaSuccess)
    Error = Real.cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &Blocks, *Key, static_cast<int>(Threads), SharedBytes);
  if (Error != cudaSuccess)
    return statusOf(Real, Error, "asking how many blocks fit");
  return Found->second = static_cast<uint32_t>(Blocks * Processors);
}

Result<uint32_t> CudaPort::threadLimit(const KernelRecord &Kernel,
                                       KernelVariant Form) {
  Result<KernelKey> Key = keyOf(Kernel, Form);
  if (!Key.ok())
    return Key.status();
  auto [Found, New] = ThreadLimits.try_emplace(*Key, 0);
  if (!New)
    return Found->second;
  cudaFuncAttributes Attributes = {};
  cudaError_t Error = Real.cudaFuncGetAttributes(&Attributes, *Key);
  if (Error != cudaSuccess) {
    (void)Real.cudaGetLastError();
    return statusOf(Real, Error, "asking how many threads a block may have");
  }
  return Found->second = static_cast<uint32_t>(Attributes.maxThreadsPerBlock);
}

Result<uint32_t> CudaPort::sharedLimit(const KernelRecord &Kernel,
                                       KernelVariant Form) {
  Result<KernelKey> Key = keyOf(Kernel, Form);
  if (!Key.ok())
    return Key.status();
  auto [Found, New] = SharedLimits.try_emplace(*Key, 0);
  if (!New)
    return Found->second;
  cudaFuncAttributes Attributes = {};
  int Most = 0;
  cudaError_t Error = Real.cudaFuncGetAttributes(&Attributes, *Key);
  if (Error == cudaSuccess)
    Error = Real.cudaDeviceGetAttribute(
        &Most, cudaDevAttrMaxSharedMemoryPerBlockOptin, Device);
  if (Error != cudaSuccess) {
    (void)Real.cudaGetLastError();
    return statusOf(Real, Error, "asking how much shared memory a block has");
  }
  size_t Own = Attributes.sharedSizeBytes;
  size_t Whole = static_cast<size_t>(Most);
  return Found->second = static_cast<uint32_t>(Whole - std::min(Own, Whole));
}

} // namespace blockmaestro
