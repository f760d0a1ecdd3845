// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The questions of Capture.h and the calls that begin, end and look at
// captures.

#include "Calls.h"
#include "Capture.h"
#include "GraphEdges.h"
#include "GraphState.h"
#include "Streams.h"

#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// A node for work of a captured stream; null when the work cannot be.
static GraphNode *addWork(Capture &In, const Command &What,
                          const std::vector<GraphEdge> &Needs) {
  auto *Free = std::get_if<FreeCommand>(&What);
  if (Free && claimGraphFree(*In.Into, Free->Address) != cudaSuccess)
    return nullptr;
  return In.Into->add(What, Needs);
}

/// Ruins a capture when it goes before it is told that all went well, so that
/// no graph lacks what memory did not suffice for.
class Attempt {
public:
  explicit Attempt(Capture &In) : In(In) {}
  ~Attempt() { In.Spoiled = In.Spoiled || !Done; }
  Attempt(const Attempt &) = delete;
  Attempt &operator=(const Attempt &) = delete;
  void done() { Done = true; }

private:
  Capture &In;
  bool Done = false;
};

/// What Take makes of the stream while anything is captured; false where it is
/// no stream.
template <typename F>
static bool whileCapturing(cudaStream_t Stream, cudaError_t &Out, F Take) {
  if (graphState().Captured.idle())
    return false;
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return false;
  Guard Held(graphState().Lock);
  Out = cudaSuccess;
  return Take(*Name);
}

/// Adds what Add makes of the capture's graph and the stream's needs.
template <typename F>
static bool capture(cudaStream_t Stream, cudaError_t &Out, F Add) {
  return whileCapturing(Stream, Out, [&](const StreamName &Name) {
    Capture *In = graphState().Captured.taker(Name, Out);
    if (!In)
      return Out != cudaSuccess;
    Attempt Now(*In);
    Out = Captures::advance(*In, Name, Add(*In, In->Streams[Name.Key].Needs));
    Now.done();
    return true;
  });
}

/// Records and waits that are edges, not nodes.
static bool captureEvent(cudaStream_t Stream, cudaEvent_t Event,
                         bool (Captures::*How)(const StreamName &, cudaEvent_t,
                                               cudaError_t &),
                         cudaError_t &Out) {
  return whileCapturing(Stream, Out, [&](const StreamName &Name) {
    return (graphState().Captured.*How)(Name, Event, Out);
  });
}

bool capturesInstead(cudaStream_t Stream, const Command &What,
                     cudaError_t &Out) {
  auto *Record = std::get_if<RecordCommand>(&What);
  if (Record && !(Record->Flags & cudaEventRecordExternal))
    return captureEvent(Stream, Record->Event, &Captures::record, Out);
  auto *Wait = std::get_if<WaitCommand>(&What);
  if (Wait && !(Wait->Flags & cudaEventWaitExternal))
    return captureEvent(Stream, Wait->Event, &Captures::wait, Out);
  return capture(Stream, Out,
                 [&](Capture &In, const std::vector<GraphEdge> &Needs) {
                   return addWork(In, What, Needs);
                 });
}

bool capturesAllocation(cudaStream_t Stream, size_t Bytes, void **Address,
                        cudaError_t &Out) {
  cudaError_t Error = cudaSuccess;
  bool Taken = capture(
      Stream, Out,
      [&](Capture &In, const std::vector<GraphEdge> &Needs) -> GraphNode * {
        AllocateCommand What;
        What.What.poolProps.allocType = cudaMemAllocationTypePinned;
        What.What.poolProps.location = {cudaMemLocationTypeDevice, 0};
        What.What.bytesize = Bytes;
        Error = graphState().Memory.reserve(Bytes, Address);
        What.What.dptr = *Address;
        return Error == cudaSuccess ? In.Into->add(What, Needs) : nullptr;
      });
  if (Taken && Error != cudaSuccess)
    Out = Error;
  return Taken;
}

bool refusesCapture(cudaStream_t Stream, cudaError_t &Out) {
  bool Taken =
      capture(Stream, Out,
              [](Capture &, const std::vector<GraphEdge> &) -> GraphNode * {
                return nullptr;
              });
  if (Taken && Out == cudaErrorInvalidValue)
    Out = cudaErrorStreamCaptureUnsupported;
  return Taken;
}

