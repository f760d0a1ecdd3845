// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: bmnvcc, nvcc's command line with BlockMaestro's compiler behind
// it. docs/bmnvcc.md says what becomes of each option.

#include "Child.h"
#include "LocalGpu.h"
#include "Options.h"
#include "Plan.h"
#include "RemovedMembers.h"
#include "SourceFiles.h"
#include "SourceOverlay.h"
#include "Toolchain.h"
#include "Version.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;
using namespace blockmaestro;
using namespace blockmaestro::nvcc;

namespace {

/// The vendor's name is in it because builds look for it; CMake does. Ours
/// stands behind it.
constexpr StringLiteral NvccVersion =
    "bmnvcc: BlockMaestro's compiler behind the command line of\n"
    "nvcc: NVIDIA (R) Cuda compiler driver\n"
    "Cuda compilation tools, release 13.0, V13.0.88\n";

std::vector<std::string> fromVariable(StringRef Name) {
  return splitWords(sys::Process::GetEnv(Name).value_or(""));
}

/// With what nvcc takes from the environment around the program's own words.
std::vector<std::string> allWords(ArrayRef<const char *> Given) {
  std::vector<std::string> Words = fromVariable("NVCC_PREPEND_FLAGS");
  Words.insert(Words.end(), Given.begin(), Given.end());
  for (std::string &Word : fromVariable("NVCC_APPEND_FLAGS"))
    Words.push_back(std::move(Word));
  return Words;
}

void list(StringRef Prefix) {
  for (StringRef Version : knownArchitectures())
    outs() << Prefix << Version << '\n';
}

/// Whether the request was a question, which is then answered.
bool answer(const Request &R) {
  if (R.ShowsHelp)
    outs() << "usage: bmnvcc [options] <inputfile>\n" << help();
  else if (R.ShowsVersion)
    outs() << NvccVersion << versionLine("bmnvcc") << '\n';
  if (R.ListsArchitectures)
    list("compute_");
  if (R.ListsCodes)
    list("sm_");
  return R.ShowsHelp || R.ShowsVersion || R.ListsArchitectures || R.ListsCodes;
}

Expected<std::string> findProgram(const std::string &Name) {
  ErrorOr<std::string> Path = sys::findProgramByName(Name);
  if (Path)
    return *Path;
  return createStringError("cannot find '" + Name + "'");
}

/// The folder of the first output that is in none: each has one of its own.
Error makeFolders(const Command &C, const Places &P) {
  for (StringRef Word : C.Arguments)
    if (Word.starts_with(P.Temporary))
      if (std::error_code Failure =
              sys::fs::create_directories(sys::path::parent_path(Word)))
        return createFileError(Word, Failure);
  return Error::success();
}

Expected<int> run(const std::vector<Command> &Commands, const Places &P,
                  bool Shows) {
  for (const Command &C : Commands) {
    if (Shows)
      errs() << "#$ " << shown(C) << '\n';
    if (Error Failure = makeFolders(C, P))
      return Failure;
    Expected<std::string> Program = findProgram(C.Program);
    if (!Program)
      return Program.takeError();
    Expected<int> Code = runAndWait(*Program, C.Arguments);
    if (!Code || *Code)
      return Code;
  }
  return 0;
}

Error chooseTargets(Request &R) {
  for (const std::string &Name : R.Gpu.leftOut())
    errs() << "bmnvcc: warning: no code for '" << Name
           << "', which is older than CUDA 13\n";
  if (!R.Gpu.names().empty())
    return Error::success();
  if (Error Failure = R.Gpu.addArchitecture(defaultArchitecture()))
    return Failure;
  return R.Gpu.finish();
}

std::vector<std::string> includeFolders(const Request &R) {
  std::vector<std::string> Folders;
  for (const Word &W : R.Compile)
    if (StringRef Text = W.Text; Text.consume_front("-I"))
      Folders.push_back(Text.str());
  return Folders;
}

/// Has clang read the files that it would not take as they are as it takes
/// them.
Error overlaySources(Request &R, const Places &P) {
  std::map<std::string, std::string> Texts =
      rewrittenFiles(R.Inputs, includeFolders(R));
  Texts.merge(changedHeaders(P.Toolkit));
  Expected<std::vector<std::string>> Words = writeOverlay(Texts, P.Temporary);
  if (!Words)
    return Words.takeError();
  for (std::string &Text : *Words)
    R.Compile.push_back({Side::Both, std::move(Text)});
  return Error::success();
}

Expected<int> carryOut(Request R) {
  SignalGuard Guard;
  Expected<PrivateFolder> Folder = PrivateFolder::make();
  if (!Folder)
    return Folder.takeError();
  std::string Root = installationRoot();
  Places P{Root, Root + "/nvcc", Folder->path()};
  if (R.OnlyShows || R.Verbose)
    errs() << settings(R, P);
  if (!R.OnlyShows)
    if (Error Failure = overlaySources(R, P))
      return Failure;
  Expected<std::vector<Command>> Commands = makePlan(R, P);
  if (!Commands)
    return Commands.takeError();
  if (!R.OnlyShows)
    return run(*Commands, P, R.Verbose);
  for (const Command &C : *Commands)
    errs() << "#$ " << shown(C) << '\n';
  return 0;
}

Expected<int> drive(ArrayRef<const char *> Given) {
  Expected<Request> R = readRequest(allWords(Given));
  if (!R)
    return R.takeError();
  if (answer(*R))
    return 0;
  if (Error Failure = chooseTargets(*R))
    return Failure;
  return carryOut(std::move(*R));
}

} // namespace

int main(int Count, const char **Arguments) {
  Expected<int> Code =
      drive(ArrayRef(Arguments + 1, static_cast<size_t>(Count - 1)));
  if (Code)
    return *Code;
  errs() << "bmnvcc: error: " << toString(Code.takeError()) << '\n';
  return 1;
}
