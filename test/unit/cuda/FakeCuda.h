// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a CUDA runtime for tests that have no GPU: it notes what it is
// asked, and says what a GPU with 132 processors would.

#ifndef BLOCKMAESTRO_TEST_UNIT_CUDA_FAKECUDA_H
#define BLOCKMAESTRO_TEST_UNIT_CUDA_FAKECUDA_H

#include "CudaLibrary.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace blockmaestro {

struct Registered {
  void **Handle;
  const void *Key;
  std::string Symbol;
};

inline std::vector<Registered> Functions;
inline std::vector<std::string> Variables;
inline std::vector<void **> Unregistered;
inline void *Handles[4];
inline unsigned NextHandle = 0;

inline RegistrationCalls fakeRegistration() {
  RegistrationCalls Out;
  Functions.clear();
  Variables.clear();
  Unregistered.clear();
  NextHandle = 0;
  Out.RegisterFatBinary = [](void *) -> void ** {
    return &Handles[NextHandle++];
  };
  Out.RegisterFatBinaryEnd = [](void **) {};
  Out.UnregisterFatBinary = [](void **H) { Unregistered.push_back(H); };
  Out.RegisterFunction = [](void **H, const char *Stub, char *,
                            const char *Name, int, uint3 *, uint3 *, dim3 *,
                            dim3 *,
                            int *) { Functions.push_back({H, Stub, Name}); };
  Out.RegisterVar = [](void **, char *, char *, const char *Name, int, size_t,
                       int, int) { Variables.push_back(Name); };
  return Out;
}

inline KernelRecord kernel(const std::string &Symbol, bool Prelaunch,
                           int Case) {
  KernelRecord Out;
  Out.Symbol = Out.Name = Symbol;
  Out.add(Feature::Volatile); // It keeps its place among others.
  if (Prelaunch) {
    Out.PdlSymbol = Symbol + "$bm_pdl";
    Out.PrelaunchSymbol = Symbol + "$bm_prelaunch";
    Out.TimedSymbol = Symbol + "$bm_timed";
  }
  Out.PersistentCase = Case;
  return Out;
}

/// Two kernels with all forms, one with none, and their module.
struct Program {
  ModuleRecord Record;
  RegisteredModule Module;
  char Stubs[3] = {};
  int HostVariable = 0;

  Program() {
    Record.Kernels = {kernel("a", true, 0), kernel("b", true, 1),
                      kernel("c", false, -1)};
    Record.PersistentSymbol = "bm_persistent_1";
    for (unsigned I = 0; I < 3; ++I)
      Module.Functions.push_back({&Stubs[I], Record.Kernels[I].Symbol,
                                  /*ThreadLimit=*/-1, &Record.Kernels[I]});
    Module.Records = {&Record};
    Record.Globals = {{"table", 4, false}};
    Module.Variables.push_back({&HostVariable, "table", 4, false, false});
  }
};

struct FakeLaunch {
  cudaLaunchConfig_t Config;
  std::vector<cudaLaunchAttribute> Attributes;
  const void *Key;
};

inline std::vector<FakeLaunch> Launches;

/// Of the last graph.
struct FakeEdge {
  size_t From, To;
  cudaGraphEdgeData How;
};
inline std::vector<cudaKernelNodeParams> Nodes; ///< Copies have no function.
inline std::vector<FakeEdge> Edges;
struct FakeRow {
  void *To;
  const void *From;
  size_t Count;
  cudaMemcpyKind Kind;
};
inline std::vector<FakeRow> Rows; ///< Copied by calls, or set in nodes.
inline std::vector<cudaMemsetParams> Fills; ///< Set in nodes.
inline cudaMemoryType MemoryKind = cudaMemoryTypeDevice;
inline int MemoryDevice = 0;
/// Whether kernels may touch all memory of the host.
inline bool ReachesPageable = false;
inline std::vector<int> LaunchedOn; ///< Devices that graphs were launched on.
inline std::vector<int> SharedAsked;
inline unsigned OccupancyAsked = 0;
inline cudaError_t LaunchResult = cudaSuccess;
inline int Generation = 9;
inline thread_local int CurrentDevice = 0;
inline bool Capturing = false;
/// How often it was asked for the current device, or whether a stream is
/// captured.
inline unsigned DeviceAsked = 0, CaptureAsked = 0;
/// Of the stream by which graphs are brought to the device.
inline unsigned UploadFlags = 0;
inline cudaStream_t UploadedTo = nullptr;
inline cudaError_t UploadResult = cudaSuccess;
inline thread_local cudaStreamCaptureMode CaptureMode =
    cudaStreamCaptureModeGlobal;