/// Asks when anything is captured at all.
template <typename F> static cudaError_t ask(F Question) {
  if (graphState().Captured.idle())
    return cudaSuccess;
  Guard Held(graphState().Lock);
  return Question(graphState().Captured);
}

cudaError_t mayWaitForStream(cudaStream_t Stream) {
  if (graphState().Captured.idle())
    return cudaSuccess;
  std::optional<StreamName> Name = streamName(Stream);
  return ask(
      [&](Captures &All) { return Name ? All.mayWait(*Name) : cudaSuccess; });
}

cudaError_t mayWaitForEvent(cudaEvent_t Event) {
  return ask([&](Captures &All) { return All.mayWait(Event); });
}

cudaError_t mayQueryEvent(cudaEvent_t Event) {
  return ask([&](Captures &All) {
    cudaError_t Error = All.mayWait(Event);
    return Error != cudaSuccess ? Error : All.mayCallUnsafely();
  });
}

cudaError_t mayWaitForDevice() {
  return ask([](Captures &All) { return All.mayWaitForAll(); });
}

cudaError_t mayUseLegacyStream() {
  return ask([](Captures &All) { return All.mayUseLegacy(); });
}

cudaError_t mayCallUnsafely() {
  return ask([](Captures &All) { return All.mayCallUnsafely(); });
}

void forgetStream(cudaStream_t Stream) {
  if (graphState().Captured.idle())
    return;
  std::optional<StreamName> Name = streamName(Stream);
  std::unique_ptr<Graph> Gone;
  (void)ask([&](Captures &All) {
    if (Name)
      Gone = All.forget(*Name);
    return cudaSuccess;
  });
}

void forgetEvent(cudaEvent_t Event) {
  (void)ask([&](Captures &All) {
    All.forget(Event);
    return cudaSuccess;
  });
}

void forgetCaptures() {
  std::vector<std::unique_ptr<Graph>> Gone;
  (void)ask([&](Captures &All) {
    All.clear(Gone);
    return cudaSuccess;
  });
}

bool isCapturing(cudaStream_t Stream) {
  cudaStreamCaptureStatus Status = cudaStreamCaptureStatusNone;
  return emulated::cudaStreamIsCapturing(Stream, &Status) != cudaSuccess ||
         Status != cudaStreamCaptureStatusNone;
}

static bool isMode(cudaStreamCaptureMode Mode) {
  return Mode >= cudaStreamCaptureModeGlobal &&
         Mode <= cudaStreamCaptureModeRelaxed;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t Stream,
                                   cudaStreamCaptureMode Mode) {
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  if (!isMode(Mode))
    return cudaErrorInvalidValue;
  Guard Held(graphState().Lock);
  return graphState().Captured.begin(*Name, Mode, nullptr, {});
}

cudaError_t cudaStreamBeginCaptureToGraph(
    cudaStream_t Stream, cudaGraph_t Handle, const cudaGraphNode_t *Nodes,
    const cudaGraphEdgeData *Data, size_t Count, cudaStreamCaptureMode Mode) {
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  Guard Held(graphState().Lock);
  Graph *Into = graphState().Handles.graph(Handle);
  std::vector<GraphEdge> Needs;
  if (!Into || Into->Capturing || !isMode(Mode) ||
      !readNeeds(Nodes, Data, Count, Needs))
    return cudaErrorInvalidValue;
  for (const GraphEdge &Each : Needs)
    if (&Each.Other->Of != Into)
      return cudaErrorInvalidValue;
  return graphState().Captured.begin(*Name, Mode, Into, std::move(Needs));
}

cudaError_t cudaStreamEndCapture(cudaStream_t Stream, cudaGraph_t *Out) {
  if (!Out)
    return cudaErrorInvalidValue;
  *Out = nullptr;
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  std::unique_ptr<Graph> Gone;
  Guard Held(graphState().Lock);
  Graph *Filled = nullptr;
  cudaError_t Error = graphState().Captured.end(*Name, Filled, Gone);
  *Out = handleOf(Filled);
  return Error;
}

