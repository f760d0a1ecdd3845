// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"

#include "Arrays.h"
#include "Capture.h"
#include "CommandWork.h"
#include "Copies.h"
#include "EngineState.h"
#include "Events.h"
#include "MemoryState.h"
#include "Streams.h"

#include <optional>
#include <utility>

namespace blockmaestro::emulated {
namespace {

bool callWaits(const Request &Asked) {
  if (auto *Copy = std::get_if<CopyCommand>(&Asked.What))
    return hostWaits(*Copy, Asked.By);
  if (auto *Fill = std::get_if<FillCommand>(&Asked.What))
    return hostWaits(*Fill, Asked.By);
  if (auto *Call = std::get_if<LibraryCommand>(&Asked.What))
    return Call->hostWaits();
  return false;
}

std::vector<TouchedBox> touchedBy(const LibraryCommand &What) {
  std::vector<TouchedBox> Out;
  for (const TouchedBox &Each : What.Touches)
    if (Each.bytes() != 0)
      Out.push_back(Each);
  if (What.hostWaits())
    Out.push_back(What.Answer);
  return Out;
}

std::vector<TouchedBox> touchedBy(const Command &What) {
  std::vector<TouchedBox> Out;
  if (auto *Copy = std::get_if<CopyCommand>(&What))
    Out = {writtenBy(Copy->What), readBy(Copy->What)};
  else if (auto *Fill = std::get_if<FillCommand>(&What))
    Out = {writtenBy(*Fill)};
  else if (auto *Call = std::get_if<LibraryCommand>(&What))
    Out = touchedBy(*Call);
  for (TouchedBox &Each : Out)
    Each.HostSees = hostSees(reinterpret_cast<void *>(Each.Address));
  return Out;
}

MemoryPlace placeOf(const void *Address) {
  if (!hostSees(Address))
    return MemoryPlace::Device;
  const std::optional<HeapArea> Known = memoryState().Heap.find(Address);
  if (!Known)
    return MemoryPlace::Pageable;
  return Known->Kind == HeapKind::Managed ? MemoryPlace::Managed
                                          : MemoryPlace::Pinned;
}

void setPlaces(const Command &What, PreparedWork &Out) {
  if (auto *Copy = std::get_if<CopyCommand>(&What)) {
    Out.From = placeOf(Copy->What.srcPtr.ptr);
    Out.To = placeOf(Copy->What.dstPtr.ptr);
  } else if (auto *Fill = std::get_if<FillCommand>(&What)) {
    Out.To = placeOf(Fill->To);
  }
}

/// Calls that have no stream of their own use the legacy stream, which some
/// captures forbid.
cudaError_t mayUseStream(const Request &Asked) {
  return Asked.By == Asker::Call && !Asked.Stream ? mayUseLegacyStream()
                                                  : cudaSuccess;
}

/// Where \p Given is a copy, \p Plain gets it between plain memories and
/// \p Told as a captured node says it.
cudaError_t resolve(const Request &Given, Request &Plain, Request &Told) {
  const auto *Copy = std::get_if<CopyCommand>(&Given.What);
  if (!Copy)
    return cudaSuccess;
  cudaError_t Error = withoutArrays(*Copy, std::get<CopyCommand>(Plain.What));
  if (Error == cudaSuccess)
    Error = inElements(*Copy, std::get<CopyCommand>(Told.What));
  return Error;
}

/// Whether the call gives the host what it has computed, which no capture can.
bool waitsForAnswer(const Request &Asked) {
  auto *Call = std::get_if<LibraryCommand>(&Asked.What);
  return Call && Call->hostWaits();
}

/// Whether an executor knows in time what the command touches.
bool touchesKnown(const Command &What) {
  auto *Call = std::get_if<LibraryCommand>(&What);
  return !Call || !Call->Anywhere;
}

/// What is read is not among what is touched then.
void stage(const CopyCommand &What, PreparedWork &Out) {
  std::function<Status()> Staged = stagedCopy(What);
  if (!Staged)
    return;
  Out.Run = std::move(Staged);
  std::erase_if(Out.Touches,
                [](const TouchedBox &Each) { return !Each.Writes; });
}

/// An event that was last recorded by a capture is one of the device from here
/// on, as the call would make it.
std::unique_ptr<PreparedWork> preparedRecord(const RecordCommand &What,
                                             cudaStream_t Stream) {
  const cudaEvent_t Event = What.Event;
  OperationRef Ignored;
  cudaError_t Error = checkRecordFlags(What.Flags);
  if (Error == cudaSuccess)
    Error = eventOperation(Event, Ignored);
  if (Error != cudaSuccess || capturesInstead(Stream, What, Error))
    return nullptr;
  auto Out = std::make_unique<PreparedWork>();
  Out->Run = [Event] { return recordNow(Event); };
  return Out;
}

} // namespace

cudaError_t perform(const Request &Given) {
  Request Asked = Given, Told = Given;
  if (const cudaError_t Error = resolve(Given, Asked, Told);
      Error != cudaSuccess)
    return Error;
  Work Next;
  cudaError_t Out = engineWork(Asked.What, Next);
  if (Out == cudaSuccess)
    Out = mayUseStream(Asked);
  if (Out == cudaSuccess && waitsForAnswer(Asked))
    Out = mayWaitForStream(Asked.Stream);
  if (Out != cudaSuccess || (Asked.By == Asker::AsyncCall &&
                             capturesInstead(Asked.Stream, Told.What, Out)))
    return Out;
  return callWaits(Asked) ? enqueueAndWait(Asked.Stream, std::move(Next))
                          : enqueue(Asked.Stream, std::move(Next));
}

std::unique_ptr<PreparedWork> prepare(const Request &Given, bool Stages) {
  Request Asked = Given, Told = Given;
  if (resolve(Given, Asked, Told) != cudaSuccess)
    return nullptr;
  if (isCapturing(Asked.Stream) || checkStream(Asked.Stream) != cudaSuccess ||
      mayUseStream(Asked) != cudaSuccess || !touchesKnown(Asked.What))
    return nullptr;
  if (auto *Record = std::get_if<RecordCommand>(&Asked.What))
    return preparedRecord(*Record, Asked.Stream);
  Work Checked;
  if (engineWork(Asked.What, Checked) != cudaSuccess || !Checked.Short)
    return nullptr;
  auto Out = std::make_unique<PreparedWork>();
  Out->Touches = touchedBy(Asked.What);
  setPlaces(Asked.What, *Out);
  Out->Run = std::move(Checked.Short);
  Out->HostWaits = callWaits(Asked);
  if (Out->HostWaits && Engine::onHostFunctionThread())
    return nullptr;
  if (auto *Copy = std::get_if<CopyCommand>(&Asked.What); Copy && Stages)
    stage(*Copy, *Out);
  return Out;
}

} // namespace blockmaestro::emulated
