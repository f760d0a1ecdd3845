// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Captures.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::emulated {
namespace {

void join(std::vector<GraphEdge> &Into, const std::vector<GraphEdge> &More) {
  for (const GraphEdge &Each : More) {
    bool There =
        std::any_of(Into.begin(), Into.end(), [&](const GraphEdge &Old) {
          return Old.Other == Each.Other;
        });
    if (!There)
      Into.push_back(Each);
  }
}

/// Whether everything that other streams captured comes before the origin's
/// next work.
bool joined(const Capture &What) {
  const std::vector<GraphEdge> &Ends = What.Streams.at(What.Origin).Needs;
  return What.Into->leadTo(What.Left, Ends) &&
         std::all_of(What.Streams.begin(), What.Streams.end(),
                     [&](const auto &Each) {
                       return What.Into->leadTo(Each.second.Needs, Ends);
                     });
}

bool hasBlocking(const Capture &What) {
  return std::any_of(What.Streams.begin(), What.Streams.end(),
                     [](const auto &Each) { return Each.second.Blocking; });
}

cudaError_t spoil(Capture &What, cudaError_t Why) {
  What.Spoiled = true;
  return Why;
}

} // namespace

cudaStreamCaptureMode &threadCaptureMode() {
  thread_local cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal;
  return Mode;
}

void Captures::count() {
  Active.store(Running.size() + Events.size(), std::memory_order_release);
}

Capture *Captures::byId(uint64_t Id) {
  for (auto &Each : Running)
    if (Each->Id == Id)
      return Each.get();
  return nullptr;
}

Capture *Captures::of(const StreamName &Stream) {
  for (auto &Each : Running)
    if (Each->Streams.count(Stream.Key))
      return Each.get();
  return nullptr;
}

std::unique_ptr<Graph> Captures::erase(Capture &Which) {
  Which.Into->Capturing = false;
  std::unique_ptr<Graph> Out = std::move(Which.Owned);
  Running.erase(
      std::find_if(Running.begin(), Running.end(),
                   [&](const auto &Each) { return Each.get() == &Which; }));
  count();
  return Out;
}

cudaError_t Captures::begin(const StreamName &Stream,
                            cudaStreamCaptureMode Mode, Graph *Into,
                            std::vector<GraphEdge> Needs) {
  if (Stream.Legacy)
    return cudaErrorStreamCaptureUnsupported;
  if (of(Stream))
    return cudaErrorIllegalState;
  auto New = std::make_unique<Capture>();
  if (!Into)
    New->Owned = std::make_unique<Graph>();
  New->Into = Into ? Into : New->Owned.get();
  New->Id = ++LastId;
  New->Mode = Mode;
  New->Thread = std::this_thread::get_id();
  New->Origin = Stream.Key;
  CapturedStream &First = New->Streams[Stream.Key];
  First.Needs = std::move(Needs);
  First.Blocking = Stream.Blocking;
  Running.push_back(std::move(New));
  Running.back()->Into->Capturing = true;
  count();
  return cudaSuccess;
}

cudaError_t Captures::end(const StreamName &Stream, Graph *&Out,
                          std::unique_ptr<Graph> &Gone) {
  Capture *What = of(Stream);
  if (!What)
    return cudaErrorIllegalState;
  if (What->Origin != Stream.Key)
    return spoil(*What, cudaErrorStreamCaptureUnmatched);
  bool Foreign = What->Mode != cudaStreamCaptureModeRelaxed &&
                 What->Thread != std::this_thread::get_id();
  cudaError_t Error = Foreign         ? cudaErrorStreamCaptureWrongThread
                      : What->Spoiled ? cudaErrorStreamCaptureInvalidated
                      : joined(*What) ? cudaSuccess
                                      : cudaErrorStreamCaptureUnjoined;
  Graph *Filled = What->Into;
  Gone = erase(*What);
  if (Error == cudaSuccess) {
    Out = Filled;
    (void)Gone.release();
  }
  return Error;
}

Capture *Captures::taker(const StreamName &Stream, cudaError_t &Error) {
  if (Stream.Legacy) {
    Error = mayUseLegacy();
    return nullptr;
  }
  Capture *What = of(Stream);
  if (!What || !What->Spoiled)
    return What;
  Error = cudaErrorStreamCaptureInvalidated;
  return nullptr;
}