static cudaStreamCaptureStatus statusOf(const Capture *What) {
  return !What           ? cudaStreamCaptureStatusNone
         : What->Spoiled ? cudaStreamCaptureStatusInvalidated
                         : cudaStreamCaptureStatusActive;
}

/// cudaErrorStreamCaptureImplicit where a question about the legacy stream is
/// one about streams that are captured; it does not ruin their capture.
static cudaError_t checkQuestion(const StreamName &Name) {
  return Name.Legacy && graphState().Captured.tiesLegacy()
             ? cudaErrorStreamCaptureImplicit
             : cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t Stream,
                                  cudaStreamCaptureStatus *Out) {
  if (!Out)
    return cudaErrorInvalidValue;
  *Out = cudaStreamCaptureStatusNone;
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  return ask([&](Captures &All) {
    *Out = statusOf(All.of(*Name));
    return checkQuestion(*Name);
  });
}

static bool hasData(const std::vector<GraphEdge> &Edges) {
  for (const GraphEdge &Each : Edges)
    if (!(Each.Data == cudaGraphEdgeData{}))
      return true;
  return false;
}

/// Points to the stream's needs, kept for the program with the stream.
static void tellNeeds(CapturedStream &Of, const cudaGraphNode_t **Nodes,
                      const cudaGraphEdgeData **Data, size_t *Count) {
  Of.ToldNodes.clear();
  Of.ToldData.clear();
  for (const GraphEdge &Each : Of.Needs) {
    Of.ToldNodes.push_back(handleOf(Each.Other));
    Of.ToldData.push_back(Each.Data);
  }
  if (Nodes)
    *Nodes = Of.ToldNodes.data();
  if (Data)
    *Data = Of.ToldData.data();
  if (Count)
    *Count = Of.Needs.size();
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t Stream,
                                     cudaStreamCaptureStatus *Status,
                                     unsigned long long *Id, cudaGraph_t *Into,
                                     const cudaGraphNode_t **Nodes,
                                     const cudaGraphEdgeData **Data,
                                     size_t *Count) {
  if (!Status || (Data && !Nodes))
    return cudaErrorInvalidValue;
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  Guard Held(graphState().Lock);
  cudaError_t Error = checkQuestion(*Name);
  Capture *What = graphState().Captured.of(*Name);
  *Status = statusOf(What);
  if (Error != cudaSuccess || *Status != cudaStreamCaptureStatusActive)
    return Error;
  CapturedStream &Its = What->Streams[Name->Key];
  if (Nodes && !Data && hasData(Its.Needs))
    return cudaErrorLossyQuery;
  if (Id)
    *Id = What->Id;
  if (Into)
    *Into = handleOf(What->Into);
  tellNeeds(Its, Nodes, Data, Count);
  return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t Stream,
                                                cudaGraphNode_t *Nodes,
                                                const cudaGraphEdgeData *Data,
                                                size_t Count, unsigned Flags) {
  std::optional<StreamName> Name = streamName(Stream);
  if (!Name)
    return cudaErrorInvalidResourceHandle;
  Guard Held(graphState().Lock);
  cudaError_t Error = cudaSuccess;
  Capture *What = graphState().Captured.taker(*Name, Error);
  if (!What)
    return Error != cudaSuccess ? Error : cudaErrorIllegalState;
  std::vector<GraphEdge> Given;
  if ((Flags != cudaStreamAddCaptureDependencies &&
       Flags != cudaStreamSetCaptureDependencies) ||
      !readNeeds(Nodes, Data, Count, Given))
    return cudaErrorInvalidValue;
  for (const GraphEdge &Each : Given)
    if (&Each.Other->Of != What->Into)
      return cudaErrorInvalidValue;
  Captures::comeAfter(What->Streams[Name->Key], Given,
                      Flags == cudaStreamSetCaptureDependencies);
  return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *Mode) {
  if (!Mode || !isMode(*Mode))
    return cudaErrorInvalidValue;
  std::swap(threadCaptureMode(), *Mode);
  return cudaSuccess;
}

} // namespace blockmaestro::emulated
