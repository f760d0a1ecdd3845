// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "HelpText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace blockmaestro::sim;

namespace blockmaestro {

static void addOnce(std::vector<Scheduler> &To, const Scheduler &Next) {
  if (none_of(To, [&](const Scheduler &S) { return S.Name == Next.Name; }))
    To.push_back(Next);
}

static Error setSchedulers(Options &To, StringRef Value) {
  To.Schedulers.clear();
  SmallVector<StringRef, 8> Names;
  Value.split(Names, ',');
  for (StringRef Name : Names) {
    if (Name == "all" || Name == "paper") {
      for (const Scheduler &Each :
           Name == "all" ? schedulers() : paperSchedulers())
        addOnce(To.Schedulers, Each);
      continue;
    }
    const std::optional<Scheduler> Found = findScheduler(Name);
    if (!Found)
      return createStringError("unknown scheduler '" + Name +
                               "'; 'bm-sim --help' lists them");
    addOnce(To.Schedulers, *Found);
  }
  return Error::success();
}

static Error setOutput(Options &To, StringRef Value) {
  if (Value.empty())
    return createStringError("-o needs the name of a file");
  To.Output = Value.str();
  return Error::success();
}

static Error setProgram(Options &To, StringRef Value) {
  To.Program = Value.str();
  return Error::success();
}

static Error setTitle(Options &To, StringRef Value) {
  To.Title = Value.str();
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

static Error setLaunches(Options &To, StringRef Value) {
  return parseLaunchRange(Value).moveInto(To.Launches);
}

static Error setBlocks(Options &To, StringRef Value) {
  constexpr uint64_t Most = 10000000;
  if (Value.getAsInteger(10, To.MostBlocks) || To.MostBlocks > Most)
    return createStringError("blocks must be a number from 0 to " +
                             Twine(Most) + ", not '" + Value + "'");
  return Error::success();
}

namespace {

/// A row of --help and of what is read.
struct OptionRow {
  StringLiteral Name;
  StringLiteral Value;                ///< Empty where there is none.
  Error (*Set)(Options &, StringRef); ///< Null where there is none.
  void (*Turn)(Options &);            ///< Where there is no value.
  StringLiteral Help;
};

constexpr StringLiteral DefaultSchedulers =
    "baseline,ideal,prelaunch,producer,consumer3,wireframe";

const OptionRow Rows[] = {
    {"-o", "FILE", setOutput, nullptr,
     "the page (the first recording's name, with .html)"},
    {"--json", "", nullptr, [](Options &To) { To.Json = true; },
     "print the page's data as JSON instead, or write it to -o"},
    {"--title", "TEXT", setTitle, nullptr, "of the page (the files' names)"},
    {"--program", "FILE", setProgram, nullptr,
     "where the kernels' records are (the program that was recorded)"},
    {"--machine", "NAME|FILE", setMachine, nullptr,
     "machine description (titanx-pascal)"},
    {"--set", "KEY=VALUE", addMachineKey, nullptr,
     "another number for it; may be repeated"},
    {"--scheduler", "NAME,...", setSchedulers, nullptr,
     "schedulers to simulate, besides baseline and producer; paper; all "
     "(ideal,prelaunch,consumer3,wireframe)"},
    {"--launches", "A..B", setLaunches, nullptr,
     "show each block of launches A to B, as far as --blocks goes; A.., ..B, "
     "-N.. for the last N"},
    {"--blocks", "N", setBlocks, nullptr,
     "show so many blocks each by itself, all runs together (200000)"},
    {"--help", "", nullptr, [](Options &To) { To.Help = true; }, "this text"},
    {"--version", "", nullptr, [](Options &To) { To.Version = true; },
     "which BlockMaestro this is"},
};

ManualOption manualOption(const OptionRow &Row) {
  ManualOption Out{
      {Row.Name.str()}, Row.Value.str(), Row.Help.str(), {}, false};
  if (Row.Name == "--help")
    Out.Names.push_back("-h");
  if (Row.Name == "--scheduler") {
    Out.Choices = {{"paper", ""}, {"all", ""}};
    for (const Scheduler &S : schedulerFamilies())
      Out.Choices.push_back({S.Name, ""});
  }
  return Out;
}

} // namespace

/// Takes one option with a value, "--name value" or "--name=value", off the
/// front of Left; false when there is none.
static Expected<bool> takeValueOption(Options &To,
                                      ArrayRef<const char *> &Left) {
  auto [Name, Value] = StringRef(Left.front()).split('=');
  for (const OptionRow &Row : Rows) {
    if (Name != Row.Name || !Row.Set)
      continue;
    const bool Separate = !StringRef(Left.front()).contains('=');
    if (Separate && Left.size() == 1)
      return createStringError(Name + " needs a value");
    if (Error Wrong = Row.Set(To, Separate ? StringRef(Left[1]) : Value))
      return std::move(Wrong);
    Left = Left.drop_front(Separate ? 2 : 1);
    return true;
  }
  return false;
}

/// Takes an option without value; false where it is none.
static bool takeFlag(Options &To, StringRef Argument) {
  const StringRef Name = Argument == "-h" ? "--help" : Argument;
  for (const OptionRow &Row : Rows) {
    if (Row.Name != Name || !Row.Turn)
      continue;
    Row.Turn(To);
    return true;
  }
  return false;
}

Expected<Options> readOptions(ArrayRef<const char *> Left) {
  Options Given;
  cantFail(setSchedulers(Given, DefaultSchedulers));
  while (!Left.empty()) {
    Expected<bool> Taken = takeValueOption(Given, Left);
    if (!Taken)
      return Taken.takeError();
    if (*Taken)
      continue;
    const StringRef Argument = Left.front();
    Left = Left.drop_front();
    if (takeFlag(Given, Argument))
      continue;
    if (Argument.starts_with("-"))
      return createStringError("unknown option '" + Argument + "'");
    Given.Files.push_back(Argument.str());
  }
  if (Given.Files.empty() && !Given.Help && !Given.Version)
    return createStringError("no recording given");
  return Given;
}

Manual manual() {
  Manual Out;
  Out.Tool = "bm-report";
  Out.Summary = "makes a page for the browser of recordings";
  Out.Usage = {"bm-report RECORDING... [-o FILE] [options]"};
  Out.Description = {
      "RECORDING is made by running a program with "
      "BLOCKMAESTRO_RECORD=RECORDING. The page is one file that needs no "
      "other and no network: the kernels with the bytes that their lines "
      "touch, the relations between launches, the recorded run and simulated "
      "ones as timelines, and where time is lost and what would regain it.",
      "On any mistake there is one line on standard error, no page is "
      "written, and the exit code is 1."};
  Out.Groups.push_back({"options", {}});
  for (const OptionRow &Row : Rows)
    Out.Groups.back().Options.push_back(manualOption(Row));
  Out.SeeAlso = {"bm-dump", "bm-sim", "bmclang"};
  return Out;
}

} // namespace blockmaestro
