// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bm-dump: shows, as text or JSON, what travels between the parts:
// footprints, metadata, graphs, encodings and recordings.

#include "Commands.h"
#include "HelpText.h"
#include "Options.h"
#include "Version.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace blockmaestro;

namespace {

int run(const DumpCommand &Command, ArrayRef<const char *> Arguments) {
  Expected<DumpOptions> Given = readOptions(Arguments, Command.Extra);
  if (!Given)
    return fail(toString(Given.takeError()));
  if (!Given->Help)
    return Command.Run(*Given);
  const Manual Of = manual();
  for (const ManualCommand &Each : Of.Commands)
    if (Command.Name == Each.Name)
      outs() << helpText(Of, Each);
  return 0;
}

int run(ArrayRef<const char *> Arguments) {
  StringRef Name = Arguments.empty() ? "" : Arguments[0];
  if (Name == "--help" || Name == "-h") {
    outs() << helpText(manual());
    return 0;
  }
  if (Name == "--version") {
    outs() << versionLine("bm-dump") << '\n';
    return 0;
  }
  for (const DumpCommand &Each : dumpCommands())
    if (Name == Each.Name)
      return run(Each, Arguments.drop_front());
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
