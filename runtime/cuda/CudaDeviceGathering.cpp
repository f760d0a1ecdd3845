// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What an executor may take of the program's calls: launches, copies, records
// and waits of events, and the memory and streams that they name.

#include "CudaDeviceImpl.h"

#include "CallsUnderWay.h"
#include "OwnErrors.h"
#include "Registry.h"

#include <optional>

namespace blockmaestro {

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

/// Whether a launch of a known kernel has its arguments and a shape.
static bool isWhole(const LaunchRequest &What) {
  return (What.Args || What.Known->Record->Parameters.empty()) &&
         isShape(sizeOf(What.Grid), sizeOf(What.Block));
}

/// Whether the launch has gone. One that the executor cannot look at goes as it
/// is; so does one that the GPU would not run.
Result<bool> CudaDevice::share(const LaunchRequest &What) {
  const bool Possible = What.Known && What.Known->usable() && isWhole(What) &&
                        acceptsStream(What.Stream).ok() && formOf(What).Key;
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
  const bool Possible = What.Known && What.Known->usable() && isWhole(What) &&
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
  const bool Possible = Form && isWhole(What) && mayGather(What.Stream);
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

} // namespace blockmaestro
