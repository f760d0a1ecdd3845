// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaPort.h"

#include "CallStatus.h"
#include "GraphParts.h"
#include "OnDevice.h"
#include "OwnErrors.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace blockmaestro {

void CudaPort::forget() {
  Pool = nullptr;
  Uploads.forget();
  Beside = nullptr;
  SharedAllowed.clear();
  Attributes.clear();
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
    Made = fill({Memory, 0, Bytes, Stream});
  if (!Made.ok())
    return Made;
  return Memory;
}

Status CudaPort::fill(const GpuFill &What) {
  const OnDevice Here(Real, Device);
  return statusOf(Real,
                  Real.cudaMemsetAsync(What.To, What.Value, What.Bytes,
                                       static_cast<cudaStream_t>(What.Stream)),
                  "setting memory");
}

static cudaMemcpyKind directionOf(const GpuCopy &What) {
  return What.Source == CopySource::Device ? cudaMemcpyDeviceToDevice
                                           : cudaMemcpyHostToDevice;
}

Status CudaPort::copy(const GpuCopy &What) {
  const OnDevice Here(Real, Device);
  return statusOf(Real,
                  Real.cudaMemcpyAsync(What.To, What.From, What.Bytes,
                                       directionOf(What),
                                       static_cast<cudaStream_t>(What.Stream)),
                  "copying memory");
}

void CudaPort::retire(void *Memory, void *Stream) {
  if (Memory)
    (void)Real.cudaFreeAsync(Memory, static_cast<cudaStream_t>(Stream));
}

void CudaPort::release(void *Memory) {
  if (Memory)
    (void)Real.cudaFree(Memory);
}

/// Does Work on a stream that waits for no other, nor any for it, and waits for
/// that; as no part of what the program may be capturing. Leaves no error where
/// there was none.
Status CudaPort::beside(const char *What, const StreamWork &Work) {
  const OnDevice Here(Real, Device);
  const OwnErrors Ours(Real);
  const NotCaptured Alone(Real);
  cudaError_t Error = cudaSuccess;
  if (!Beside)
    Error = Real.cudaStreamCreateWithFlags(&Beside, cudaStreamNonBlocking);
  if (Error == cudaSuccess)
    Error = Work(Beside);
  if (Error == cudaSuccess)
    Error = Real.cudaStreamSynchronize(Beside);
  return statusOf(Real, Error, What);
}

Result<void *> CudaPort::allocateBeside(size_t Bytes) {
  Result<cudaMemPool_t> From = ownPool();
  if (!From.ok())
    return From.status();
  void *Memory = nullptr;
  Status Made =
      beside("allocating memory beside the streams", [&](cudaStream_t On) {
        const cudaError_t Error =
            Real.cudaMallocFromPoolAsync(&Memory, Bytes, *From, On);
        return Error == cudaSuccess ? Real.cudaMemsetAsync(Memory, 0, Bytes, On)
                                    : Error;
      });
  if (!Made.ok())
    return Made;
  return Memory;
}

Status CudaPort::readBeside(void *To, const void *From, size_t Bytes) {
  return beside("reading times of blocks", [&](cudaStream_t On) {
    return Real.cudaMemcpyAsync(To, From, Bytes, cudaMemcpyDeviceToHost, On);
  });
}

Status CudaPort::clearBeside(void *Memory, size_t Bytes) {
  return beside("clearing times of blocks", [&](cudaStream_t On) {
    return Real.cudaMemsetAsync(Memory, 0, Bytes, On);
  });
}

void CudaPort::releaseBeside(void *Memory) {
  (void)beside("releasing times of blocks",
               [&](cudaStream_t On) { return Real.cudaFreeAsync(Memory, On); });
}

