// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-sim: replays a recording through the simulated block
// scheduler, on a machine, under the schedulers asked for, or compares two such
// runs; or replays its warps.

#include "Comparison.h"
#include "Excerpt.h"
#include "HelpText.h"
#include "MachineFile.h"
#include "ManageOutput.h"
#include "Options.h"
#include "Output.h"
#include "Reader.h"
#include "Sweep.h"
#include "Timeline.h"
#include "ToolErrors.h"
#include "Version.h"
#include "WarpOutput.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

/// Opened before the work, so that a wrong name does not cost it; null where
/// none is asked for.
Expected<std::unique_ptr<raw_fd_ostream>> openTimeline(StringRef File) {
  if (File.empty())
    return nullptr;
  std::error_code Failure;
  auto Out = std::make_unique<raw_fd_ostream>(File, Failure);
  if (Failure)
    return createFileError(File, Failure);
  return Out;
}

Expected<Machine> machineOf(const Options &Given, const char *Argument0) {
  return readMachine(Given.Machine, Given.MachineKeys,
                     machineFolder(Argument0));
}

/// The recording, or the launches of it that are asked for.
Expected<Recording> recordingOf(const Options &Given, StringRef File) {
  Result<Recording> Whole = readRecording(File.str());
  if (!Whole.ok())
    return createStringError(Whole.status().message());
  if (Given.Launches.isAll())
    return std::move(*Whole);
  auto Wanted = launchesIn(Given.Launches, Whole->Launches.size());
  if (!Wanted)
    return createStringError(File + ": " + toString(Wanted.takeError()));
  return excerptOf(std::move(*Whole), Wanted->first, Wanted->second);
}

/// Everything but the reports.
Expected<Outcome> prepare(const Options &Given, StringRef File,
                          const char *Argument0) {
  Expected<Machine> On = machineOf(Given, Argument0);
  if (!On)
    return On.takeError();
  Expected<Recording> What = recordingOf(Given, File);
  if (!What)
    return What.takeError();
  Result<Replay> Run = prepareReplay(*What, *On, Given.Durations, Given.Host);
  if (!Run.ok())
    return createStringError(File + ": " + Run.status().message());
  return Outcome{std::move(*Run), File.str(), std::move(*What), std::move(*On)};
}

/// Also under that which the others are compared with.
void simulateAsAsked(Outcome &Of, const Options &Given) {
  SimulationOptions How;
  How.Timeline = !Given.Timeline.empty();
  simulateAll(Of, Of.On, schedulersOf(Given), How, Given.Jobs);
}

/// An Outcome of any kind or a Comparison, as it was asked for.
template <typename T> Error print(const T &What, Form As) {
  switch (As) {
  case Form::Table:
    printTable(What, outs());
    break;
  case Form::Json:
    printJson(What, outs());
    break;
  case Form::Csv:
    printCsv(What, outs());
    break;
  }
  return writingError(outs(), "standard output");
}

Error runSimulation(const Options &Given, const char *Argument0) {
  Expected<Outcome> Of = prepare(Given, Given.Files[0], Argument0);
  if (!Of)
    return Of.takeError();
  Expected<std::unique_ptr<raw_fd_ostream>> Timeline =
      openTimeline(Given.Timeline);
  if (!Timeline)
    return Timeline.takeError();
  simulateAsAsked(*Of, Given);
  if (Error Failure = print(*Of, Given.Output))
    return Failure;
  if (!*Timeline)
    return Error::success();
  printTimeline(*Of, Given.Arrows, **Timeline);
  return writingError(**Timeline, Given.Timeline);
}

Error runWarps(const Options &Given, const char *Argument0) {
  const std::string &File = Given.Files[0];
  Expected<Machine> On = machineOf(Given, Argument0);
  if (!On)
    return On.takeError();
  Expected<Recording> What = recordingOf(Given, File);
  if (!What)
    return What.takeError();
  Result<WarpReport> Report = simulateWarps(*What, *On, Given.WarpsBy);
  if (!Report.ok())
    return createStringError(File + ": " + Report.status().message());
  return print(WarpOutcome{File, std::move(*What), std::move(*On),
                           Given.WarpsBy, std::move(*Report)},
               Given.Output);
}

/// The recordings, checked for the machine, which stay where they are.
Error readApplications(const Options &Given, ManageOutcome &To) {
  for (const std::string &File : Given.Files) {
    Expected<Recording> What = recordingOf(Given, File);
    if (!What)
      return What.takeError();
    To.Files.push_back(File);
    To.What.push_back(std::make_unique<Recording>(std::move(*What)));
    Result<Application> Next = applicationOf(*To.What.back(), To.On);
    if (!Next.ok())
      return createStringError(File + ": " + Next.status().message());
    To.Applications.push_back(std::move(*Next));
  }
  return Error::success();
}

