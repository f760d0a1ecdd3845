// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "OptionRows.h"
#include "SchedulerNames.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

static Error setSchedulers(Options &To, StringRef Value) {
  return parseSchedulers(Value).moveInto(To.Schedulers);
}

static Error setInFlight(Options &To, StringRef Value) {
  if (Value.getAsInteger(10, To.InFlight) || To.InFlight == 0 ||
      To.InFlight > MostInFlight)
    return createStringError("in-flight must be a number from 1 to " +
                             Twine(MostInFlight) + ", not '" + Value + "'");
  return Error::success();
}

static Error setDurations(Options &To, StringRef Value) {
  Result<DurationChoice> Read = parseDurations(Value);
  if (!Read.ok())
    return createStringError(Read.status().message());
  To.Durations = *Read;
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

static Error setDetail(Options &To, StringRef Value) {
  if (Value != "block" && Value != "warp")
    return createStringError("detail must be block or warp, not '" + Value +
                             "'");
  To.How = Value == "warp" ? Detail::Warp : Detail::Block;
  return Error::success();
}

static Error setWarpScheduler(Options &To, StringRef Value) {
  if (Value != "gto" && Value != "lrr")
    return createStringError("warp-scheduler must be gto or lrr, not '" +
                             Value + "'");
  To.WarpsBy = Value == "gto" ? WarpPolicy::GreedyThenOldest
                              : WarpPolicy::LooseRoundRobin;
  return Error::success();
}

template <typename T>
static Error addPoliciesTo(std::vector<T> &To, Result<std::vector<T>> Read) {
  if (!Read.ok())
    return createStringError(Read.status().message());
  for (T &Each : *Read)
    if (none_of(To, [&](const T &Has) { return Has.Name == Each.Name; }))
      To.push_back(std::move(Each));
  return Error::success();
}

static Error addPolicies(Options &To, StringRef Value) {
  return To.Does == Command::Overlap
             ? addPoliciesTo(To.LaunchPolicies,
                             parseLaunchPolicies(Value.str()))
             : addPoliciesTo(To.Policies, parsePolicies(Value.str()));
}

static Error setInstructions(Options &To, StringRef Value) {
  if (Value.getAsInteger(10, To.Instructions) || To.Instructions == 0)
    return createStringError("instructions must be a number from 1, not '" +
                             Value + "'");
  return Error::success();
}

static Error setTimeline(Options &To, StringRef Value) {
  To.Timeline = Value.str();
  return Error::success();
}

static Error setSweep(Options &To, StringRef Value) {
  To.Sweep = Value.str();
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
  for (const Scheduler &Each : Given.Schedulers)
    addOnce(Out, Given.InFlight ? withInFlight(Each, Given.InFlight) : Each);
  return Out;
}

namespace {

/// Which details an option is for; Jobs: blocks, and manage, overlap and
/// profile; Flight: blocks and overlap; Manage: it and overlap; Applications:
/// manage and profile.
enum class Knows : uint8_t {
  Both,
  Blocks,
  Warps,
  Jobs,
  Flight,
  Manage,
  Applications
};

/// A value is one of Choices, or is whatever Set takes.
using SimOptionRow = OptionRow<Options, Knows>;

struct ChoiceRow {
  StringLiteral Option, Value, Help;
};

const SimOptionRow Rows[] = {
    {"--machine", "NAME|FILE", setMachine, nullptr,
     "machine description (titanx-pascal)"},
    {"--set", "KEY=VALUE", addMachineKey, nullptr,
     "another number for it; may be repeated"},
    {"--machines", "", nullptr, [](Options &To) { To.Machines = true; },
     "print the machines there are"},
    {"--scheduler", "NAME,...", setSchedulers, nullptr,
     "schedulers to run; paper, those of BlockMaestro's; all (paper)",
     Knows::Blocks},
    {"--in-flight", "N", setInFlight, nullptr,
     "so many launches in flight, under those that have a number; of overlap, "
     "2",
     Knows::Flight},
    {"--durations", "SOURCE", setDurations, nullptr, "how long blocks run",
     Knows::Blocks},
    {"--host", "SOURCE", setHost, nullptr, "how long the host computes",
     Knows::Blocks},
    {"--detail", "TIER", setDetail, nullptr, "what is simulated"},
    {"--warp-scheduler", "NAME", setWarpScheduler, nullptr,
     "which of its warps a scheduler of an SM takes", Knows::Warps},
    {"--policy", "NAME", addPolicies, nullptr,
     "manage, overlap: whose blocks go where; may be repeated", Knows::Manage},
    {"--instructions", "N", setInstructions, nullptr,
     "manage, profile: no block of an application starts once it has issued N",
     Knows::Applications},
    {"--launches", "A..B", setLaunches, nullptr,
     "only launches A to B and what is between them; A.., ..B, -N.. for the "
     "last N"},
    {"--json", "", nullptr, [](Options &To) { To.Output = Form::Json; },
     "print JSON"},
    {"--csv", "", nullptr, [](Options &To) { To.Output = Form::Csv; },
     "print a line of values for each scheduler"},
    {"--jobs", "N", setJobs, nullptr,
     "schedulers, or runs of manage and overlap, at a time (all cores)",
     Knows::Jobs},
    {"--timeline", "FILE", setTimeline, nullptr, "write a Perfetto trace",
     Knows::Blocks},
    {"--arrows", "none|critical|all[:N]", setArrows, nullptr,
     "in it, from each block's last parent, or all; N arrows at most "
     "(critical:50000)",
     Knows::Blocks},
    {"--sweep", "FILE", setSweep, nullptr,
     "many simulations, as this TOML file says; needs the Python package",
     Knows::Both},
    {"--help", "", nullptr, [](Options &To) { To.Help = true; }, "this text"},
    {"--version", "", nullptr, [](Options &To) { To.Version = true; },
     "which BlockMaestro this is"},
};

const ChoiceRow Choices[] = {
    {"--durations", "shared",
     "from recorded costs and what runs beside a block (default)"},
    {"--durations", "model",
     "from recorded costs, the same whatever runs beside"},
    {"--durations", "events", "as recorded"},
    {"--durations", "uniform:NS", "the same for every block"},
    {"--host", "none", "the host takes no time (default)"},
    {"--host", "recorded", "it computes between its calls as recorded"},
    {"--detail", "block", "blocks, which take a time (default)"},
    {"--detail", "warp", "warps, by what those of the recording's blocks did"},
    {"--warp-scheduler", "gto",
     "the one that issued last, then the oldest (default)"},
    {"--warp-scheduler", "lrr", "the next one, round"},
    {"--arrows", "none", ""},
    {"--arrows", "critical", ""},
    {"--arrows", "all", ""},
};

/// With the words that its value may be.
ManualOption optionWithChoices(const SimOptionRow &Row) {
  ManualOption Out = manualOption(Row);
  for (const ChoiceRow &Each : Choices)
    if (Each.Option == Row.Name)
      Out.Choices.push_back({Each.Value.str(), Each.Help.str()});
  if (Row.Name == "--scheduler")
    for (const std::string &Word : schedulerWords())
      Out.Choices.push_back({Word, ""});
  if (Row.Name == "--policy") {
    for (const PolicyRow &Each : policyRows())
      Out.Choices.push_back({Each.Name, Each.What});
    Out.Choices.push_back(
        {"fine:A,B", "so many blocks an SM; with +bypass:A,B behind it, so "
                     "many of them past L1"});
    Out.Choices.push_back({"all", "all of these but fine and best:bypass"});
    for (const LaunchPolicyRow &Each : launchPolicyRows())
      if (none_of(policyRows(), [&](const PolicyRow &Row) {
            return StringRef(Row.Name) == Each.Name;
          }))
        Out.Choices.push_back({Each.Name, Each.What});
  }
  return Out;
}

/// What later checks ask of the options that were given.
void noteTaken(Options &To, const SimOptionRow &Row) {
  if (!Row.Set)
    return;
  To.Simulating = Row.Name.str();
  const bool Manages = To.Does == Command::Manage;
  const bool Overlaps = To.Does == Command::Overlap;
  const bool Profiles = To.Does == Command::Profile;
  switch (Row.By) {
  case Knows::Both:
    break;
  case Knows::Warps:
    To.WarpsOnly = To.Simulating;
    break;
  case Knows::Jobs:
    if (!Manages && !Overlaps && !Profiles)
      To.BlocksOnly = To.Simulating;
    break;
  case Knows::Flight:
    if (!Overlaps)
      To.BlocksOnly = To.Simulating;
    break;
  case Knows::Blocks:
    To.BlocksOnly = To.Simulating;
    break;
  case Knows::Manage:
    if (!Manages && !Overlaps)
      To.ManageOnly = To.Simulating;
    break;
  case Knows::Applications:
    if (!Manages && !Profiles)
      To.ManageOnly = To.Simulating;
    break;
  }
}

} // namespace

static bool runsApplications(Command Is) {
  return Is == Command::Manage || Is == Command::Overlap ||
         Is == Command::Profile;
}

static Error checkFiles(const Options &Given) {
  if (Given.Help || Given.Version || Given.Machines || !Given.Sweep.empty())
    return Error::success();
  const bool Compares = Given.Does == Command::Compare;
  if (Compares && Given.Files.size() != 2)
    return createStringError("compare needs two recordings or outputs of "
                             "--json, not " +
                             Twine(Given.Files.size()));
  if (Compares && !Given.Timeline.empty())
    return createStringError("compare writes no timeline");
  constexpr size_t Most = 16;
  if (Given.Does == Command::Manage &&
      (Given.Files.size() < 2 || Given.Files.size() > Most))
    return createStringError("manage needs two to " + Twine(Most) +
                             " recordings, not " + Twine(Given.Files.size()));
  if (!Compares && Given.Does != Command::Manage && Given.Files.size() != 1)
    return createStringError(Given.Files.empty()
                                 ? "no recording given"
                                 : "more than one recording given");
  return Error::success();
}

/// A sweep takes all that it is from its file.
static Error checkSweep(const Options &Given, ArrayRef<const char *> All) {
  if (Given.Sweep.empty())
    return Error::success();
  const size_t Words = StringRef(All.front()).contains('=') ? 1 : 2;
  if (All.size() == Words)
    return Error::success();
  return createStringError("--sweep takes everything from its file");
}

/// Options of manage, overlap and profile, which know warps only.
static Error checkApplications(const Options &Given) {
  if (Given.How == Detail::Block)
    return createStringError("--detail block is not for manage, overlap and "
                             "profile");
  if (!Given.BlocksOnly.empty())
    return createStringError(Given.BlocksOnly +
                             " is for blocks: manage, overlap and profile run "
                             "warps");
  return Error::success();
}

/// Options of one detail under the other.
static Error checkDetail(const Options &Given) {
  if (!Given.ManageOnly.empty())
    return createStringError(Given.ManageOnly + " is for manage");
  if (runsApplications(Given.Does))
    return checkApplications(Given);
  if (Given.How == Detail::Block)
    return Given.WarpsOnly.empty()
               ? Error::success()
               : createStringError(Given.WarpsOnly + " needs --detail warp");
  if (Given.Does == Command::Compare)
    return createStringError("compare knows no --detail warp");
  if (Given.BlocksOnly.empty())
    return Error::success();
  return createStringError(Given.BlocksOnly +
                           " is for blocks: with --detail warp launches run "
                           "one after the other");
}

static Command commandOf(StringRef Word) {
  return StringSwitch<Command>(Word)
      .Case("compare", Command::Compare)
      .Case("manage", Command::Manage)
      .Case("overlap", Command::Overlap)
      .Case("profile", Command::Profile)
      .Default(Command::Simulate);
}

Expected<Options> readOptions(ArrayRef<const char *> All) {
  ArrayRef<const char *> Left = All;
  Options Given;
  cantFail(setSchedulers(Given, "paper"));
  if (!Left.empty())
    Given.Does = commandOf(Left.front());
  if (Given.Does != Command::Simulate)
    Left = Left.drop_front();
  if (runsApplications(Given.Does))
    Given.How = Detail::Warp;
  if (Error Wrong = readArguments(
          Given, Left, ArrayRef(Rows),
          [&](const SimOptionRow &Row) { noteTaken(Given, Row); }))
    return std::move(Wrong);
  if (Error Wrong = checkSweep(Given, All))
    return std::move(Wrong);
  if (Error Wrong = checkFiles(Given))
    return std::move(Wrong);
  if (Error Wrong = checkDetail(Given))
    return std::move(Wrong);
  if (Given.Does == Command::Manage && Given.Policies.empty())
    cantFail(addPolicies(Given, "leftover"));
  if (Given.Does == Command::Overlap && Given.LaunchPolicies.empty())
    cantFail(addPolicies(Given, "oldest"));
  return Given;
}

static ManualList schedulerList() {
  ManualList List{"schedulers",
                  {},
                  "any with +reorder behind it: the command "
                  "queue moves launches together"};
  for (const Scheduler &S : schedulerFamilies()) {
    std::string Help = S.What;
    if (S.IsNumbered)
      Help += ", " + std::to_string(S.KernelsInFlight) + " in flight; " +
              S.Name + "N: N in flight";
    List.Terms.push_back({S.Name, std::move(Help)});
  }
  return List;
}

Manual manual() {
  Manual Out;
  Out.Tool = "bm-sim";
  Out.Summary = "replays a recording through a simulated block scheduler";
  Out.Usage = {"bm-sim RECORDING [options]",
               "bm-sim compare A B [options]   recordings, or their --json",
               "bm-sim manage A B... [options] side by side, warp by warp",
               "bm-sim overlap RECORDING [options]",
               "bm-sim profile RECORDING [options]",
               "bm-sim --sweep FILE            many simulations"};
  Out.Description = {
      "RECORDING is made by running a program with "
      "BLOCKMAESTRO_RECORD=RECORDING. The table has for each scheduler its "
      "time, and the speed-up over the baseline, which starts a launch when "
      "the one before it has ended.",
      "With --detail warp the warps of the blocks are simulated, by what they "
      "did where the program ran with BLOCKMAESTRO_RECORD=RECORDING,warps; the "
      "table has for each kernel its cycles and what they went to.",
      "manage runs such recordings side by side, each as one application, "
      "whose blocks share the SMs as --policy says; overlap runs the launches "
      "of one beside each other, as far as their blocks do not need each "
      "other; "
      "profile runs one with one block on an SM, two, and so on.",
      "On any mistake there is one line on standard error, and the exit code "
      "is 1."};
  Out.Groups.push_back({"options", {}});
  for (const SimOptionRow &Row : Rows)
    Out.Groups.back().Options.push_back(optionWithChoices(Row));
  Out.Lists.push_back(schedulerList());
  Out.SeeAlso = {"bm-dump", "bmclang"};
  return Out;
}

} // namespace blockmaestro