Result<void *> CudaPort::allocateStaging(size_t Bytes) {
  const NotCaptured Alone(Real);
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

Result<CudaPort::Node> CudaPort::nodeOf(const GpuWork &Work) {
  if (const auto *Copy = std::get_if<GpuCopy>(&Work))
    return Node(*Copy);
  if (const auto *Fill = std::get_if<GpuFill>(&Work))
    return Node(*Fill);
  const GpuLaunch &What = std::get<GpuLaunch>(Work);
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
  return Node(Out);
}

Result<GpuPort::ChainWork> CudaPort::chainOf(std::span<const GpuWork> Works,
                                             const ChainOrder &Order) {
  std::vector<Node> Nodes;
  for (const GpuWork &Each : Works) {
    Result<Node> Next = nodeOf(Each);
    if (!Next.ok())
      return Next.status();
    Nodes.push_back(*Next);
  }
  return ChainWork([this, Nodes = std::move(Nodes), Order] {
    return makeChain(Nodes, Order);
  });
}

static cudaMemsetParams paramsOf(const GpuFill &What) {
  cudaMemsetParams Out = {};
  Out.dst = What.To;
  Out.value = What.Value;
  Out.elementSize = 1;
  Out.width = What.Bytes;
  Out.height = 1;
  return Out;
}

cudaError_t CudaPort::addNode(Chain &To, const Node &What,
                              cudaGraphNode_t &Made) {
  if (const auto *Copy = std::get_if<GpuCopy>(&What))
    return Real.cudaGraphAddMemcpyNode1D(&Made, To.Made, nullptr, 0, Copy->To,
                                         Copy->From, Copy->Bytes,
                                         directionOf(*Copy));
  if (const auto *Fill = std::get_if<GpuFill>(&What)) {
    const cudaMemsetParams Params = paramsOf(*Fill);
    return Real.cudaGraphAddMemsetNode(&Made, To.Made, nullptr, 0, &Params);
  }
  return Real.cudaGraphAddKernelNode(&Made, To.Made, nullptr, 0,
                                     &std::get<cudaKernelNodeParams>(What));
}

/// Of each node whether it may start early: it is a launch behind one launch,
/// which nothing else is behind.
template <typename Nodes>
static std::vector<bool> earlyNodes(const Nodes &Of, const ChainOrder &Order) {
  std::vector<unsigned> Followers(Of.size());
  for (const std::vector<uint32_t> &Behind : Order.Behind)
    for (uint32_t Each : Behind)
      ++Followers[Each];
  const auto IsLaunch = [&](size_t I) { return Of[I].index() == 0; };
  std::vector<bool> Out(Of.size());
  for (size_t I = 0; I < Of.size(); ++I) {
    const std::vector<uint32_t> &Behind = Order.Behind[I];
    Out[I] = Behind.size() == 1 && IsLaunch(I) && IsLaunch(Behind[0]) &&
             Followers[Behind[0]] == 1;
  }
  return Out;
}

cudaError_t CudaPort::buildChain(Chain &Out, std::span<const Node> Nodes,
                                 const ChainOrder &Order) {
  const std::vector<bool> Early = earlyNodes(Nodes, Order);
  const cudaGraphEdgeData Programmatic = programmaticEdge();
  Out.Nodes.resize(Nodes.size());
  cudaError_t Error = Real.cudaGraphCreate(&Out.Made, 0);
  for (size_t I = 0; I < Nodes.size() && Error == cudaSuccess; ++I) {
    Error = addNode(Out, Nodes[I], Out.Nodes[I]);
    const cudaGraphEdgeData How = Early[I] ? Programmatic : cudaGraphEdgeData();
    for (uint32_t From : Order.Behind[I])
      if (Error == cudaSuccess)
        Error = Real.cudaGraphAddDependencies(Out.Made, &Out.Nodes[From],
                                              &Out.Nodes[I], &How, 1);
  }
  return Error == cudaSuccess
             ? Real.cudaGraphInstantiate(&Out.Ready, Out.Made, 0)
             : Error;
}

/// The program may be capturing a stream on a thread of its own: what is done
/// here is no part of that.
Result<void *> CudaPort::makeChain(std::span<const Node> Nodes,
                                   const ChainOrder &Order) {
  const OnDevice Here(Real, Device);
  const NotCaptured Alone(Real);
  auto Out = std::make_unique<Chain>();
  cudaError_t Error = buildChain(*Out, Nodes, Order);
  if (Error == cudaSuccess)
    Error = Uploads.bring(Out->Ready);
  if (Error == cudaSuccess)
    return static_cast<void *>(Out.release());
  destroy(*Out);
  return statusOf(Real, Error, "making a graph of launches");
}

Status CudaPort::setWork(void *Chain, unsigned Place, const GpuWork &What) {
  const auto *In = static_cast<CudaPort::Chain *>(Chain);
  Result<Node> Wanted = nodeOf(What);
  if (!Wanted.ok())
    return Wanted.status();
  struct {
    const RuntimeCalls &Real;
    cudaGraphExec_t Graph;
    cudaGraphNode_t At;
    cudaError_t operator()(const cudaKernelNodeParams &To) {
      return Real.cudaGraphExecKernelNodeSetParams(Graph, At, &To);
    }
    /// Its chain is given up where the node cannot be that copy.
    cudaError_t operator()(const GpuCopy &To) {
      const OwnErrors Ours(Real);
      return Real.cudaGraphExecMemcpyNodeSetParams1D(Graph, At, To.To, To.From,
                                                     To.Bytes, directionOf(To));
    }
    cudaError_t operator()(const GpuFill &To) {
      const cudaMemsetParams Params = paramsOf(To);
      return Real.cudaGraphExecMemsetNodeSetParams(Graph, At, &Params);
    }
  } Set{Real, In->Ready, In->Nodes[Place]};
  return statusOf(Real, std::visit(Set, *Wanted), "setting a node of a graph");
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

Result<void *> CudaPort::mark(void *Stream) {
  const OnDevice Here(Real, Device);
  const OwnErrors Ours(Real);
  cudaEvent_t Made = nullptr;
  cudaError_t Error = Real.cudaEventCreateWithFlags(&Made, cudaEventDefault);
  if (Error == cudaSuccess)
    Error = Real.cudaEventRecord(Made, static_cast<cudaStream_t>(Stream));
  if (Error == cudaSuccess)
    return static_cast<void *>(Made);
  if (Made)
    (void)Real.cudaEventDestroy(Made);
  return statusOf(Real, Error, "timing a graph of launches");
}

std::optional<std::chrono::nanoseconds> CudaPort::between(void *First,
                                                          void *Last) {
  const OwnErrors Ours(Real);
  float Milliseconds = 0;
  if (Real.cudaEventElapsedTime(&Milliseconds, static_cast<cudaEvent_t>(First),
                                static_cast<cudaEvent_t>(Last)) != cudaSuccess)
    return {};
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<float, std::milli>(Milliseconds));
}

void CudaPort::releaseMark(void *Mark) {
  const OwnErrors Ours(Real);
  (void)Real.cudaEventDestroy(static_cast<cudaEvent_t>(Mark));
}

Status CudaPort::synchronize(void *Stream) {
  return statusOf(Real,
                  Real.cudaStreamSynchronize(static_cast<cudaStream_t>(Stream)),
                  "waiting for the GPU");
}

cudaError_t CudaPort::countMultiprocessors() {
  if (Multiprocessors != 0)
    return cudaSuccess;
  int Count = 0;
  const cudaError_t Error = Real.cudaDeviceGetAttribute(
      &Count, cudaDevAttrMultiProcessorCount, Device);
  if (Error == cudaSuccess)
    Multiprocessors = uint32_t(Count);
  return Error;
}

uint32_t CudaPort::multiprocessors() {
  (void)countMultiprocessors();
  return Multiprocessors;
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
  int Blocks = 0;
  cudaError_t Error = countMultiprocessors();
  if (Error == cudaSuccess)
    Error = Real.cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &Blocks, *Key, static_cast<int>(Threads), SharedBytes);
  if (Error != cudaSuccess)
    return statusOf(Real, Error, "asking how many blocks fit");
  return Found->second = static_cast<uint32_t>(Blocks) * Multiprocessors;
}

