// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: calls of CUDA's runtime that CUDA 13 removed, or whose arguments
// it changed, by those that it has. On the data's way: the drivers hand clang
// the toolkit's cuda_runtime_api.h with this behind it. Invariants: templates,
// so that a program's own functions of these names win; nothing where the
// toolkit is older.

#ifndef BLOCKMAESTRO_REMOVED_CALLS_H
#define BLOCKMAESTRO_REMOVED_CALLS_H
#if CUDART_VERSION >= 13000 && defined(__cplusplus)
#pragma GCC system_header

#include <blockmaestro/removed_members.h>

#define BLOCKMAESTRO_CALL(Instead)                                             \
  template <int = 0> BLOCKMAESTRO_REMOVED(Instead) inline cudaError_t

// Threads, as processes of a device were called.

BLOCKMAESTRO_CALL("cudaDeviceSynchronize") cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
BLOCKMAESTRO_CALL("cudaDeviceReset") cudaThreadExit() {
  return cudaDeviceReset();
}
BLOCKMAESTRO_CALL("cudaDeviceSetLimit")
cudaThreadSetLimit(cudaLimit Limit, size_t Value) {
  return cudaDeviceSetLimit(Limit, Value);
}
BLOCKMAESTRO_CALL("cudaDeviceGetLimit")
cudaThreadGetLimit(size_t *Value, cudaLimit Limit) {
  return cudaDeviceGetLimit(Value, Limit);
}
BLOCKMAESTRO_CALL("cudaDeviceGetCacheConfig")
cudaThreadGetCacheConfig(cudaFuncCache *Config) {
  return cudaDeviceGetCacheConfig(Config);
}
BLOCKMAESTRO_CALL("cudaDeviceSetCacheConfig")
cudaThreadSetCacheConfig(cudaFuncCache Config) {
  return cudaDeviceSetCacheConfig(Config);
}
BLOCKMAESTRO_CALL("the double as it is") cudaSetDoubleForDevice(double *) {
  return cudaSuccess;
}
BLOCKMAESTRO_CALL("the double as it is") cudaSetDoubleForHost(double *) {
  return cudaSuccess;
}

// Devices by their number, where a cudaMemLocation is wanted now.

static inline cudaMemLocation blockmaestro_location(int Device) {
  cudaMemLocation Location = {};
  Location.type = Device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                            : cudaMemLocationTypeDevice;
  Location.id = Device == cudaCpuDeviceId ? 0 : Device;
  return Location;
}
BLOCKMAESTRO_CALL("a cudaMemLocation for the device")
cudaMemAdvise(const void *Memory, size_t Count, cudaMemoryAdvise Advice,
              int Device) {
  return cudaMemAdvise(Memory, Count, Advice, blockmaestro_location(Device));
}
BLOCKMAESTRO_CALL("a cudaMemLocation for the device")
cudaMemPrefetchAsync(const void *Memory, size_t Count, int Device,
                     cudaStream_t Stream = nullptr) {
  return cudaMemPrefetchAsync(Memory, Count, blockmaestro_location(Device), 0,
                              Stream);
}
BLOCKMAESTRO_CALL("cudaMemAdvise")
cudaMemAdvise_v2(const void *Memory, size_t Count, cudaMemoryAdvise Advice,
                 cudaMemLocation Location) {
  return cudaMemAdvise(Memory, Count, Advice, Location);
}
BLOCKMAESTRO_CALL("cudaMemPrefetchAsync")
cudaMemPrefetchAsync_v2(const void *Memory, size_t Count,
                        cudaMemLocation Location, unsigned Flags,
                        cudaStream_t Stream = nullptr) {
  return cudaMemPrefetchAsync(Memory, Count, Location, Flags, Stream);
}

// Graphs, before their edges had data.

