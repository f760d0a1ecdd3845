// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Running a graph of tasks by the executor of the emulated device: one launch
// for each level, related by the graph and not by what the kernel touches,
// which nobody could tell.

#include "Runtime.h"

#include "Checks.h"
#include "HostClock.h"
#include "LevelRelations.h"
#include "PackLaunch.h"

#include <utility>

namespace blockmaestro {

TaskPlace Runtime::placeOfTasks() const {
  TaskPlace Out;
  Out.ByLevels = !Target.runsClosedCode();
  Out.Queue = Asked.Queue;
  Out.TimeoutSeconds = Asked.TimeoutSeconds;
  Out.Checked = Asked.Checks & CheckFootprints;
  return Out;
}

/// What executors and checks are told that a launch of tasks touches.
static std::shared_ptr<const LaunchAccesses> anything(Dim3 Grid) {
  BlockAccess Any;
  Any.Kind = AccessKind::Atomic;
  Any.Reason = "tasks touch what the program says of each";
  auto Out = std::make_shared<LaunchAccesses>();
  Out->Grid = Grid;
  Out->Accesses.push_back(std::move(Any));
  return Out;
}

/// The launch of one level.
std::shared_ptr<Launch> Runtime::packLevel(const LeveledTasks &What,
                                           const KernelRecord &Kernel,
                                           size_t Level) {
  uint64_t List = What.List + What.LevelBegin[Level] * What.Stride;
  std::vector<void *> Args = What.Leading;
  Args.push_back(&List);
  std::shared_ptr<Launch> Out =
      packLaunch(Kernel, dim3(What.sizeOf(Level)), dim3(What.Threads),
                 Args.data(), What.SharedBytes);
  Out->Id = NextId;
  Out->Independent = true;
  if (What.Name)
    Out->BlockName = [Name = What.Name,
                      Begin = What.LevelBegin[Level]](uint64_t Block) {
      return Name(Begin + uint32_t(Block));
    };
  return Out;
}

/// Submits the launch behind what Edges names. Paths are for checks.
Status Runtime::submitLevel(std::shared_ptr<const Launch> What,
                            const LeveledTasks &Of, std::vector<Need> Edges,
                            std::vector<Need> Paths) {
  Admission Entry;
  Entry.Touched = anything(What->Grid);
  Entry.Needs = std::move(Edges);
  const NodeName Name = {false, NextId++};
  if (Recorder)
    Recorder->launch(
        recordedForm(*What, *Entry.Touched, {registersOf(Of.Stub)}),
        InFlight.recorded(Entry, Name));
  Task Next;
  Next.Node = InFlight.next();
  Next.Stream = Of.Stream;
  Next.Needs = InFlight.dependences(Entry);
  if (Asked.Checks)
    Target.expect({Next.Node,
                   What,
                   Entry.Touched,
                   std::move(Paths),
                   InFlight.beside(),
                   {},
                   /*AreTasks=*/true});
  keep({Name, Of.Stream, What->Grid});
  Next.What = std::move(What);
  return Runs->submit(std::move(Next));
}

Status Runtime::submitLevels(const LeveledTasks &What,
                             const KernelRecord &Kernel) {
  const bool Checked = Asked.Checks & CheckGraph;
  LevelRelations Related(What, Asked.Window, Checked);
  const uint64_t First = InFlight.next();
  Status Done;
  for (size_t Level = 0; Level < What.levels() && Done.ok(); ++Level) {
    Related.next();
    std::shared_ptr<Launch> Packed = packLevel(What, Kernel, Level);
    if (Level == 0)
      Done = Target.accepts(*Packed, What.Stream);
    if (Done.ok())
      Done = submitLevel(std::move(Packed), What, Related.edges(First),
                         Checked ? Related.paths(First) : std::vector<Need>());
  }
  return Done;
}

cudaError_t Runtime::runTasks(const LeveledTasks &What, std::string &Why) {
  forgetDeclaration();
  Kernel *Known = Registered.byStub(What.Stub);
  Guard Held(Lock);
  if (!Known || !Known->usable()) {
    Why = "the kernels of the tasks were not compiled with -fblockmaestro";
    return cudaErrorInvalidDeviceFunction;
  }
  cudaError_t Error = settle("tasks begin", &Executor::fence);
  if (Error == cudaSuccess && Finished)
    Error = cudaErrorCudartUnloading;
  if (Error != cudaSuccess)
    return Error;
  learnGlobals(*Known);
  LastStream = What.Stream;
  if (Asked.Checks & CheckFootprints)
    Target.expectTasks({NextId,
                        What.LevelBegin,
                        {What.ProducerBegin, What.Producers},
                        What.Declared});
  if (Status Done = submitLevels(What, *Known->Record); !Done.ok()) {
    Why = Done.message();
    return failed(Done);
  }
  return settle("tasks end", &Executor::drain);
}

} // namespace blockmaestro
