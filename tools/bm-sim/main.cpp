// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-sim: replays a recording through the simulated block
// scheduler, on a machine, under the schedulers asked for.

#include "Excerpt.h"
#include "LaunchRange.h"
#include "MachineFile.h"
#include "Output.h"
#include "Reader.h"
#include "Scheduler.h"
#include "Timeline.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace llvm;
using namespace blockmaestro;
using namespace blockmaestro::sim;

namespace {

struct Options {
  std::string File;
  std::string Machine = "titanx-pascal";
  std::vector<std::string> MachineKeys; ///< key=value, in the order given.
  std::vector<Scheduler> Schedulers;
  unsigned InFlight = 0; ///< 0: as their names say.
  DurationChoice Durations;
  LaunchRange Launches;
  std::string Timeline;
  ArrowChoice Arrows;
  void (*Print)(const Outcome &, raw_ostream &) = printTable;
  unsigned Jobs = 0; ///< 0: as many as there are cores.
  bool Help = false;
  bool Machines = false;
};

void printHelp(raw_ostream &Out) {
  Out << "usage: bm-sim RECORDING [options]\n\n"
         "  --machine NAME|FILE     machine description (titanx-pascal)\n"
         "  --set KEY=VALUE         another number for it; may be repeated\n"
         "  --machines              print the machines there are\n"
         "  --scheduler NAME,...    schedulers to run; paper, those of "
         "BlockMaestro's; all (paper)\n"
         "  --in-flight N           so many launches in flight, under those "
         "that have a number\n"
         "  --durations shared      from recorded costs and what runs beside a "
         "block (default)\n"
         "  --durations model       from recorded costs, the same whatever "
         "runs beside\n"
         "  --durations events      as recorded\n"
         "  --durations uniform:NS  the same for every block\n"
         "  --launches A..B         only launches A to B and what is between "
         "them; A.., ..B, -N.. for the last N\n"
         "  --json                  print JSON\n"
         "  --csv                   print a line of values for each scheduler\n"
         "  --jobs N                schedulers at a time (all cores)\n"
         "  --timeline FILE         write a Perfetto trace\n"
         "  --arrows none|critical|all[:N]  in it, from each block's last "
         "parent, or all; N arrows at most (critical:50000)\n"
         "  --help                  this text\n\nschedulers:\n";
  for (const Scheduler &S : schedulerFamilies()) {
    Out << format("  %-10s ", S.Name.c_str()) << S.What;
    if (S.IsNumbered)
      Out << ", " << S.KernelsInFlight << " in flight; " << S.Name
          << "N: N in flight";
    Out << '\n';
  }
  Out << "\n  any with +reorder behind it: the command queue moves launches "
         "together\n";
}

Error setSchedulers(Options &To, StringRef Value) {
  To.Schedulers.clear();
  SmallVector<StringRef, 8> Names;
  Value.split(Names, ',');
  for (StringRef Name : Names) {
    if (Name == "all" || Name == "paper") {
      append_range(To.Schedulers,
                   Name == "all" ? schedulers() : paperSchedulers());
      continue;
    }
    std::optional<Scheduler> Found = findScheduler(Name);
    if (!Found)
      return createStringError("unknown scheduler '" + Name +
                               "'; 'bm-sim --help' lists them");
    To.Schedulers.push_back(std::move(*Found));
  }
  return Error::success();
}

Error setInFlight(Options &To, StringRef Value) {
  if (Value.getAsInteger(10, To.InFlight) || To.InFlight == 0 ||
      To.InFlight > MostInFlight)
    return createStringError("in-flight must be a number from 1 to " +
                             Twine(MostInFlight) + ", not '" + Value + "'");
  return Error::success();
}

/// With as many launches in flight as are asked for; each name once.
std::vector<Scheduler> schedulersOf(const Options &Given) {
  std::vector<Scheduler> Out;
  for (const Scheduler &Each : Given.Schedulers) {
    Scheduler Next = Given.InFlight ? withInFlight(Each, Given.InFlight) : Each;
    if (none_of(Out, [&](const Scheduler &S) { return S.Name == Next.Name; }))
      Out.push_back(std::move(Next));
  }
  return Out;
}

Error setDurations(Options &To, StringRef Value) {
  StringRef Number = Value;
  if (Value == "shared")
    To.Durations = {DurationSource::Shared, 0};
  else if (Value == "model")
    To.Durations = {DurationSource::Alone, 0};
  else if (Value == "events")
    To.Durations = {DurationSource::Events, 0};
  else if (Number.consume_front("uniform:") &&
           !Number.getAsInteger(10, To.Durations.UniformNs) &&
           To.Durations.UniformNs > 0 && To.Durations.UniformNs <= 1000000000)
    To.Durations.From = DurationSource::Uniform;
  else
    return createStringError(
        "durations must be shared, model, events or uniform:NS "
        "with NS from 1 to 1000000000, not '" +
        Value + "'");
  return Error::success();
}

Error setMachine(Options &To, StringRef Value) {
  To.Machine = Value.str();
  return Error::success();
}

Error addMachineKey(Options &To, StringRef Value) {
  To.MachineKeys.push_back(Value.str());
  return Error::success();
}

Error setJobs(Options &To, StringRef Value) {
  constexpr unsigned Most = 1024;
  if (Value.getAsInteger(10, To.Jobs) || To.Jobs == 0 || To.Jobs > Most)
    return createStringError("jobs must be a number from 1 to " + Twine(Most) +
                             ", not '" + Value + "'");
  return Error::success();
}

Error setTimeline(Options &To, StringRef Value) {
  To.Timeline = Value.str();
  return Error::success();
}

Error setArrows(Options &To, StringRef Value) {
  return parseArrows(Value).moveInto(To.Arrows);
}

Error setLaunches(Options &To, StringRef Value) {
  return parseLaunchRange(Value).moveInto(To.Launches);
}

struct ValueOption {
  StringLiteral Name;
  Error (*Set)(Options &, StringRef);
};

const ValueOption ValueOptions[] = {
    {"--machine", setMachine},      {"--set", addMachineKey},
    {"--scheduler", setSchedulers}, {"--durations", setDurations},
    {"--timeline", setTimeline},    {"--jobs", setJobs},
    {"--launches", setLaunches},    {"--in-flight", setInFlight},
    {"--arrows", setArrows},
};

/// Takes one option with a value, "--name value" or "--name=value", off the
/// front of Left; false when there is none.
Expected<bool> takeValueOption(Options &To, ArrayRef<const char *> &Left) {
  auto [Name, Value] = StringRef(Left.front()).split('=');
  for (const ValueOption &O : ValueOptions) {
    if (Name != O.Name)
      continue;
    bool Separate = !StringRef(Left.front()).contains('=');
    if (Separate && Left.size() == 1)
      return createStringError(Name + " needs a value");
    if (Error Wrong = O.Set(To, Separate ? StringRef(Left[1]) : Value))
      return std::move(Wrong);
    Left = Left.drop_front(Separate ? 2 : 1);
    return true;
  }
  return false;
}

Expected<Options> readOptions(ArrayRef<const char *> Left) {
  Options Given;
  cantFail(setSchedulers(Given, "paper"));
  while (!Left.empty()) {
    Expected<bool> Taken = takeValueOption(Given, Left);
    if (!Taken)
      return Taken.takeError();
    if (*Taken)
      continue;
    StringRef Argument = Left.front();
    Left = Left.drop_front();
    if (Argument == "--json")
      Given.Print = printJson;
    else if (Argument == "--csv")
      Given.Print = printCsv;
    else if (Argument == "--help" || Argument == "-h")
      Given.Help = true;
    else if (Argument == "--machines")
      Given.Machines = true;
    else if (Argument.starts_with("-"))
      return createStringError("unknown option '" + Argument + "'");
    else if (!Given.File.empty())
      return createStringError("more than one recording given");
    else
      Given.File = Argument.str();
  }
  if (Given.File.empty() && !Given.Help && !Given.Machines)
    return createStringError("no recording given");
  return Given;
}

/// What went wrong while writing; the stream forgets it.
Error writingError(raw_fd_ostream &Out, StringRef File) {
  Out.flush();
  if (!Out.has_error())
    return Error::success();
  const std::error_code Failure = Out.error();
  Out.clear_error();
  return createFileError(File, Failure);
}

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
  Expected<Machine> Out = readMachine(Given.Machine, machineFolder(Argument0));
  if (!Out)
    return Out;
  for (const std::string &Each : Given.MachineKeys) {
    if (Error Wrong = setMachineKey(*Out, Each))
      return std::move(Wrong);
    Out->Name += ", " + Each;
  }
  return Out;
}