inline cudaError_t LastError = cudaSuccess;
/// Of asking for memory in the order of a stream.
inline cudaError_t MemoryResult = cudaSuccess;
/// Blocks of this kernel take twice the place.
inline const void *HeavyForm = nullptr;

/// A call in the order of a stream: with the mode of captures and the device
/// that it finds.
struct FakeStreamCall {
  std::string Name;
  cudaStream_t Stream;
  cudaStreamCaptureMode Mode;
  int Device;
};
inline std::vector<FakeStreamCall> StreamCalls;

/// By any thread; chains are made on one of their own.
inline cudaError_t noteCall(const char *Name, cudaStream_t Stream) {
  static std::mutex Lock;
  const std::lock_guard<std::mutex> Held(Lock);
  StreamCalls.push_back({Name, Stream, CaptureMode, CurrentDevice});
  return cudaSuccess;
}

/// Memory, which is the host's, and what is done to it at once.
inline void addMemory(RuntimeCalls &Out) {
  StreamCalls.clear();
  MemoryResult = cudaSuccess;
  Out.cudaMemPoolCreate = [](cudaMemPool_t *Made, const cudaMemPoolProps *) {
    *Made = reinterpret_cast<cudaMemPool_t>(&StreamCalls);
    return cudaSuccess;
  };
  Out.cudaMallocFromPoolAsync = [](void **Memory, size_t Bytes, cudaMemPool_t,
                                   cudaStream_t On) {
    (void)noteCall("allocate", On);
    *Memory = MemoryResult == cudaSuccess ? std::malloc(Bytes) : nullptr;
    return LastError = MemoryResult;
  };
  Out.cudaMemsetAsync = [](void *Memory, int Value, size_t Bytes,
                           cudaStream_t On) {
    std::memset(Memory, Value, Bytes);
    return noteCall("clear", On);
  };
  Out.cudaMemcpyAsync = [](void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind, cudaStream_t On) {
    std::memcpy(To, From, Bytes);
    Rows.push_back({To, From, Bytes, Kind});
    return noteCall("copy", On);
  };
  Out.cudaHostAlloc = [](void **Memory, size_t Bytes, unsigned) {
    *Memory = std::malloc(Bytes);
    return cudaSuccess;
  };
  Out.cudaFree = Out.cudaFreeHost = [](void *Memory) {
    std::free(Memory);
    return cudaSuccess;
  };
  Out.cudaFreeAsync = [](void *Memory, cudaStream_t On) {
    std::free(Memory);
    return noteCall("free", On);
  };
}

/// Events, of which each is a number; so many have been reached.
inline size_t EventsMade = 0, EventsReached = 0, EventsGone = 0;

inline void addEvents(RuntimeCalls &Out) {
  EventsMade = EventsReached = EventsGone = 0;
  Out.cudaEventCreateWithFlags = [](cudaEvent_t *Made, unsigned) {
    *Made = reinterpret_cast<cudaEvent_t>(++EventsMade);
    return cudaSuccess;
  };
  Out.cudaEventRecord = [](cudaEvent_t, cudaStream_t On) {
    return noteCall("record", On);
  };
  Out.cudaEventElapsedTime = [](float *Milliseconds, cudaEvent_t First,
                                cudaEvent_t Last) {
    if (reinterpret_cast<size_t>(Last) > EventsReached)
      return LastError = cudaErrorNotReady;
    *Milliseconds = float(reinterpret_cast<size_t>(Last) -
                          reinterpret_cast<size_t>(First)) /
                    4;
    return cudaSuccess;
  };
  Out.cudaEventQuery = [](cudaEvent_t What) {
    if (reinterpret_cast<size_t>(What) > EventsReached)
      return LastError = cudaErrorNotReady;
    return cudaSuccess;
  };
  Out.cudaEventDestroy = [](cudaEvent_t) {
    ++EventsGone;
    return cudaSuccess;
  };
  Out.cudaStreamWaitEvent = [](cudaStream_t On, cudaEvent_t, unsigned) {
    return noteCall("wait", On);
  };
}

/// Streams of ours beside those of the program.
inline size_t SidesMade = 0, SidesGone = 0;
inline unsigned SideFlags = 0;
inline int SidePriority = 0, OwnPriority = 0;

