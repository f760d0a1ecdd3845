// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphExec.h"

#include "Collector.h"
#include "Copies.h"
#include "Events.h"
#include "GraphHandles.h"
#include "Launches.h"
#include "State.h"
#include "Streams.h"

#include <map>
#include <utility>

namespace blockmaestro::emulated {
namespace {

/// The engine's work for each kind of node; events are the launch's business.
struct MakeWork {
  blockmaestro::Work &Out;

  cudaError_t operator()(const KernelWork &From) const {
    Out.Blocks = From.What;
    return checkLaunch(*From.What);
  }
  cudaError_t operator()(const CopyWork &From) const {
    return copyWork(From.What, Out);
  }
  cudaError_t operator()(const FillWork &From) const {
    return fillWork(From, Out);
  }
  cudaError_t operator()(const HostWork &From) const {
    Out.Host = [From] { From.Function(From.UserData); };
    return cudaSuccess;
  }
  /// Everything else is a mark in the order: an address of a graph stays what
  /// it is between launches.
  template <typename T> cudaError_t operator()(const T &) const {
    return cudaSuccess;
  }
};

/// Makes the steps of a graph.
class Planner {
public:
  explicit Planner(GraphPlan &Out) : Out(Out) {}

  /// Adds the graph behind the steps Before; Ends gets its last ones.
  cudaError_t add(const Graph &From, const std::vector<uint32_t> &Before,
                  std::vector<uint32_t> &Ends);

private:
  cudaError_t add(const GraphNode &From, std::vector<uint32_t> Needs,
                  uint32_t &Step);
  uint32_t append(GraphStep Step) {
    Out.Steps.push_back(std::move(Step));
    return static_cast<uint32_t>(Out.Steps.size() - 1);
  }