/// One report for each, in their order, whichever is done first.
std::vector<SimulationReport>
simulateEach(const Workload &Work, const Machine &On, ArrayRef<Scheduler> By,
             const SimulationOptions &How, unsigned Jobs) {
  std::vector<SimulationReport> Out(By.size());
  std::atomic<size_t> Next = 0;
  auto Run = [&] {
    for (size_t I; (I = Next++) < By.size();)
      Out[I] = simulate(Work, On, By[I], How);
  };
  if (Jobs == 0)
    Jobs = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> Others;
  for (size_t I = 1; I < std::min<size_t>(Jobs, By.size()); ++I)
    Others.emplace_back(Run);
  Run();
  for (std::thread &Each : Others)
    Each.join();
  return Out;
}

/// The recording, or the launches of it that are asked for.
Expected<Recording> recordingOf(const Options &Given) {
  Result<Recording> Whole = readRecording(Given.File);
  if (!Whole.ok())
    return createStringError(Whole.status().message());
  if (Given.Launches.isAll())
    return std::move(*Whole);
  auto Wanted = launchesIn(Given.Launches, Whole->Launches.size());
  if (!Wanted)
    return createStringError(Given.File + ": " + toString(Wanted.takeError()));
  return excerptOf(std::move(*Whole), Wanted->first, Wanted->second);
}