inline void addSides(RuntimeCalls &Out) {
  SidesMade = SidesGone = 0;
  OwnPriority = 0;
  Out.cudaStreamGetPriority = [](cudaStream_t, int *Into) {
    *Into = OwnPriority;
    return cudaSuccess;
  };
  Out.cudaStreamCreateWithPriority = [](cudaStream_t *Made, unsigned Flags,
                                        int Priority) {
    constexpr size_t FirstName = 0x1000;
    *Made = reinterpret_cast<cudaStream_t>(FirstName + ++SidesMade);
    SideFlags = Flags;
    SidePriority = Priority;
    return noteCall("make", *Made);
  };
  Out.cudaStreamDestroy = [](cudaStream_t) {
    ++SidesGone;
    return cudaSuccess;
  };
}

inline RuntimeCalls fakeRuntime() {
  RuntimeCalls Out;
  Launches.clear();
  SharedAsked.clear();
  OccupancyAsked = 0;
  LaunchResult = LastError = cudaSuccess;
  Generation = 9;
  CurrentDevice = 0;
  Capturing = false;
  DeviceAsked = CaptureAsked = 0;
  HeavyForm = nullptr;
  Nodes.clear();
  Edges.clear();
  Rows.clear();
  Fills.clear();
  MemoryKind = cudaMemoryTypeDevice;
  MemoryDevice = 0;
  ReachesPageable = false;
  LaunchedOn.clear();
  UploadFlags = 0;
  UploadedTo = nullptr;
  UploadResult = cudaSuccess;
  CaptureMode = cudaStreamCaptureModeGlobal;
  addMemory(Out);
  addEvents(Out);
  addSides(Out);
  Out.cudaLaunchKernelExC = [](const cudaLaunchConfig_t *Config,
                               const void *Key, void **) {
    Launches.push_back(
        {*Config, {Config->attrs, Config->attrs + Config->numAttrs}, Key});
    return LaunchResult;
  };
  Out.cudaFuncSetAttribute = [](const void *, cudaFuncAttribute, int Value) {
    SharedAsked.push_back(Value);
    return cudaSuccess;
  };
  Out.cudaDeviceGetAttribute = [](int *Value, cudaDeviceAttr Which, int) {
    bool Shared = Which == cudaDevAttrMaxSharedMemoryPerBlockOptin;
    *Value = Shared                                     ? 232448
             : Which == cudaDevAttrPageableMemoryAccess ? ReachesPageable
                                                        : 132;
    return cudaSuccess;
  };
  Out.cudaGetDeviceProperties = [](cudaDeviceProp *Into, int) {
    *Into = {};
    Into->major = Generation;
    return cudaSuccess;
  };
  Out.cudaGetDevice = [](int *Number) {
    ++DeviceAsked;
    *Number = CurrentDevice;
    return cudaSuccess;
  };
  Out.cudaStreamIsCapturing = [](cudaStream_t, cudaStreamCaptureStatus *Into) {
    ++CaptureAsked;
    *Into =
        Capturing ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  };
  Out.cudaLaunchKernel = [](const void *Key, dim3 Grid, dim3 Block, void **,
                            size_t Shared, cudaStream_t Stream) {
    cudaLaunchConfig_t Config = {};
    Config.gridDim = Grid;
    Config.blockDim = Block;
    Config.dynamicSmemBytes = Shared;
    Config.stream = Stream;
    Launches.push_back({Config, {}, Key});
    return LaunchResult;
  };
  Out.cudaSetDevice = [](int Number) {
    CurrentDevice = Number;
    return cudaSuccess;
  };
  Out.cudaGraphCreate = [](cudaGraph_t *Made, unsigned) {
    *Made = reinterpret_cast<cudaGraph_t>(&Nodes);
    Nodes.clear();
    return cudaSuccess;
  };
  Out.cudaGraphAddKernelNode = [](cudaGraphNode_t *Made, cudaGraph_t,
                                  const cudaGraphNode_t *, size_t,
                                  const cudaKernelNodeParams *What) {
    Nodes.push_back(*What);
    *Made = reinterpret_cast<cudaGraphNode_t>(Nodes.size());
    return cudaSuccess;
  };
  Out.cudaGraphAddMemcpyNode1D =
      [](cudaGraphNode_t *Made, cudaGraph_t, const cudaGraphNode_t *, size_t,
         void *To, const void *From, size_t Count, cudaMemcpyKind Kind) {
        Nodes.push_back({});
        *Made = reinterpret_cast<cudaGraphNode_t>(Nodes.size());
        Rows.push_back({To, From, Count, Kind});
        return cudaSuccess;
      };
  Out.cudaGraphExecMemcpyNodeSetParams1D =
      [](cudaGraphExec_t, cudaGraphNode_t, void *To, const void *From,
         size_t Count, cudaMemcpyKind Kind) {
        Rows.push_back({To, From, Count, Kind});
        return cudaSuccess;
      };
  Out.cudaGraphAddMemsetNode = [](cudaGraphNode_t *Made, cudaGraph_t,
                                  const cudaGraphNode_t *, size_t,
                                  const cudaMemsetParams *What) {
    Nodes.push_back({});
    *Made = reinterpret_cast<cudaGraphNode_t>(Nodes.size());
    Fills.push_back(*What);
    return cudaSuccess;
  };
  Out.cudaGraphExecMemsetNodeSetParams = [](cudaGraphExec_t, cudaGraphNode_t,
                                            const cudaMemsetParams *What) {
    Fills.push_back(*What);
    return cudaSuccess;
  };
  Out.cudaPointerGetAttributes = [](cudaPointerAttributes *Into, const void *) {
    *Into = {};
    Into->type = MemoryKind;
    Into->device = MemoryDevice;
    return cudaSuccess;
  };
  Out.cudaGraphAddDependencies =
      [](cudaGraph_t, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
         const cudaGraphEdgeData *How, size_t Count) {
        for (size_t I = 0; I < Count; ++I)
          Edges.push_back({reinterpret_cast<size_t>(From[I]),
                           reinterpret_cast<size_t>(To[I]), How[I]});
        return cudaSuccess;
      };
  Out.cudaGraphInstantiate = [](cudaGraphExec_t *Made, cudaGraph_t,
                                unsigned long long) {
    *Made = reinterpret_cast<cudaGraphExec_t>(&Nodes);
    return cudaSuccess;
  };
  Out.cudaGraphExecKernelNodeSetParams = [](cudaGraphExec_t,
                                            cudaGraphNode_t Node,
                                            const cudaKernelNodeParams *What) {
    Nodes.at(reinterpret_cast<size_t>(Node) - 1) = *What;
    return cudaSuccess;
  };
  Out.cudaGraphLaunch = [](cudaGraphExec_t, cudaStream_t Stream) {
    for (const cudaKernelNodeParams &Each : Nodes) {
      cudaLaunchConfig_t Config = {};
      Config.gridDim = Each.gridDim;
      Config.blockDim = Each.blockDim;
      Config.dynamicSmemBytes = Each.sharedMemBytes;
      Config.stream = Stream;
      Launches.push_back({Config, {}, Each.func});
    }
    LaunchedOn.push_back(CurrentDevice);
    return LaunchResult;
  };
  Out.cudaStreamCreateWithFlags = [](cudaStream_t *Made, unsigned Flags) {
    *Made = reinterpret_cast<cudaStream_t>(&UploadFlags);
    UploadFlags = Flags;
    return cudaSuccess;
  };
  Out.cudaStreamSynchronize = [](cudaStream_t Stream) {
    UploadedTo = Stream;
    return cudaSuccess;
  };
  Out.cudaGraphUpload = [](cudaGraphExec_t, cudaStream_t) {
    return UploadResult;
  };
  Out.cudaThreadExchangeStreamCaptureMode = [](cudaStreamCaptureMode *Mode) {
    std::swap(*Mode, CaptureMode);
    return cudaSuccess;
  };
  Out.cudaGraphExecDestroy = [](cudaGraphExec_t) { return cudaSuccess; };
  Out.cudaGraphDestroy = [](cudaGraph_t) { return cudaSuccess; };
  Out.cudaPeekAtLastError = [] { return LastError; };
  Out.cudaGetLastError = [] { return std::exchange(LastError, cudaSuccess); };
  Out.cudaOccupancyMaxActiveBlocksPerMultiprocessor =
      [](int *Blocks, const void *Key, int Threads, size_t) {
        ++OccupancyAsked;
        *Blocks = (Key == HeavyForm ? 512 : 1024) / Threads;
        return cudaSuccess;
      };
  Out.cudaFuncGetAttributes = [](cudaFuncAttributes *Into, const void *Key) {
    *Into = {};
    Into->numRegs = Key == HeavyForm ? 255 : 40;
    Into->maxThreadsPerBlock = 640;
    Into->sharedSizeBytes = 2448;
    Into->maxDynamicSharedSizeBytes = 46704;
    return cudaSuccess;
  };
  Out.cudaGetErrorString = [](cudaError_t) { return "it went wrong"; };
  return Out;
}

} // namespace blockmaestro

#endif
