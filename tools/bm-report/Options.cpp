// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"

#include "OptionRows.h"
#include "SchedulerNames.h"

using namespace llvm;

namespace blockmaestro {

static Error setSchedulers(Options &To, StringRef Value) {
  return parseSchedulers(Value).moveInto(To.Schedulers);
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

constexpr StringLiteral DefaultSchedulers =
    "baseline,ideal,prelaunch,producer,consumer3,wireframe";

const OptionRow<Options> Rows[] = {
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

} // namespace

Expected<Options> readOptions(ArrayRef<const char *> Left) {
  Options Given;
  cantFail(setSchedulers(Given, DefaultSchedulers));
  if (Error Wrong = readArguments(Given, Left, ArrayRef(Rows), [](auto &) {}))
    return std::move(Wrong);
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
  for (const OptionRow<Options> &Row : Rows) {
    Out.Groups.back().Options.push_back(manualOption(Row));
    if (Row.Name == "--scheduler")
      for (const std::string &Word : schedulerWords())
        Out.Groups.back().Options.back().Choices.push_back({Word, ""});
  }
  Out.SeeAlso = {"bm-dump", "bm-sim", "bmclang"};
  return Out;
}

} // namespace blockmaestro
