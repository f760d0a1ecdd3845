// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-dump: shows, as text or JSON, what travels between the parts:
// footprints, metadata, graphs, encodings and recordings.

#include "Commands.h"
#include "Options.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace blockmaestro;

namespace {

struct Command {
  StringLiteral Name;
  StringLiteral Summary;
  int (*Run)(ArrayRef<const char *> Arguments);
};

const Command Commands[] = {
    {"footprints",
     "the bytes each kernel touches; FILE is an object, archive "
     "or program",
     runFootprints},
    {"metadata", "everything the compiler has put into FILE", runMetadata},
    {"launches", "the launches, copies and barriers of a recording",
     runLaunches},
    {"graph", "which blocks wait for which in a recording", runGraph},
    {"encoding", "the same as formulas, with their size", runEncoding},
    {"events", "when and where every block of a recording ran", runEvents},
    {"recording", "what a recording holds, summed up by launch", runRecording},
};

void printHelp(raw_ostream &Out) {
  Out << "usage: bm-dump COMMAND FILE [--json]\n\ncommands:\n";
  for (const Command &C : Commands)
    Out << "  " << left_justify(C.Name, 12) << C.Summary << '\n';
  Out << "\n'bm-dump COMMAND --help' lists a command's options.\n";
}

int run(ArrayRef<const char *> Arguments) {
  StringRef Name = Arguments.empty() ? "" : Arguments[0];
  if (Name == "--help" || Name == "-h") {
    printHelp(outs());
    return 0;
  }
  for (const Command &C : Commands)
    if (Name == C.Name)
      return C.Run(Arguments.drop_front());
  if (Name.empty())
    return fail("no command given; 'bm-dump --help' lists them");
  return fail(
      ("unknown command '" + Name + "'; 'bm-dump --help' lists them").str());
}

} // namespace

int main(int Count, const char **Arguments) {
  int Code = run(ArrayRef(Arguments, static_cast<size_t>(Count)).slice(1));
  outs().flush();
  if (!outs().has_error())
    return Code;
  std::string Why = outs().error().message();
  outs().clear_error();
  return fail("cannot write: " + Why);
}
