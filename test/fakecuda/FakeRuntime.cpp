// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: CUDA's runtime of a GPU that runs no kernel, but knows what is
// alive: whoever names a stream, an event, a graph or memory that is gone, or
// gives one back twice, ends the program; so does who launches a graph that
// reads memory of the host which is not pinned. Arguments of kernels are read
// where they are given. What takes a GPU long takes long here, and other calls
// some time of their own, so that threads meet everywhere. Asked to, it ends
// the program also where works are in no order that have to be (WorkOrder.h).
// On the data's way: under libblockmaestro, by the name of the real one. Tests
// run whole programs on it and look at no results.
// Threads: any.

#include "WorkOrder.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace {

class Alive {
public:
  explicit Alive(const char *Kind) : Kind(Kind) {}
  void add(const void *What) { check(change(What, true), What, "made twice"); }
  void remove(const void *What) {
    check(change(What, false), What, "given back though it is gone");
  }
  /// The default stream, and no memory, are always there.
  void use(const void *What) {
    const std::lock_guard<std::mutex> Held(Lock);
    check(!What || All.contains(What), What, "used though it is gone");
  }

  /// Ends the program where this is needed by something under way.
  void mustBeUnused(const void *What, const std::set<const void *> &By) const {
    check(!By.contains(What), What, "given back while a graph of it is made");
  }

  bool has(const void *What) {
    const std::lock_guard<std::mutex> Held(Lock);
    return All.contains(What);
  }

private:
  bool change(const void *What, bool Adds) {
    const std::lock_guard<std::mutex> Held(Lock);
    return Adds ? All.insert(What).second : All.erase(What) != 0;
  }
  void check(bool Fine, const void *What, const char *Otherwise) const {
    if (Fine)
      return;
    std::fprintf(stderr, "fake CUDA: %s %p is %s\n", Kind, What, Otherwise);
    std::abort();
  }

  const char *const Kind;
  std::mutex Lock;
  std::set<const void *> All;
};

Alive Streams("stream"), Events("event"), Graphs("graph"),
    Ready("executable graph"), Memory("memory"), PoolMemory("pool memory"),
    HostMemory("host memory");
WorkOrder Order;

/// How large allocations are.
class Sizes {
public:
  void add(const void *Where, size_t Bytes) {
    const std::lock_guard<std::mutex> Held(Lock);
    All[static_cast<const char *>(Where)] = {Bytes, ++Last};
  }
  void remove(const void *Where) {
    const std::lock_guard<std::mutex> Held(Lock);
    All.erase(static_cast<const char *>(Where));
  }
  bool has(const void *Where) { return numberOf(Where) != 0; }
  /// Of the allocation; no two have the same, and none has 0.
  size_t numberOf(const void *Where) {
    const std::lock_guard<std::mutex> Held(Lock);
    const auto *At = static_cast<const char *>(Where);
    auto Behind = All.upper_bound(At);
    if (Behind == All.begin())
      return 0;
    const auto &[Base, Known] = *std::prev(Behind);
    return At < Base + Known.Bytes ? Known.Number : 0;
  }

private:
  struct Allocated {
    size_t Bytes = 0;
    size_t Number = 0;
  };
  std::mutex Lock;
  std::map<const char *, Allocated> All;
  size_t Last = 0; ///< Number.
};
Sizes MemorySizes, HostSizes;
thread_local int CurrentDevice = 0;

void takes(std::chrono::microseconds Time) {
  std::this_thread::sleep_for(Time);
}

/// Ends every call.
cudaError_t done() {
  thread_local std::minstd_rand Random(
      unsigned(std::hash<std::thread::id>()(std::this_thread::get_id())));
  if (Random() % 64 == 0)
    takes(std::chrono::microseconds(Random() % 300));
  return cudaSuccess;
}

template <typename Handle> cudaError_t make(Handle *Into, Alive &Among) {
  *Into = static_cast<Handle>(std::malloc(sizeof(size_t)));
  std::memset(static_cast<void *>(*Into), 0, sizeof(size_t));
  Among.add(*Into);
  return done();
}

template <typename Handle> cudaError_t destroy(Handle What, Alive &Among) {
  Among.remove(What);
  std::free(What);
  return done();
}

cudaError_t onStream(cudaStream_t Stream) {
  Streams.use(Stream);
  return done();
}

