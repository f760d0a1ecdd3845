// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The front end's way with graphs: their launches and copies are issued on the
// stream of the graph's launch, one after the other in an order that the graph
// allows. That orders more than the graph does, and only what shares memory
// waits.

#include "Runtime.h"

#include <utility>

namespace blockmaestro {

cudaError_t Runtime::launchGraph(const char *Name, const DeviceCall &Call,
                                 cudaGraphExec_t Graph, cudaStream_t Stream) {
  Guard Held(Lock);
  if (known() != cudaSuccess)
    return Failure;
  if (takesCopies() && !Target.isCapturing(Stream)) {
    cudaError_t Error = comeAfterLast(Graph, Stream);
    if (Error == cudaSuccess)
      Error = launchSteps(Name, Call, Graph, Stream);
    return Error != cudaSuccess ? Error : noteLast(Graph, Stream);
  }
  if (relates() && !takesCopies())
    Reasons.add("", Asked.Paper ? "a graph was launched as a whole: in the "
                                  "paper's window copies are fences"
                                : "a graph was launched as a whole: the GPU "
                                  "runs it by itself");
  HostNotices = true;
  const cudaError_t Error = settle(Name, &Executor::fence);
  if (Error != cudaSuccess)
    return Error;
  const Result<cudaGraphExec_t> Form =
      Target.graphToLaunch(Graph, Stream, [this](const void *Stub) {
        return Registered.byStub(Stub);
      });
  if (!Form.ok())
    return failed(Form.status());
  Held.unlock();
  return calls().cudaGraphLaunch(*Form, Stream);
}

void Runtime::madeGraph(cudaGraphExec_t Made, cudaGraph_t From,
                        unsigned long long Flags) {
  Guard Held(Lock);
  Target.graphMade(Made, From, Flags);
}

cudaError_t Runtime::changeGraph(cudaGraphExec_t Graph) {
  Guard Held(Lock);
  const cudaError_t Error = known();
  if (Error == cudaSuccess)
    Target.graphChanges(Graph);
  return Error;
}

/// By steps where that can be, else as a whole behind a fence.
cudaError_t Runtime::launchSteps(const char *Name, const DeviceCall &Call,
                                 cudaGraphExec_t Graph, cudaStream_t Stream) {
  Result<std::vector<GraphStep>> Steps = stepsOf(Graph, Stream);
  cudaError_t Error = cudaSuccess;
  if (!Steps.ok()) {
    Reasons.add("",
                "a graph was launched as a whole: " + Steps.status().message());
    Error = settle(Name, &Executor::fence);
    return Error != cudaSuccess ? Error : Call(calls());
  }
  for (GraphStep &Each : *Steps)
    if (Error == cudaSuccess)
      Error = addStep(Name, Each, Stream);
  return Error;
}

/// What stands for the end of the graph's last launch among events.
static cudaEvent_t endOf(cudaGraphExec_t Graph) {
  return reinterpret_cast<cudaEvent_t>(Graph);
}

/// Launches of one graph come one after the other, on whatever streams. Of
/// those by steps the device does not know that.
cudaError_t Runtime::comeAfterLast(cudaGraphExec_t Graph, cudaStream_t Stream) {
  InFlight.order().arrive(Stream);
  InFlight.order().waits(Stream, endOf(Graph));
  auto Last = GraphEnds.find(Graph);
  return Last == GraphEnds.end()
             ? cudaSuccess
             : calls().cudaStreamWaitEvent(Stream, Last->second, 0);
}

cudaError_t Runtime::noteLast(cudaGraphExec_t Graph, cudaStream_t Stream) {
  InFlight.order().arrive(Stream);
  InFlight.order().recorded(endOf(Graph), Stream);
  if (Runs->takesHostWork())
    return cudaSuccess;
  auto [Last, New] = GraphEnds.try_emplace(Graph);
  cudaError_t Error = cudaSuccess;
  if (New)
    Error =
        calls().cudaEventCreateWithFlags(&Last->second, cudaEventDisableTiming);
  if (Error != cudaSuccess) {
    GraphEnds.erase(Last);
    return Error;
  }
  return calls().cudaEventRecord(Last->second, Stream);
}

void Runtime::forgetGraph(cudaGraphExec_t Graph) {
  Guard Held(Lock);
  Target.graphGone(Graph);
  InFlight.order().forget(endOf(Graph));
  if (auto Last = GraphEnds.find(Graph); Last != GraphEnds.end()) {
    (void)calls().cudaEventDestroy(Last->second);
    GraphEnds.erase(Last);
  }
}

/// All of them can be done, and none has been.
Result<std::vector<Runtime::GraphStep>> Runtime::stepsOf(cudaGraphExec_t Graph,
                                                         cudaStream_t Stream) {
  Result<std::vector<Command>> Steps = Target.steps(Graph, Stream);
  if (!Steps.ok())
    return Steps.status();
  std::vector<GraphStep> Out;
  for (Command &Each : *Steps) {
    std::unique_ptr<PreparedWork> Ready;
    Status Taken;
    if (auto *Launched = std::get_if<LaunchCommand>(&Each))
      Taken = Target.accepts(*Launched->What, Stream);
    else if (!(Ready = Target.prepare({Each, Stream, Asker::Graph}, false)))
      Taken = Status(StatusCode::Unsupported, "a copy of it cannot be a node");
    if (!Taken.ok())
      return Taken;
    Out.push_back({std::move(Each), std::move(Ready)});
  }
  return Out;
}

cudaError_t Runtime::addStep(const char *Name, GraphStep &Step,
                             cudaStream_t Stream) {
  cudaError_t Error = goTo(Stream);
  if (Error != cudaSuccess)
    return Error;
  if (auto *Launched = std::get_if<LaunchCommand>(&Step.What))
    return addStep(*Launched, Stream);
  Error = addCopy(Name, *Step.Ready, Stream,
                  InFlight.admit(accessesOf(Step.Ready->Touches, Memory),
                                 Stream, wantsAll()));
  return Error != cudaSuccess || Runs->takesHostWork()
             ? Error
             : Target.perform({Step.What, Stream, Asker::Graph});
}

cudaError_t Runtime::addStep(const LaunchCommand &Step, cudaStream_t Stream) {
  const bool Prints = Step.What->Kernel->has(Feature::Prints);
  const cudaError_t Error = Prints ? afterPrinting() : cudaSuccess;
  if (Error != cudaSuccess)
    return Error;
  if (Kernel *Known = Registered.byStub(Step.Stub))
    learnGlobals(*Known);
  auto Mine = std::make_shared<Launch>(*Step.What);
  Mine->Id = NextId;
  return submit(std::move(Mine), Step.Stub, Stream, nullptr);
}

} // namespace blockmaestro
