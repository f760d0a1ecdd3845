// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

void printHelp(raw_ostream &Out) {
  Out << "usage: bm-sim RECORDING [options]\n"
         "       bm-sim compare A B [options]   recordings, or outputs of "
         "--json\n\n"
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
         "  --host none             the host takes no time (default)\n"
         "  --host recorded         it computes between its calls as "
         "recorded\n"
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

static Error setSchedulers(Options &To, StringRef Value) {
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

static Error setInFlight(Options &To, StringRef Value) {
  if (Value.getAsInteger(10, To.InFlight) || To.InFlight == 0 ||
      To.InFlight > MostInFlight)
    return createStringError("in-flight must be a number from 1 to " +
                             Twine(MostInFlight) + ", not '" + Value + "'");
  return Error::success();
}

static Error setDurations(Options &To, StringRef Value) {
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

static Error setHost(Options &To, StringRef Value) {
  if (Value != "none" && Value != "recorded")
    return createStringError("host must be none or recorded, not '" + Value +
                             "'");
  To.Host = Value == "none" ? HostSource::None : HostSource::Recorded;
  return Error::success();
}

static Error setMachine(Options &To, StringRef Value) {
  To.Machine = Value.str();
  return Error::success();
}

static Error addMachineKey(Options &To, StringRef Value) {
  To.MachineKeys.push_back(Value.str());
  return Error::success();
}

static Error setJobs(Options &To, StringRef Value) {
  constexpr unsigned Most = 1024;
  if (Value.getAsInteger(10, To.Jobs) || To.Jobs == 0 || To.Jobs > Most)
    return createStringError("jobs must be a number from 1 to " + Twine(Most) +
                             ", not '" + Value + "'");
  return Error::success();
}

static Error setTimeline(Options &To, StringRef Value) {
  To.Timeline = Value.str();
  return Error::success();
}

static Error setArrows(Options &To, StringRef Value) {
  return parseArrows(Value).moveInto(To.Arrows);
}

static Error setLaunches(Options &To, StringRef Value) {
  return parseLaunchRange(Value).moveInto(To.Launches);
}

std::vector<Scheduler> schedulersOf(const Options &Given) {
  std::vector<Scheduler> Out;
  for (const Scheduler &Each : Given.Schedulers) {
    Scheduler Next = Given.InFlight ? withInFlight(Each, Given.InFlight) : Each;
    if (none_of(Out, [&](const Scheduler &S) { return S.Name == Next.Name; }))
      Out.push_back(std::move(Next));
  }
  return Out;
}

namespace {

struct ValueOption {
  StringLiteral Name;
  Error (*Set)(Options &, StringRef);
};

const ValueOption ValueOptions[] = {
    {"--machine", setMachine},      {"--set", addMachineKey},
    {"--scheduler", setSchedulers}, {"--durations", setDurations},
    {"--timeline", setTimeline},    {"--jobs", setJobs},
    {"--launches", setLaunches},    {"--in-flight", setInFlight},
    {"--arrows", setArrows},        {"--host", setHost},
};

} // namespace

/// Takes one option with a value, "--name value" or "--name=value", off the
/// front of Left; false when there is none.
static Expected<bool> takeValueOption(Options &To,
                                      ArrayRef<const char *> &Left) {
  auto [Name, Value] = StringRef(Left.front()).split('=');
  for (const ValueOption &O : ValueOptions) {
    if (Name != O.Name)
      continue;
    bool Separate = !StringRef(Left.front()).contains('=');
    if (Separate && Left.size() == 1)
      return createStringError(Name + " needs a value");
    To.Simulating = O.Name.str();
    if (Error Wrong = O.Set(To, Separate ? StringRef(Left[1]) : Value))
      return std::move(Wrong);
    Left = Left.drop_front(Separate ? 2 : 1);
    return true;
  }
  return false;
}

/// Takes an option without value; false where it is none.
static bool takeFlag(Options &To, StringRef Argument) {
  if (Argument == "--json")
    To.Output = Form::Json;
  else if (Argument == "--csv")
    To.Output = Form::Csv;
  else if (Argument == "--help" || Argument == "-h")
    To.Help = true;
  else if (Argument == "--machines")
    To.Machines = true;
  else
    return false;
  return true;
}

static Error checkFiles(const Options &Given) {
  if (Given.Help || Given.Machines)
    return Error::success();
  if (Given.Compares && Given.Files.size() != 2)
    return createStringError("compare needs two recordings or outputs of "
                             "--json, not " +
                             Twine(Given.Files.size()));
  if (Given.Compares && !Given.Timeline.empty())
    return createStringError("compare writes no timeline");
  if (!Given.Compares && Given.Files.size() != 1)
    return createStringError(Given.Files.empty()
                                 ? "no recording given"
                                 : "more than one recording given");
  return Error::success();
}

Expected<Options> readOptions(ArrayRef<const char *> Left) {
  Options Given;
  cantFail(setSchedulers(Given, "paper"));
  Given.Compares = !Left.empty() && StringRef(Left.front()) == "compare";
  if (Given.Compares)
    Left = Left.drop_front();
  while (!Left.empty()) {
    Expected<bool> Taken = takeValueOption(Given, Left);
    if (!Taken)
      return Taken.takeError();
    if (*Taken)
      continue;
    StringRef Argument = Left.front();
    Left = Left.drop_front();
    if (takeFlag(Given, Argument))
      continue;
    if (Argument.starts_with("-"))
      return createStringError("unknown option '" + Argument + "'");
    Given.Files.push_back(Argument.str());
  }
  if (Error Wrong = checkFiles(Given))
    return std::move(Wrong);
  return Given;
}

} // namespace blockmaestro