/// How many parameters a kernel has is not known here; each has one at least.
void readFirst(void **Arguments) {
  if (Arguments)
    (void)*static_cast<volatile unsigned char *>(*Arguments);
}

cudaError_t addNode(cudaGraphNode_t *Made, cudaGraph_t To) {
  Graphs.use(To);
  auto &Count = *reinterpret_cast<size_t *>(To);
  *Made = reinterpret_cast<cudaGraphNode_t>(++Count);
  return done();
}

/// Memory that copies and fills of graphs name, and that of graphs which are
/// being made: as CUDA's own, this one does not expect it to go away meanwhile.
std::mutex NamedLock;
std::map<cudaGraph_t, std::set<const void *>> Named;
std::set<const void *> NeededNow;

cudaError_t nameMemory(cudaGraph_t In, const void *What) {
  const std::lock_guard<std::mutex> Held(NamedLock);
  if (!Memory.has(What) && !PoolMemory.has(What))
    return cudaErrorInvalidValue;
  Named[In].insert(What);
  return cudaSuccess;
}

void makeFrom(cudaGraph_t Graph) {
  std::set<const void *> Mine;
  {
    const std::lock_guard<std::mutex> Held(NamedLock);
    Mine = Named[Graph];
    for (const void *Each : Mine)
      if (!PoolMemory.has(Each))
        Memory.use(Each);
    NeededNow = Mine;
  }
  takes(std::chrono::milliseconds(1));
  const std::lock_guard<std::mutex> Held(NamedLock);
  NeededNow.clear();
}

void mustBeUnused(const void *Address) {
  const std::lock_guard<std::mutex> Held(NamedLock);
  Memory.mustBeUnused(Address, NeededNow);
}

/// Copies and fills that nodes make, of a graph or an executable one. They are
/// of the allocations that were there when they were set: other memory of the
/// same address ends CUDA's own, where it comes from the host, or else a tool
/// that looks at the graph.
class MemoryNodes {
public:
  void setCopy(const void *Of, cudaGraphNode_t Node, const void *To,
               const void *From, cudaMemcpyKind Kind) {
    const bool FromHost = Kind == cudaMemcpyHostToDevice;
    set(Of, Node,
        {To, From, FromHost, MemorySizes.numberOf(To),
         sourceOf(From, FromHost)});
  }
  void setFill(const void *Of, cudaGraphNode_t Node, const void *To) {
    set(Of, Node,
        {To, To, false, MemorySizes.numberOf(To), MemorySizes.numberOf(To)});
  }
  void copy(const void *To, const void *From) {
    const std::lock_guard<std::mutex> Held(Lock);
    All[To] = All[From];
  }
  void remove(const void *Of) {
    const std::lock_guard<std::mutex> Held(Lock);
    All.erase(Of);
  }
  void use(const void *Of) {
    const std::lock_guard<std::mutex> Held(Lock);
    for (const auto &[Node, Each] : All[Of]) {
      check(!Each.FromHost || Each.Source != 0, Each.From,
            "which is not pinned");
      check(Each.Source == sourceOf(Each.From, Each.FromHost), Each.From,
            "where other memory was before");
      check(Each.Target == MemorySizes.numberOf(Each.To), Each.To,
            "where other memory was before");
    }
  }

private:
  struct Named {
    const void *To = nullptr, *From = nullptr;
    bool FromHost = false;
    size_t Target = 0, Source = 0; ///< Numbers of allocations.
  };
  static size_t sourceOf(const void *From, bool FromHost) {
    return (FromHost ? HostSizes : MemorySizes).numberOf(From);
  }
  void set(const void *Of, cudaGraphNode_t Node, const Named &What) {
    const std::lock_guard<std::mutex> Held(Lock);
    All[Of][Node] = What;
  }
  static void check(bool Fine, const void *What, const char *Otherwise) {
    if (Fine)
      return;
    std::fprintf(stderr, "fake CUDA: a graph's node names %p, %s\n", What,
                 Otherwise);
    std::abort();
  }

  std::mutex Lock;
  std::map<const void *, std::map<cudaGraphNode_t, Named>> All;
};
MemoryNodes OfMemory;

cudaError_t setNode(cudaGraphExec_t Of) {
  Ready.use(Of);
  return done();
}

} // namespace