/// What manage, overlap and profile have in common.
Expected<ManageOutcome> prepareManaged(const Options &Given,
                                       const char *Argument0) {
  Expected<Machine> On = machineOf(Given, Argument0);
  if (!On)
    return On.takeError();
  ManageOutcome Out;
  Out.On = std::move(*On);
  Out.How.WarpsBy = Given.WarpsBy;
  Out.How.Instructions = Given.Instructions;
  if (Error Failure = readApplications(Given, Out))
    return std::move(Failure);
  return Out;
}

Error runManage(const Options &Given, const char *Argument0) {
  Expected<ManageOutcome> Of = prepareManaged(Given, Argument0);
  if (!Of)
    return Of.takeError();
  const Managed What = {Of->Applications, Of->On, Of->How, Given.Jobs};
  for (const ManagedPolicy &Each : Given.Policies)
    if (Status Is = checkPolicy(Each, What); !Is.ok())
      return createStringError(Is.message());
  Of->Runs = runManaged(What, Given.Policies);
  return print(*Of, Given.Output);
}

Error runOverlap(const Options &Given, const char *Argument0) {
  Expected<ManageOutcome> Of = prepareManaged(Given, Argument0);
  if (!Of)
    return Of.takeError();
  Result<Workload> Graph =
      makeWorkload(*Of->What[0], Of->On, {DurationSource::Uniform, 1});
  if (!Graph.ok())
    return createStringError(Given.Files[0] + ": " + Graph.status().message());
  const Managed What = {Of->Applications, Of->On, Of->How, Given.Jobs};
  const Overlapped Is = {What, *Graph, Given.InFlight ? Given.InFlight : 2};
  for (const LaunchPolicy &Each : Given.LaunchPolicies)
    if (Status Fits = checkPolicy(Each, Is); !Fits.ok())
      return createStringError(Fits.message());
  Of->InFlight = std::min(Is.InFlight, Graph->Window + 1);
  Of->Runs = runOverlapped(Is, Given.LaunchPolicies);
  return print(*Of, Given.Output);
}

Error runProfile(const Options &Given, const char *Argument0) {
  Expected<ManageOutcome> Of = prepareManaged(Given, Argument0);
  if (!Of)
    return Of.takeError();
  Profile Is = profileOf(Of->Applications[0], Of->On, Of->How, Given.Jobs);
  return print(ProfileOutcome{std::move(*Of), std::move(Is)}, Given.Output);
}

/// As it says, or simulated now.
Expected<ComparedRun> comparedRun(const Options &Given, StringRef File,
                                  const char *Argument0) {
  if (isJson(File))
    return readRun(File);
  Expected<Outcome> Of = prepare(Given, File, Argument0);
  if (!Of)
    return Of.takeError();
  simulateAsAsked(*Of, Given);
  return runOf(*Of);
}

Error runComparison(const Options &Given, const char *Argument0) {
  if (!Given.Simulating.empty() && all_of(Given.Files, isJson))
    return createStringError(Given.Simulating +
                             " is for recordings, and these are outputs of "
                             "--json");
  Expected<ComparedRun> A = comparedRun(Given, Given.Files[0], Argument0);
  if (!A)
    return A.takeError();
  Expected<ComparedRun> B = comparedRun(Given, Given.Files[1], Argument0);
  if (!B)
    return B.takeError();
  Expected<Comparison> Both = compare(std::move(*A), std::move(*B));
  if (!Both)
    return Both.takeError();
  return print(*Both, Given.Output);
}

Error run(const Options &Given, const char *Argument0) {
  if (Given.Help) {
    outs() << helpText(manual());
    return Error::success();
  }
  if (Given.Version) {
    outs() << versionLine("bm-sim") << '\n';
    return Error::success();
  }
  if (Given.Machines) {
    for (const std::string &Each : machineNames(machineFolder(Argument0)))
      outs() << Each << '\n';
    return Error::success();
  }
  if (!Given.Sweep.empty())
    return runSweep(Given.Sweep);
  if (Given.Does == Command::Compare)
    return runComparison(Given, Argument0);
  if (Given.Does == Command::Manage)
    return runManage(Given, Argument0);
  if (Given.Does == Command::Overlap)
    return runOverlap(Given, Argument0);
  if (Given.Does == Command::Profile)
    return runProfile(Given, Argument0);
  return Given.How == Detail::Warp ? runWarps(Given, Argument0)
                                   : runSimulation(Given, Argument0);
}

} // namespace

int main(int Count, const char **Arguments) {
  Expected<Options> Given =
      readOptions(ArrayRef(Arguments + 1, static_cast<size_t>(Count - 1)));
  Error Failure = Given ? run(*Given, Arguments[0]) : Given.takeError();
  if (!Failure)
    return 0;
  errs() << "bm-sim: error: " << toString(std::move(Failure)) << '\n';
  return 1;
}