Error simulateAll(const Options &Given, const char *Argument0) {
  Expected<Machine> On = machineOf(Given, Argument0);
  if (!On)
    return On.takeError();
  Expected<Recording> What = recordingOf(Given);
  if (!What)
    return What.takeError();
  Result<Workload> Work = makeWorkload(*What, *On, Given.Durations);
  if (!Work.ok())
    return createStringError(Given.File + ": " + Work.status().message());
  if (Work->Launches.empty())
    return createStringError(Given.File + ": the recording has no launches");
  Expected<std::unique_ptr<raw_fd_ostream>> Timeline =
      openTimeline(Given.Timeline);
  if (!Timeline)
    return Timeline.takeError();
  SimulationOptions How;
  How.Timeline = *Timeline != nullptr;
  Outcome Of{Given.File, *What, *On, *Work, lowerBound(*Work, *On), 0, {}};
  std::vector<Scheduler> Wanted = schedulersOf(Given);
  const size_t Count = Wanted.size();
  const Scheduler Baseline = *findScheduler("baseline");
  const auto Found = find_if(
      Wanted, [&](const Scheduler &S) { return S.Name == Baseline.Name; });
  const size_t At = size_t(Found - Wanted.begin());
  if (Found == Wanted.end())
    Wanted.push_back(Baseline);
  Of.Reports = simulateEach(*Work, *On, Wanted, How, Given.Jobs);
  Of.BaselineNs = Of.Reports[At].MakespanNs;
  Of.Reports.resize(Count);
  Given.Print(Of, outs());
  if (Error Failure = writingError(outs(), "standard output"))
    return Failure;
  if (!*Timeline)
    return Error::success();
  printTimeline(Of, Given.Arrows, **Timeline);
  return writingError(**Timeline, Given.Timeline);
}

} // namespace

int main(int Count, const char **Arguments) {
  Expected<Options> Given =
      readOptions(ArrayRef(Arguments + 1, static_cast<size_t>(Count - 1)));
  Error Failure = Given ? Error::success() : Given.takeError();
  if (!Failure && Given->Help)
    printHelp(outs());
  else if (!Failure && Given->Machines)
    for (const std::string &Each : machineNames(machineFolder(Arguments[0])))
      outs() << Each << '\n';
  else if (!Failure)
    Failure = simulateAll(*Given, Arguments[0]);
  if (!Failure)
    return 0;
  errs() << "bm-sim: error: " << toString(std::move(Failure)) << '\n';
  return 1;
}