extern "C" {

void **__cudaRegisterFatBinary(void *) {
  static void *Handle;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
void __cudaRegisterFunction(void **, const char *, char *, const char *, int,
                            uint3 *, uint3 *, dim3 *, dim3 *, int *) {}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int,
                       int) {}

const char *cudaGetErrorString(cudaError_t) { return "an error"; }
const char *cudaGetErrorName(cudaError_t) { return "cudaError"; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int,
                                            cudaChannelFormatKind) {
  return {};
}

cudaError_t cudaGetDeviceCount(int *Count) {
  *Count = 1;
  return done();
}
cudaError_t cudaGetDevice(int *Number) {
  *Number = CurrentDevice;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int Number) {
  CurrentDevice = Number;
  return done();
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *Into, int) {
  *Into = {};
  std::strcpy(Into->name, "fake");
  Into->major = 9;
  return done();
}
cudaError_t cudaDeviceGetAttribute(int *Value, cudaDeviceAttr Which, int) {
  *Value = Which == cudaDevAttrMaxSharedMemoryPerBlockOptin ? 232448
           : Which == cudaDevAttrPageableMemoryAccess       ? 0
                                                            : 132;
  return done();
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *Into, const void *) {
  *Into = {};
  Into->maxThreadsPerBlock = 1024;
  return done();
}
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) {
  return done();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks,
                                                          const void *,
                                                          int Threads, size_t) {
  *Blocks = 2048 / Threads;
  return done();
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *Into,
                                     const void *Address) {
  *Into = {};
  Into->type = MemorySizes.has(Address) ? cudaMemoryTypeDevice
               : HostSizes.has(Address) ? cudaMemoryTypeHost
                                        : cudaMemoryTypeUnregistered;
  return done();
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *) {
  return done();
}