cudaError_t Captures::advance(Capture &In, const StreamName &Stream,
                              GraphNode *Node) {
  if (!Node)
    return spoil(In, cudaErrorInvalidValue);
  In.Streams[Stream.Key].Needs = {{Node, {}}};
  return cudaSuccess;
}

void Captures::comeAfter(CapturedStream &Which,
                         const std::vector<GraphEdge> &More, bool Replace) {
  if (Replace)
    Which.Needs.clear();
  join(Which.Needs, More);
}

bool Captures::record(const StreamName &Stream, cudaEvent_t Event,
                      cudaError_t &Error) {
  Capture *In = taker(Stream, Error);
  if (In)
    Events[Event] = {In->Id, In->Streams[Stream.Key].Needs};
  else if (Error == cudaSuccess)
    Events.erase(Event);
  count();
  return In || Error != cudaSuccess;
}

bool Captures::wait(const StreamName &Stream, cudaEvent_t Event,
                    cudaError_t &Error) {
  Capture *In = taker(Stream, Error);
  auto Found = Events.find(Event);
  if (Error != cudaSuccess || (!In && Found == Events.end()))
    return Error != cudaSuccess;
  if (Found == Events.end()) {
    Error = spoil(*In, cudaErrorStreamCaptureIsolation);
    return true;
  }
  Capture *From = byId(Found->second.In);
  if (From && In && From != In) {
    From->Spoiled = true;
    Error = spoil(*In, cudaErrorStreamCaptureMerge);
  } else if (!From) {
    Error = In ? spoil(*In, cudaErrorStreamCaptureIsolation)
               : cudaErrorCapturedEvent;
  } else if (From->Spoiled) {
    Error = cudaErrorStreamCaptureInvalidated;
  } else if (Stream.Legacy) {
    Error = spoil(*From, cudaErrorStreamCaptureImplicit);
  } else {
    CapturedStream &To = From->Streams[Stream.Key];
    To.Blocking = Stream.Blocking;
    join(To.Needs, Found->second.Needs);
  }
  return true;
}

cudaError_t Captures::mayWait(const StreamName &Stream) {
  if (Stream.Legacy)
    return mayUseLegacy();
  Capture *What = of(Stream);
  return What ? spoil(*What, cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t Captures::mayWait(cudaEvent_t Event) {
  auto Found = Events.find(Event);
  if (Found == Events.end())
    return cudaSuccess;
  if (Capture *What = byId(Found->second.In))
    What->Spoiled = true;
  return cudaErrorCapturedEvent;
}

cudaError_t Captures::mayWaitForAll() {
  for (auto &Each : Running)
    Each->Spoiled = true;
  return Running.empty() ? cudaSuccess : cudaErrorStreamCaptureUnsupported;
}

bool Captures::tiesLegacy() const {
  return std::any_of(Running.begin(), Running.end(),
                     [](const auto &Each) { return hasBlocking(*Each); });
}

cudaError_t Captures::mayUseLegacy() {
  cudaError_t Out = cudaSuccess;
  for (auto &Each : Running)
    if (hasBlocking(*Each))
      Out = spoil(*Each, cudaErrorStreamCaptureImplicit);
  return Out;
}

cudaError_t Captures::mayCallUnsafely() {
  if (threadCaptureMode() == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  cudaError_t Out = cudaSuccess;
  for (auto &Each : Running) {
    bool Own = Each->Thread == std::this_thread::get_id();
    bool Forbids = Own ? Each->Mode != cudaStreamCaptureModeRelaxed
                       : Each->Mode == cudaStreamCaptureModeGlobal &&
                             threadCaptureMode() == cudaStreamCaptureModeGlobal;
    if (Forbids)
      Out = spoil(*Each, cudaErrorStreamCaptureUnsupported);
  }
  return Out;
}

std::unique_ptr<Graph> Captures::forget(const StreamName &Stream) {
  Capture *What = of(Stream);
  if (!What)
    return nullptr;
  if (What->Origin == Stream.Key)
    return erase(*What);
  join(What->Left, What->Streams[Stream.Key].Needs);
  What->Streams.erase(Stream.Key);
  return nullptr;
}

void Captures::forget(cudaEvent_t Event) {
  Events.erase(Event);
  count();
}

void Captures::clear(std::vector<std::unique_ptr<Graph>> &Gone) {
  while (!Running.empty())
    Gone.push_back(erase(*Running.back()));
  Events.clear();
  count();
}

} // namespace blockmaestro::emulated
