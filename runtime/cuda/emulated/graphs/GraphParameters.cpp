// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphParameters.h"

#include "CommandOf.h"
#include "CommandWork.h"
#include "EngineState.h"
#include "Events.h"
#include "Launches.h"
#include "Symbols.h"

#include <utility>

namespace blockmaestro::emulated {
namespace {

/// Keeps the command when the engine could do it.
cudaError_t checked(Command What, Command &Out) {
  Work Unused;
  cudaError_t Error = engineWork(What, Unused);
  if (Error == cudaSuccess)
    Out = std::move(What);
  return Error;
}

bool isEvent(cudaEvent_t Event) {
  OperationRef Ignored;
  return eventOperation(Event, Ignored) == cudaSuccess;
}

/// The words of cudaKernelNodeParams::extra.
struct ExtraArguments {
  char *Buffer = nullptr;
  size_t Bytes = 0;
};

bool readExtra(void **Extra, ExtraArguments &Out) {
  constexpr uintptr_t End = 0, Buffer = 1, Size = 2;
  for (; *Extra; Extra += 2) {
    auto Name = reinterpret_cast<uintptr_t>(*Extra);
    if (Name == Buffer)
      Out.Buffer = static_cast<char *>(Extra[1]);
    else if (Name == Size && Extra[1])
      Out.Bytes = *static_cast<size_t *>(Extra[1]);
    else
      return Name == End;
  }
  return Out.Buffer;
}

/// Arguments that lie in one piece, as pointers to each.
cudaError_t spreadExtra(const cudaKernelNodeParams &From,
                        std::vector<void *> &Out) {
  ExtraArguments Packed;
  const KernelRecord *Record = recordOf(engineState(), From.func);
  if (!Record)
    return cudaErrorInvalidDeviceFunction;
  if (!readExtra(From.extra, Packed) || Packed.Bytes < Record->ArgumentBytes)
    return cudaErrorInvalidValue;
  for (const Parameter &Each : Record->Parameters)
    Out.push_back(Packed.Buffer + Each.Offset);
  return cudaSuccess;
}

} // namespace

cudaError_t commandOf(const cudaKernelNodeParams &From, Command &Out) {
  if (!From.func || (From.kernelParams && From.extra))
    return cudaErrorInvalidValue;
  KernelLaunch Asked;
  Asked.Function = From.func;
  Asked.Grid = From.gridDim;
  Asked.Block = From.blockDim;
  Asked.Args = From.kernelParams;
  Asked.SharedBytes = From.sharedMemBytes;
  std::vector<void *> Arguments;
  if (From.extra) {
    cudaError_t Error = spreadExtra(From, Arguments);
    if (Error != cudaSuccess)
      return Error;
    Asked.Args = Arguments.data();
  }
  Work Made;
  cudaError_t Error = launchWork(Asked, Made);
  if (Error == cudaSuccess)
    Out = LaunchCommand{From.func, Made.Blocks};
  return Error;
}

cudaError_t commandOf(const cudaMemcpy3DParms &From, Command &Out) {
  return checked(CopyCommand{From}, Out);
}

cudaError_t commandOf(const LinearCopyParams &From, Command &Out) {
  return commandOf(linearCopy(From.To, From.From, From.Bytes, From.Kind), Out);
}

cudaError_t commandOf(const SymbolCopyParams &From, Command &Out) {
  const FindSymbol Find = symbolAddress;
  Command What;
  const CommandOf Make{Find, What};
  const void *Address = From.Address;
  cudaError_t Error =
      From.ToSymbol
          ? Make(From.Symbol, Address, From.Bytes, From.Offset, From.Kind)
          : Make(From.Address, From.Symbol, From.Bytes, From.Offset, From.Kind);
  return Error != cudaSuccess ? Error : checked(std::move(What), Out);
}

cudaError_t commandOf(const cudaMemsetParams &From, Command &Out) {
  FillCommand What;
  What.To = From.dst;
  What.Value = From.value;
  What.ElementBytes = From.elementSize;
  What.Width = From.width;
  What.Height = From.height;
  What.Pitch = From.pitch;
  bool Sized =
      From.elementSize == 1 || From.elementSize == 2 || From.elementSize == 4;
  if (!Sized || From.width == 0 || From.height == 0)
    return cudaErrorInvalidValue;
  return checked(What, Out);
}

cudaError_t commandOf(const cudaHostNodeParams &From, Command &Out) {
  if (!From.fn)
    return cudaErrorInvalidValue;
  Out = HostCommand{From.fn, From.userData};
  return cudaSuccess;
}

cudaError_t commandOf(const RecordCommand &From, Command &Out) {
  if (!isEvent(From.Event))
    return cudaErrorInvalidValue;
  Out = From;
  return cudaSuccess;
}

cudaError_t commandOf(const WaitCommand &From, Command &Out) {
  if (!isEvent(From.Event))
    return cudaErrorInvalidValue;
  Out = From;
  return cudaSuccess;
}

static cudaKernelNodeParams plain(const cudaKernelNodeParamsV2 &From) {
  cudaKernelNodeParams Out = {};
  Out.func = From.func;
  Out.gridDim = From.gridDim;
  Out.blockDim = From.blockDim;
  Out.sharedMemBytes = From.sharedMemBytes;
  Out.kernelParams = From.kernelParams;
  Out.extra = From.extra;
  return Out;
}

static cudaMemsetParams plain(const cudaMemsetParamsV2 &From) {
  return {From.dst,         From.pitch, From.value,
          From.elementSize, From.width, From.height};
}

cudaError_t commandOf(const cudaGraphNodeParams &From, Command &Out) {
  switch (From.type) {
  case cudaGraphNodeTypeKernel:
    return commandOf(plain(From.kernel), Out);
  case cudaGraphNodeTypeMemcpy:
    return commandOf(From.memcpy.copyParams, Out);
  case cudaGraphNodeTypeMemset:
    return commandOf(plain(From.memset), Out);
  case cudaGraphNodeTypeHost:
    return commandOf(cudaHostNodeParams{From.host.fn, From.host.userData}, Out);
  case cudaGraphNodeTypeEmpty:
    Out = EmptyCommand{};
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    return commandOf(WaitCommand{From.eventWait.event, cudaEventWaitExternal},
                     Out);
  case cudaGraphNodeTypeEventRecord:
    return commandOf(
        RecordCommand{From.eventRecord.event, cudaEventRecordExternal}, Out);
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait:
  case cudaGraphNodeTypeConditional:
    return cudaErrorNotSupported;
  default:
    return cudaErrorInvalidValue;
  }
}

static dim3 sizeOf(Dim3 Size) { return dim3(Size.X, Size.Y, Size.Z); }

cudaError_t setGrouping(LaunchCommand &Which, bool Cooperative, Dim3 Cluster) {
  const Launch &Old = *Which.What;
  if (Old.Cooperative == Cooperative && Old.Cluster == Cluster)
    return cudaSuccess;
  auto Again = std::make_shared<Launch>(Old);
  Again->Cooperative = Cooperative;
  Again->Cluster = Cluster;
  if (cudaError_t Error = checkLaunch(*Again); Error != cudaSuccess)
    return Error;
  Which.What = std::move(Again);
  return cudaSuccess;
}

cudaError_t keepGrouping(LaunchCommand &Which, const Launch &Of) {
  const bool SameKernel = Which.What->Kernel == Of.Kernel;
  return setGrouping(Which, Of.Cooperative,
                     SameKernel ? Of.Cluster : Which.What->Cluster);
}

cudaError_t setParameters(Command &Which, Command To) {
  if (auto *Old = std::get_if<LaunchCommand>(&Which))
    if (cudaError_t Error =
            keepGrouping(std::get<LaunchCommand>(To), *Old->What);
        Error != cudaSuccess)
      return Error;
  Which = std::move(To);
  return cudaSuccess;
}

bool tell(GraphNode &Node, cudaKernelNodeParams &Out) {
  auto *What = std::get_if<LaunchCommand>(&Node.What);
  if (!What)
    return false;
  auto *Bytes = const_cast<uint8_t *>(What->What->Arguments.data());
  Node.Parameters.clear();
  for (const Parameter &Each : What->What->Kernel->Parameters)
    Node.Parameters.push_back(Bytes + Each.Offset);
  Out.func = const_cast<void *>(What->Stub);
  Out.gridDim = sizeOf(What->What->Grid);
  Out.blockDim = sizeOf(What->What->Block);
  Out.sharedMemBytes = What->What->DynamicSharedBytes;
  Out.kernelParams = Node.Parameters.data();
  Out.extra = nullptr;
  return true;
}

bool tell(const GraphNode &Node, cudaMemcpy3DParms &Out) {
  auto *What = std::get_if<CopyCommand>(&Node.What);
  if (What)
    Out = What->What;
  return What;
}

bool tell(const GraphNode &Node, cudaMemsetParams &Out) {
  auto *What = std::get_if<FillCommand>(&Node.What);
  if (What)
    Out = {What->To,           What->Pitch, What->Value,
           What->ElementBytes, What->Width, What->Height};
  return What;
}

bool tell(const GraphNode &Node, cudaHostNodeParams &Out) {
  auto *What = std::get_if<HostCommand>(&Node.What);
  if (What)
    Out = {What->Function, What->UserData};
  return What;
}

bool tell(const GraphNode &Node, cudaMemAllocNodeParams &Out) {
  auto *What = std::get_if<AllocateCommand>(&Node.What);
  if (What)
    Out = What->What;
  return What;
}

} // namespace blockmaestro::emulated
