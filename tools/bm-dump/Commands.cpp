// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.h"

#include "HelpText.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral ObjectOptions[] = {"--kernel", "--json"};
constexpr StringLiteral GraphOptions[] = {"--edges",         "--all", "--dot",
                                          "--svg",           "--csv", "--json",
                                          "graph --launches"};
constexpr StringLiteral EncodingOptions[] = {"--all", "--paper", "--csv",
                                             "--json", "--launches"};
constexpr StringLiteral TableOptions[] = {"--csv", "--json", "--launches"};
constexpr StringLiteral WarpsOptions[] = {"--paths", "--json", "--launches"};
constexpr StringLiteral TimelineOptions[] = {"-o", "--launches"};

const DumpCommand Commands[] = {
    {"footprints",
     "the bytes each kernel touches; FILE is an object, archive "
     "or program",
     DumpInput::Object, ObjectOptions, runFootprints},
    {"metadata", "everything the compiler has put into FILE", DumpInput::Object,
     ObjectOptions, runMetadata},
    {"launches", "the launches, copies and barriers of a recording",
     DumpInput::Recording, TableOptions, runLaunches},
    {"graph", "which blocks wait for which in a recording",
     DumpInput::Recording, GraphOptions, runGraph},
    {"encoding", "the same as formulas, with their size", DumpInput::Recording,
     EncodingOptions, runEncoding},
    {"events", "when and where every block of a recording ran",
     DumpInput::Recording, TableOptions, runEvents},
    {"recording", "what a recording holds, summed up by launch",
     DumpInput::Recording, TableOptions, runRecording},
    {"timeline", "when every block of a recording ran, as a Perfetto trace",
     DumpInput::Recording, TimelineOptions, runTimeline},
    {"warps", "what warps of traced blocks did in a recording",
     DumpInput::Recording, WarpsOptions, runWarps},
};

StringRef describe(DumpInput Input) {
  if (Input == DumpInput::Recording)
    return "FILE is a recording, made by running a program with "
           "BLOCKMAESTRO_RECORD=FILE.";
  return "FILE is an ELF object, archive, shared library or program that was "
         "compiled with\n-fblockmaestro. Each module is shown with the "
         "architecture it was compiled for.";
}

} // namespace

ArrayRef<DumpCommand> dumpCommands() { return Commands; }

Manual manual() {
  Manual Out;
  Out.Tool = "bm-dump";
  Out.Summary = "shows what travels between the parts of BlockMaestro";
  Out.Usage = {"bm-dump COMMAND FILE [options]"};
  Out.Description = {
      "Footprints and metadata that the compiler has put into a file, and what "
      "a recording of a run holds, as text or JSON.",
      "On bad input there is one line on standard error, nothing on standard "
      "output, and the exit code is 1."};
  for (const DumpCommand &Each : dumpCommands())
    Out.Commands.push_back({Each.Name.str(), Each.Summary.str(), "FILE",
                            describe(Each.Input).str(),
                            manualOptions(Each.Extra)});
  Out.Groups.push_back(
      {"options",
       {{{"--help", "-h"}, "", "this text", {}, false},
        {{"--version"}, "", "which BlockMaestro this is", {}, false}}});
  Out.SeeAlso = {"bmclang", "bm-sim"};
  return Out;
}

} // namespace blockmaestro