cudaError_t cudaMalloc(void **Into, size_t Bytes) {
  *Into = std::calloc(1, Bytes);
  Memory.add(*Into);
  MemorySizes.add(*Into, Bytes);
  return done();
}
/// Also of memory of a pool, when all that uses it is done.
cudaError_t cudaFree(void *Address) {
  if (!Address)
    return done();
  mustBeUnused(Address);
  Order.waitedForAll();
  MemorySizes.remove(Address);
  return destroy(Address, PoolMemory.has(Address) ? PoolMemory : Memory);
}
cudaError_t cudaHostAlloc(void **Into, size_t Bytes, unsigned) {
  takes(std::chrono::milliseconds(1));
  *Into = std::calloc(1, Bytes);
  HostMemory.add(*Into);
  HostSizes.add(*Into, Bytes);
  return done();
}
cudaError_t cudaMallocHost(void **Into, size_t Bytes) {
  return cudaHostAlloc(Into, Bytes, 0);
}
cudaError_t cudaFreeHost(void *Address) {
  mustBeUnused(Address);
  HostSizes.remove(Address);
  return destroy(Address, HostMemory);
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *Into, const cudaMemPoolProps *) {
  static size_t Pool;
  *Into = reinterpret_cast<cudaMemPool_t>(&Pool);
  return done();
}
cudaError_t cudaMallocFromPoolAsync(void **Into, size_t Bytes, cudaMemPool_t,
                                    cudaStream_t Stream) {
  takes(std::chrono::milliseconds(3));
  *Into = std::malloc(Bytes);
  PoolMemory.add(*Into);
  return onStream(Stream);
}
cudaError_t cudaFreeAsync(void *Address, cudaStream_t Stream) {
  Streams.use(Stream);
  mustBeUnused(Address);
  return destroy(Address, PoolMemory);
}
cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind) {
  std::memmove(To, From, Bytes);
  Order.copy(To, From, Bytes, nullptr);
  return done();
}
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind, cudaStream_t Stream) {
  std::memmove(To, From, Bytes);
  Order.copy(To, From, Bytes, Stream);
  return onStream(Stream);
}
cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes,
                            cudaStream_t Stream) {
  std::memset(To, Value, Bytes);
  Order.fill(To, Bytes, Stream);
  return onStream(Stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *Into, unsigned Flags) {
  const cudaError_t Error = make(Into, Streams);
  Order.made(*Into, Flags);
  return Error;
}
cudaError_t cudaStreamCreate(cudaStream_t *Into) {
  return cudaStreamCreateWithFlags(Into, cudaStreamDefault);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *Into, unsigned Flags,
                                         int) {
  return cudaStreamCreateWithFlags(Into, Flags);
}
cudaError_t cudaStreamGetPriority(cudaStream_t Stream, int *Into) {
  *Into = 0;
  return onStream(Stream);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t Stream, cudaEvent_t Event,
                                unsigned) {
  Events.use(Event);
  Order.waits(Stream, Event);
  return onStream(Stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t Stream) {
  return destroy(Stream, Streams);
}
cudaError_t cudaStreamSynchronize(cudaStream_t Stream) {
  takes(std::chrono::microseconds(100));
  Order.waited(Stream);
  return onStream(Stream);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Into) {
  *Into = cudaStreamCaptureStatusNone;
  return onStream(Stream);
}
cudaError_t cudaDeviceSynchronize() {
  takes(std::chrono::microseconds(100));
  Order.waitedForAll();
  return done();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *Into, unsigned) {
  return make(Into, Events);
}
cudaError_t cudaEventRecord(cudaEvent_t Event, cudaStream_t Stream) {
  Events.use(Event);
  Order.recorded(Event, Stream);
  return onStream(Stream);
}
cudaError_t cudaEventQuery(cudaEvent_t Event) {
  thread_local std::minstd_rand Random;
  Events.use(Event);
  return Random() % 2 ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float *Into, cudaEvent_t First,
                                 cudaEvent_t Last) {
  thread_local std::minstd_rand Random;
  Events.use(First);
  Events.use(Last);
  *Into = 0.1f + float(Random() % 8) / 64;
  return done();
}
cudaError_t cudaEventDestroy(cudaEvent_t Event) {
  return destroy(Event, Events);
}

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **Arguments, size_t,
                             cudaStream_t Stream) {
  readFirst(Arguments);
  Order.launch(Arguments, Stream);
  return onStream(Stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *How, const void *,
                                void **Arguments) {
  readFirst(Arguments);
  Order.launch(Arguments, How->stream);
  return onStream(How->stream);
}

cudaError_t cudaGraphCreate(cudaGraph_t *Into, unsigned) {
  return make(Into, Graphs);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *Made, cudaGraph_t To,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *What) {
  readFirst(What->kernelParams);
  return addNode(Made, To);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *Made, cudaGraph_t To,
                                     const cudaGraphNode_t *, size_t,
                                     void *Into, const void *From, size_t,
                                     cudaMemcpyKind Kind) {
  cudaError_t Error = nameMemory(To, Into);
  if (Error == cudaSuccess && Kind == cudaMemcpyDeviceToDevice)
    Error = nameMemory(To, From);
  if (Error == cudaSuccess)
    Error = addNode(Made, To);
  OfMemory.setCopy(To, *Made, Into, From, Kind);
  return Error;
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *Made, cudaGraph_t To,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaMemsetParams *What) {
  cudaError_t Error = nameMemory(To, What->dst);
  if (Error == cudaSuccess)
    Error = addNode(Made, To);
  OfMemory.setFill(To, *Made, What->dst);
  return Error;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t To, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *,
                                     const cudaGraphEdgeData *, size_t) {
  Graphs.use(To);
  return done();
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *Into, cudaGraph_t From,
                                 unsigned long long) {
  Graphs.use(From);
  makeFrom(From);
  const cudaError_t Error = make(Into, Ready);
  OfMemory.copy(*Into, From);
  return Error;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t What, cudaStream_t Stream) {
  Ready.use(What);
  return onStream(Stream);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Of,
                                             cudaGraphNode_t,
                                             const cudaKernelNodeParams *What) {
  readFirst(What->kernelParams);
  return setNode(Of);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t Of,
                                               cudaGraphNode_t Node, void *To,
                                               const void *From, size_t,
                                               cudaMemcpyKind Kind) {
  OfMemory.setCopy(Of, Node, To, From, Kind);
  return setNode(Of);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t Of,
                                             cudaGraphNode_t Node,
                                             const cudaMemsetParams *What) {
  OfMemory.setFill(Of, Node, What->dst);
  return setNode(Of);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t What, cudaStream_t Stream) {
  Ready.use(What);
  OfMemory.use(What);
  return onStream(Stream);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t What) {
  OfMemory.remove(What);
  return destroy(What, Ready);
}
cudaError_t cudaGraphDestroy(cudaGraph_t What) {
  {
    const std::lock_guard<std::mutex> Held(NamedLock);
    Named.erase(What);
  }
  OfMemory.remove(What);
  return destroy(What, Graphs);
}

} // extern "C"
