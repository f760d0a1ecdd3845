// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bmclang and bmclang++: clang with BlockMaestro's passes and
// runtime behind one flag. docs/bmclang.md lists what it adds.

#include "Child.h"
#include "CommandLine.h"
#include "HelpText.h"
#include "Job.h"
#include "NvccOptions.h"
#include "Toolchain.h"
#include "Version.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace blockmaestro;

namespace {

/// Replaces this process by clang with the arguments as they were given.
Error becomeClang(const std::string &Clang, ArrayRef<const char *> Given) {
  return become(Clang, std::vector<std::string>(Given.begin(), Given.end()));
}

/// clang's answer to --version with ours behind it: builds read the first line.
Expected<int> showVersion(StringRef Name, const std::string &Clang,
                          const CommandLine &Command) {
  SignalGuard Guard;
  std::vector<std::string> Words;
  for (const CommandLine::Argument &Each : Command.Rest)
    Words.push_back(Each.Text);
  Expected<int> Code = runAndWait(Clang, Words);
  if (Code && *Code == 0)
    outs() << versionLine(Name) << '\n';
  return Code;
}

/// The arguments without nvcc's options, read.
Expected<CommandLine> readTranslated(ArrayRef<const char *> Arguments,
                                     bool HasCuda, StringSaver &Saver) {
  Expected<ClangsWords> Translated = withoutNvccOptions(Arguments, HasCuda);
  if (!Translated)
    return Translated.takeError();
  SmallVector<const char *, 64> Words;
  for (const std::string &Word : Translated->Words)
    Words.push_back(Saver.save(Word).data());
  Expected<CommandLine> Command = readCommandLine(Words);
  if (!Command || Command->HasCuda == HasCuda)
    for (const std::string &Name : Translated->LeftOut)
      errs() << "bmclang: warning: no code for '" << Name
             << "', which is older than CUDA 13\n";
  return Command;
}

/// Reads the arguments; where BlockMaestro is on, also those that are nvcc's.
/// Only then it is known that -x cu makes a file one of CUDA.
Expected<CommandLine> readBoth(ArrayRef<const char *> Arguments,
                               StringSaver &Saver) {
  Expected<CommandLine> Command = readCommandLine(Arguments);
  if (!Command || !Command->Enabled)
    return Command;
  const bool HadCuda = Command->HasCuda;
  Command = readTranslated(Arguments, HadCuda, Saver);
  if (!Command || Command->HasCuda == HadCuda)
    return Command;
  return readTranslated(Arguments, Command->HasCuda, Saver);
}

/// Does what the command line says; the exit code.
Expected<int> drive(StringRef Name, ArrayRef<const char *> Given) {
  Expected<std::string> Clang = findClang(Name.ends_with("++"));
  if (!Clang)
    return Clang.takeError();
  BumpPtrAllocator Memory;
  SmallVector<const char *, 64> Arguments(Given);
  cl::ExpansionContext Expansion(Memory, cl::TokenizeGNUCommandLine);
  if (errorToBool(Expansion.expandResponseFiles(Arguments)))
    return becomeClang(*Clang, Given);

  StringSaver Saver(Memory);
  Expected<CommandLine> Command = readBoth(Arguments, Saver);
  if (!Command)
    return Command.takeError();
  if (Command->Help) {
    const ManualGroup Flags = flagGroup();
    outs() << Flags.Title << ":\n" << optionLines(Flags.Options) << '\n';
    outs().flush();
  }
  if (Command->Version)
    return showVersion(Name, *Clang, *Command);
  if (!Command->HasOwn)
    return becomeClang(*Clang, Given);
  return runClang(*Clang, *Command);
}

} // namespace

int main(int Count, const char **Arguments) {
  StringRef Name = sys::path::filename(Arguments[0]);
  Expected<int> Code =
      drive(Name, ArrayRef(Arguments + 1, static_cast<size_t>(Count - 1)));
  if (Code)
    return *Code;
  errs() << Name << ": error: " << toString(Code.takeError()) << '\n';
  return 1;
}