#define BLOCKMAESTRO_EDGES "the form with edge data, which may be null"
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphAddDependencies(cudaGraph_t Graph, const cudaGraphNode_t *From,
                         const cudaGraphNode_t *To, size_t Count) {
  return cudaGraphAddDependencies(Graph, From, To, nullptr, Count);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphRemoveDependencies(cudaGraph_t Graph, const cudaGraphNode_t *From,
                            const cudaGraphNode_t *To, size_t Count) {
  return cudaGraphRemoveDependencies(Graph, From, To, nullptr, Count);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphGetEdges(cudaGraph_t Graph, cudaGraphNode_t *From, cudaGraphNode_t *To,
                  size_t *Count) {
  return cudaGraphGetEdges(Graph, From, To, nullptr, Count);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphNodeGetDependencies(cudaGraphNode_t Node, cudaGraphNode_t *Nodes,
                             size_t *Count) {
  return cudaGraphNodeGetDependencies(Node, Nodes, nullptr, Count);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphNodeGetDependentNodes(cudaGraphNode_t Node, cudaGraphNode_t *Nodes,
                               size_t *Count) {
  return cudaGraphNodeGetDependentNodes(Node, Nodes, nullptr, Count);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaGraphAddNode(cudaGraphNode_t *Node, cudaGraph_t Graph,
                 const cudaGraphNode_t *Before, size_t Count,
                 cudaGraphNodeParams *Parameters) {
  return cudaGraphAddNode(Node, Graph, Before, nullptr, Count, Parameters);
}
BLOCKMAESTRO_CALL(BLOCKMAESTRO_EDGES)
cudaStreamUpdateCaptureDependencies(cudaStream_t Stream, cudaGraphNode_t *Nodes,
                                    size_t Count, unsigned Flags = 0) {
  return cudaStreamUpdateCaptureDependencies(Stream, Nodes, nullptr, Count,
                                             Flags);
}
BLOCKMAESTRO_CALL("cudaStreamGetCaptureInfo, which has edge data too")
cudaStreamGetCaptureInfo_v2(cudaStream_t Stream,
                            cudaStreamCaptureStatus *Status,
                            unsigned long long *Id = nullptr,
                            cudaGraph_t *Graph = nullptr,
                            const cudaGraphNode_t **Nodes = nullptr,
                            size_t *Count = nullptr) {
  return cudaStreamGetCaptureInfo(Stream, Status, Id, Graph, Nodes, nullptr,
                                  Count);
}
BLOCKMAESTRO_CALL("cudaStreamGetCaptureInfo")
cudaStreamGetCaptureInfo_v3(cudaStream_t Stream,
                            cudaStreamCaptureStatus *Status,
                            unsigned long long *Id = nullptr,
                            cudaGraph_t *Graph = nullptr,
                            const cudaGraphNode_t **Nodes = nullptr,
                            const cudaGraphEdgeData **Edges = nullptr,
                            size_t *Count = nullptr) {
  return cudaStreamGetCaptureInfo(Stream, Status, Id, Graph, Nodes, Edges,
                                  Count);
}
BLOCKMAESTRO_CALL("cudaEventElapsedTime")
cudaEventElapsedTime_v2(float *Milliseconds, cudaEvent_t Start,
                        cudaEvent_t End) {
  return cudaEventElapsedTime(Milliseconds, Start, End);
}

// One cooperative launch on each of several devices, whose grids could wait for
// each other; now only on one.

struct cudaLaunchParams {
  void *func;
  dim3 gridDim;
  dim3 blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
};
BLOCKMAESTRO_CALL("cudaLaunchCooperativeKernel")
cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *Launch, unsigned Count,
                                       unsigned Flags = 0) {
  if (Count != 1)
    return Count ? cudaErrorNotSupported : cudaErrorInvalidValue;
  return cudaLaunchCooperativeKernel(Launch->func, Launch->gridDim,
                                     Launch->blockDim, Launch->args,
                                     Launch->sharedMem, Launch->stream);
}
enum : unsigned {
  cudaCooperativeLaunchMultiDeviceNoPreSync BLOCKMAESTRO_REMOVED("no flag") = 1,
  cudaCooperativeLaunchMultiDeviceNoPostSync BLOCKMAESTRO_REMOVED("no flag") =
      2,
};

#undef BLOCKMAESTRO_CALL
#undef BLOCKMAESTRO_EDGES

// Members of cudaDeviceProp that are attributes now.

#ifdef BLOCKMAESTRO_CUDA_COMPAT
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline cudaError_t blockmaestro_device_properties(cudaDeviceProp *Of,
                                                         int Device) {
  cudaError_t Status = cudaGetDeviceProperties(Of, Device);
#define BLOCKMAESTRO_GET_MEMBER(Name, Attribute)                               \
  if (Status == cudaSuccess)                                                   \
    Status = cudaDeviceGetAttribute(&Of->Name, Attribute, Device);
#define BLOCKMAESTRO_LEAVE_ZERO(Name)
  BLOCKMAESTRO_REMOVED_MEMBERS(BLOCKMAESTRO_GET_MEMBER, BLOCKMAESTRO_LEAVE_ZERO)
#undef BLOCKMAESTRO_GET_MEMBER
#undef BLOCKMAESTRO_LEAVE_ZERO
  return Status;
}
#pragma clang diagnostic pop
#define cudaGetDeviceProperties(...) blockmaestro_device_properties(__VA_ARGS__)
#define cudaGetDeviceProperties_v2(...)                                        \
  blockmaestro_device_properties(__VA_ARGS__)
#endif

#endif
#endif
