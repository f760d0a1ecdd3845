// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphExec.h"

#include "CommandWork.h"
#include "EngineState.h"
#include "Events.h"
#include "GraphState.h"
#include "Streams.h"

#include <map>
#include <utility>

namespace blockmaestro::emulated {
namespace {

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
    cudaError_t Error = add(*From.Child, Next.Needs, Ends);
    if (Error != cudaSuccess)
      return Error;
    if (!Ends.empty())
      Next.Needs = std::move(Ends);
  } else if (From.Enabled) {
    cudaError_t Error = engineWork(From.What, Next.What);
    if (Error != cudaSuccess)
      return Error;
    auto Priority = From.Attributes.find(cudaLaunchAttributePriority);
    if (Priority != From.Attributes.end())
      Next.What.Priority = Priority->second.priority;
    Next.Asked = From.What;
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
    cudaError_t Error =
        add(*Each, Each->Needs.empty() ? Before : Needs, Steps[Each]);
    if (Error != cudaSuccess)
      return Error;
    if (Each->Users.empty())
      Ends.push_back(Steps[Each]);
  }
  return cudaSuccess;
}

/// The step's work, with a launch of its own.
Work workOfLaunch(const GraphStep &Step) {
  Work Out = Step.What;
  if (Out.Blocks) {
    auto Again = std::make_shared<Launch>(*Out.Blocks);
    Again->Id = engineState().LaunchIds++;
    Out.Blocks = std::move(Again);
  }
  return Out;
}

/// What a step comes after besides other steps: the beginning of the launch
/// and what an event stands for, which may be an earlier step of this launch.
Engine::GroupStep
stepOfLaunch(const StreamState &State, const GraphStep &From,
             const std::vector<OperationRef> &Start,
             const std::map<cudaEvent_t, uint32_t> &Recorded) {
  Engine::GroupStep Out;
  Out.What = workOfLaunch(From);
  Out.Needs = From.Needs;
  if (From.Needs.empty())
    Out.After = Start;
  const auto *Wait = std::get_if<WaitCommand>(&From.Asked);
  if (!Wait)
    return Out;
  auto Here = Recorded.find(Wait->Event);
  auto Awaited = State.Events.find(Wait->Event);
  if (Here != Recorded.end())
    Out.Needs.push_back(Here->second);
  else if (Awaited != State.Events.end())
    Out.After.push_back(Awaited->second->Recorded);
  return Out;
}

} // namespace

GraphExec::GraphExec(Graph &From, unsigned long long Flags)
    : Flags(Flags), Copy(From.clone()), Executables(From.Executables),
      Memory(memorySteps(*Copy)) {
  graphState().Handles.add(this);
  ++*Executables;
  graphState().Memory.instantiated(Memory);
}

GraphExec::~GraphExec() {
  graphState().Handles.remove(this);
  graphState().Memory.destroyed(Memory);
  --*Executables;
}

GraphNode *GraphExec::copyOf(const GraphNode &Original) const {
  return Copy->copyOf(Original.Id);
}

std::shared_ptr<const GraphPlan> GraphExec::plan(cudaError_t &Error) {
  if (Plan)
    return Plan;
  auto New =
      std::make_shared<GraphPlan>(GraphPlan{{}, {}, Memory, Copy->Objects});
  Error = Planner(*New).add(*Copy, {}, New->Ends);
  if (Error == cudaSuccess)
    Plan = std::move(New);
  return Plan;
}

/// Why the command cannot be a node of the window; null when it can.
static const char *whyWhole(const Command &What) {
  if (std::holds_alternative<HostCommand>(What))
    return "it has host functions";
  if (std::holds_alternative<RecordCommand>(What) ||
      std::holds_alternative<WaitCommand>(What))
    return "it records or waits for events";
  if (auto *Call = std::get_if<LibraryCommand>(&What); Call && Call->Anywhere)
    return "a library's call in it follows pointers in memory of the device";
  return nullptr;
}

Result<std::vector<Command>> GraphExec::steps() {
  auto Whole = [](const char *Why) {
    return Status(StatusCode::Unsupported, Why);
  };
  if (!Memory.Allocated.empty() || !Memory.Freed.empty())
    return Whole("it allocates or frees memory");
  if (!Copy->Objects.empty())
    return Whole("it keeps objects of the program");
  cudaError_t Error = cudaSuccess;
  if (!plan(Error))
    return Whole("some of its work cannot be done");
  std::vector<Command> Out;
  for (const GraphStep &Each : Plan->Steps) {
    if (const char *Why = whyWhole(Each.Asked))
      return Whole(Why);
    if (Each.What.Blocks || Each.What.Short)
      Out.push_back(Each.Asked);
  }
  return Out;
}

/// Submits one launch, all of it or nothing; the last operation keeps what the
/// program's objects are needed for.
Result<OperationRef> GraphExec::submit(const GraphPlan &What,
                                       std::span<const OperationRef> After) {
  StreamState &State = streamState();
  std::vector<OperationRef> Start(After.begin(), After.end());
  Start.push_back(Last);
  std::map<cudaEvent_t, uint32_t> Recorded;
  std::vector<Engine::GroupStep> Steps;
  for (const GraphStep &Each : What.Steps) {
    Steps.push_back(stepOfLaunch(State, Each, Start, Recorded));
    if (auto *Record = std::get_if<RecordCommand>(&Each.Asked))
      Recorded[Record->Event] = static_cast<uint32_t>(Steps.size() - 1);
  }
  Engine::GroupStep Join;
  Join.What.AfterFailure = true;
  Join.What.Short = [Kept = Plan] { return Status(); };
  Join.Needs = What.Ends;
  if (What.Ends.empty())
    Join.After = Start;
  Steps.push_back(std::move(Join));
  Result<std::vector<OperationRef>> Done =
      engineState().Runs->submitGroup(std::move(Steps));
  if (!Done.ok())
    return Done.status();
  for (const auto &[Event, Step] : Recorded)
    (void)recordEvent(State, Event, (*Done)[Step]);
  return Done->back();
}

cudaError_t GraphExec::launch(cudaStream_t Stream) {
  cudaError_t Error = checkStream(Stream);
  if (Error == cudaSuccess)
    (void)plan(Error);
  if (Error == cudaSuccess)
    Error = graphState().Memory.launch(
        Memory, Flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
  if (Error != cudaSuccess)
    return Error;
  return enqueueGroup(Stream, [&](std::span<const OperationRef> After) {
    Result<OperationRef> End = submit(*Plan, After);
    if (End.ok())
      Last = *End;
    return End;
  });
}

} // namespace blockmaestro::emulated