  GraphPlan &Out;
};

cudaError_t Planner::add(const GraphNode &From, std::vector<uint32_t> Needs,
                         uint32_t &Step) {
  GraphStep Next;
  Next.Needs = std::move(Needs);
  if (From.Child && From.Enabled) {
    std::vector<uint32_t> Ends;
    cudaError_t Wrong = add(*From.Child, Next.Needs, Ends);
    if (Wrong != cudaSuccess)
      return Wrong;
    if (!Ends.empty())
      Next.Needs = std::move(Ends);
  } else if (From.Enabled) {
    cudaError_t Wrong = engineWork(From.What, Next.What);
    if (Wrong != cudaSuccess)
      return Wrong;
    auto Priority = From.Attributes.find(cudaLaunchAttributePriority);
    if (Priority != From.Attributes.end())
      Next.What.Priority = Priority->second.priority;
    if (auto *Kernel = std::get_if<KernelWork>(&From.What))
      Next.Stub = Kernel->Stub;
    if (auto *Record = std::get_if<RecordWork>(&From.What))
      Next.Records = Record->Event;
    if (auto *Wait = std::get_if<WaitWork>(&From.What))
      Next.Awaits = Wait->Event;
  }
  Step = append(std::move(Next));
  return cudaSuccess;
}

cudaError_t Planner::add(const Graph &From, const std::vector<uint32_t> &Before,
                         std::vector<uint32_t> &Ends) {
  std::map<const GraphNode *, uint32_t> Steps;
  const std::vector<GraphNode *> Order = *From.order();
  for (const GraphNode *Each : Order) {
    std::vector<uint32_t> Needs;
    for (const GraphEdge &Need : Each->Needs)
      Needs.push_back(Steps.at(Need.Other));
    cudaError_t Wrong =
        add(*Each, Each->Needs.empty() ? Before : Needs, Steps[Each]);
    if (Wrong != cudaSuccess)
      return Wrong;
    if (Each->Users.empty())
      Ends.push_back(Steps[Each]);
  }
  return cudaSuccess;
}

/// The step's work, with a launch of its own.
blockmaestro::Work workOfLaunch(EmulatedState &State, const GraphStep &Step) {
  blockmaestro::Work Out = Step.What;
  if (Out.Blocks) {
    auto Again = std::make_shared<Launch>(*Out.Blocks);
    Again->Id = State.LaunchIds++;
    Out.Blocks = std::move(Again);
  }
  return Out;
}

/// What a step comes after besides other steps: the beginning of the launch
/// and what an event stands for, which may be an earlier step of this launch.
Engine::GroupStep
stepOfLaunch(EmulatedState &State, const GraphStep &From,
             const std::vector<OperationRef> &Start,
             const std::map<cudaEvent_t, uint32_t> &Recorded) {
  Engine::GroupStep Out;
  Out.What = workOfLaunch(State, From);
  Out.Needs = From.Needs;
  if (From.Needs.empty())
    Out.After = Start;
  auto Here = Recorded.find(From.Awaits);
  auto Awaited = State.Events.find(From.Awaits);
  if (Here != Recorded.end())
    Out.Needs.push_back(Here->second);
  else if (Awaited != State.Events.end())
    Out.After.push_back(Awaited->second->Recorded);
  return Out;
}

} // namespace

cudaError_t engineWork(const GraphWork &From, blockmaestro::Work &Out) {
  return std::visit(MakeWork{Out}, From);
}

GraphExec::GraphExec(Graph &From, unsigned long long Flags)
    : Flags(Flags), Copy(From.clone()), Executables(From.Executables),
      Memory(memorySteps(*Copy)) {
  GraphHandles::the().add(this);
  ++*Executables;
  GraphMemory::the().instantiated(Memory);
}

GraphExec::~GraphExec() {
  GraphHandles::the().remove(this);
  GraphMemory::the().destroyed(Memory);
  --*Executables;
}

GraphNode *GraphExec::copyOf(const GraphNode &Original) const {
  return Copy->copyOf(Original.Id);
}

std::shared_ptr<const GraphPlan> GraphExec::plan(cudaError_t &Wrong) {
  if (Plan)
    return Plan;
  auto New =
      std::make_shared<GraphPlan>(GraphPlan{{}, {}, Memory, Copy->Objects});
  Wrong = Planner(*New).add(*Copy, {}, New->Ends);
  if (Wrong == cudaSuccess)
    Plan = std::move(New);
  return Plan;
}

/// Why a step is more than a launch, copy or fill; null when it is not.
static const char *whyWhole(const GraphStep &Step) {
  if (Step.What.Host)
    return "it has host functions";
  if (Step.Records || Step.Awaits)
    return "it records or waits for events";
  return nullptr;
}

static GraphWorkStep workStep(const GraphStep &From) {
  GraphWorkStep Out;
  Out.Stub = From.Stub;
  Out.What = From.What.Blocks;
  if (From.What.Short) {
    Out.Work.Run = From.What.Short;
    Out.Work.Touches = From.What.Shape->Touches;
    Out.Enqueue = [What = From.What](cudaStream_t Stream) {
      return enqueue(Stream, What);
    };
  }
  return Out;
}

Result<std::vector<GraphWorkStep>> GraphExec::steps() {
  auto Whole = [](const char *Why) {
    return Status(StatusCode::Unsupported, Why);
  };
  if (!Steps.empty())
    return Steps;
  if (!Memory.Allocated.empty() || !Memory.Freed.empty())
    return Whole("it allocates or frees memory");
  if (!Copy->Objects.empty())
    return Whole("it keeps objects of the program");
  GraphPlan All;
  Collector Shapes(false);
  if (Planner(All).add(*Copy, {}, All.Ends) != cudaSuccess)
    return Whole("some of its work cannot be done");
  for (const GraphStep &Each : All.Steps)
    if (const char *Why = whyWhole(Each))
      return Whole(Why);
  for (const GraphStep &Each : All.Steps)
    if (Each.What.Blocks || Each.What.Short)
      Steps.push_back(workStep(Each));
  return Steps;
}

/// Submits one launch, all of it or nothing; the last operation keeps what the
/// program's objects are needed for.
Result<OperationRef> GraphExec::submit(const GraphPlan &What,
                                       std::span<const OperationRef> After) {
  EmulatedState &State = emulatedState();
  std::vector<OperationRef> Start(After.begin(), After.end());
  Start.push_back(Last);
  std::map<cudaEvent_t, uint32_t> Recorded;
  std::vector<Engine::GroupStep> Steps;
  for (const GraphStep &Each : What.Steps) {
    Steps.push_back(stepOfLaunch(State, Each, Start, Recorded));
    if (Each.Records)
      Recorded[Each.Records] = static_cast<uint32_t>(Steps.size() - 1);
  }
  Engine::GroupStep Join;
  Join.What.AfterFailure = true;
  Join.What.Short = [Kept = Plan] { return Status(); };
  Join.Needs = What.Ends;
  if (What.Ends.empty())
    Join.After = Start;
  Steps.push_back(std::move(Join));
  Result<std::vector<OperationRef>> Done =
      State.Runs->submitGroup(std::move(Steps));
  if (!Done.ok())
    return Done.status();
  for (const auto &[Event, Step] : Recorded)
    (void)recordEvent(State, Event, (*Done)[Step]);
  return Done->back();
}

cudaError_t GraphExec::launch(cudaStream_t Stream) {
  cudaError_t Wrong = checkStream(Stream);
  if (Wrong == cudaSuccess)
    (void)plan(Wrong);
  if (Wrong == cudaSuccess)
    Wrong = GraphMemory::the().launch(
        Memory, Flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
  if (Wrong != cudaSuccess)
    return Wrong;
  return enqueueGroup(Stream, [&](std::span<const OperationRef> After) {
    Result<OperationRef> End = submit(*Plan, After);
    if (End.ok())
      Last = *End;
    return End;
  });
}

} // namespace blockmaestro::emulated
