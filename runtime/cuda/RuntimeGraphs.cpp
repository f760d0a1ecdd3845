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
  cudaError_t Wrong = cudaSuccess;
  if (takesCopies()) {
    Wrong = goOnWith(Graph, Stream);
    if (Wrong != cudaSuccess)
      return Wrong;
    Result<std::vector<GraphWorkStep>> Steps = Target.steps(Graph, Stream);
    Status Taken = Steps.ok() ? acceptsAll(*Steps, Stream) : Steps.status();
    if (Taken.ok()) {
      for (GraphWorkStep &Each : *Steps)
        if (Wrong == cudaSuccess)
          Wrong = addStep(Name, std::move(Each), Stream);
      return Wrong;
    }
    Reasons.add("", "a graph was launched as a whole: " + Taken.message());
  } else if (relates()) {
    Reasons.add("", Asked.Paper ? "a graph was launched as a whole: in the "
                                  "paper's window copies are fences"
                                : "a graph was launched as a whole: the GPU "
                                  "runs it by itself");
  }
  Wrong = settle(Name, &Executor::fence);
  Held.unlock();
  return Wrong != cudaSuccess ? Wrong : Call(calls());
}

/// Launches of one graph come one after the other, on whatever streams. What
/// was launched on another than before is not known to be in order with this
/// one, so it completes.
cudaError_t Runtime::goOnWith(cudaGraphExec_t Graph, cudaStream_t Stream) {
  const cudaStream_t Before = std::exchange(
      GraphStreams.try_emplace(Graph, Stream).first->second, Stream);
  if (Before == Stream)
    return cudaSuccess;
  const cudaError_t Wrong = settle("another stream", &Executor::drain);
  return Wrong != cudaSuccess ? Wrong : calls().cudaDeviceSynchronize();
}

Status Runtime::acceptsAll(const std::vector<GraphWorkStep> &Steps,
                           cudaStream_t Stream) {
  for (const GraphWorkStep &Each : Steps)
    if (Each.What)
      if (Status Accepted = Target.accepts(*Each.What, Stream); !Accepted.ok())
        return Accepted;
  return {};
}

cudaError_t Runtime::addStep(const char *Name, GraphWorkStep Step,
                             cudaStream_t Stream) {
  cudaError_t Wrong = goTo(Stream);
  if (Wrong != cudaSuccess)
    return Wrong;
  if (!Step.What) {
    Step.Work.Stream = Stream;
    const Admission Entry = InFlight.admit(
        accessesOf(Step.Work.Touches, Memory), Stream, wantsAll());
    Wrong = addCopy(Name, Step.Work, Entry);
    return Wrong != cudaSuccess || Runs->takesHostWork() ? Wrong
                                                         : Step.Enqueue(Stream);
  }
  if (Step.What->Kernel->has(Feature::Prints))
    Wrong = afterPrinting();
  if (Wrong != cudaSuccess)
    return Wrong;
  if (Kernel *Known = Registered.byStub(Step.Stub))
    learnGlobals(*Known);
  auto Mine = std::make_shared<Launch>(*Step.What);
  Mine->Id = NextId;
  return submit(std::move(Mine), Stream, nullptr);
}

} // namespace blockmaestro