/// What CUDA says of a form, asked once; Asking is part of the message where it
/// says nothing.
Result<cudaFuncAttributes> CudaPort::attributesOf(const KernelRecord &Kernel,
                                                  KernelVariant Form,
                                                  const char *Asking) {
  Result<KernelKey> Key = keyOf(Kernel, Form);
  if (!Key.ok())
    return Key.status();
  if (const auto Known = Attributes.find(*Key); Known != Attributes.end())
    return Known->second;
  cudaFuncAttributes Found = {};
  if (cudaError_t Error = Real.cudaFuncGetAttributes(&Found, *Key);
      Error != cudaSuccess) {
    (void)Real.cudaGetLastError();
    return statusOf(Real, Error, Asking);
  }
  return Attributes[*Key] = Found;
}

Result<uint32_t> CudaPort::threadLimit(const KernelRecord &Kernel,
                                       KernelVariant Form) {
  const Result<cudaFuncAttributes> Of =
      attributesOf(Kernel, Form, "asking how many threads a block may have");
  if (!Of.ok())
    return Of.status();
  return static_cast<uint32_t>(Of->maxThreadsPerBlock);
}

Result<uint32_t> CudaPort::registersOf(const KernelRecord &Kernel,
                                       KernelVariant Form) {
  const Result<cudaFuncAttributes> Of =
      attributesOf(Kernel, Form, "asking how many registers a thread has");
  if (!Of.ok())
    return Of.status();
  return static_cast<uint32_t>(Of->numRegs);
}

Result<uint32_t> CudaPort::sharedLimit(const KernelRecord &Kernel,
                                       KernelVariant Form) {
  constexpr const char *Asking = "asking how much shared memory a block has";
  const Result<cudaFuncAttributes> Of = attributesOf(Kernel, Form, Asking);
  if (!Of.ok())
    return Of.status();
  if (SharedOfBlock == 0) {
    int Most = 0;
    if (cudaError_t Error = Real.cudaDeviceGetAttribute(
            &Most, cudaDevAttrMaxSharedMemoryPerBlockOptin, Device);
        Error != cudaSuccess) {
      (void)Real.cudaGetLastError();
      return statusOf(Real, Error, Asking);
    }
    SharedOfBlock = static_cast<uint32_t>(Most);
  }
  return SharedOfBlock - static_cast<uint32_t>(std::min<size_t>(
                             Of->sharedSizeBytes, SharedOfBlock));
}

} // namespace blockmaestro
