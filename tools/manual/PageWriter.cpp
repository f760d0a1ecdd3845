// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a program of the build, one for each tool: writes the tool's page
// for man and the completions of its options for bash, zsh and fish, from the
// Manual it is linked with, below the folder it is given.

#include "Completion.h"
#include "ManualPage.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace blockmaestro;

static Error write(StringRef Folder, const Twine &Name,
                   const std::string &Text) {
  SmallString<128> Path = Folder;
  sys::path::append(Path, Name);
  if (std::error_code Failure =
          sys::fs::create_directories(sys::path::parent_path(Path)))
    return createFileError(Path, Failure);
  std::error_code Failure;
  raw_fd_ostream Out(Path, Failure);
  if (Failure)
    return createFileError(Path, Failure);
  Out << Text;
  Out.close();
  Failure = Out.error();
  Out.clear_error();
  return Failure ? createFileError(Path, Failure) : Error::success();
}

/// All that the tool is found under has the same completions.
static Error writeUnder(const std::string &Name, StringRef Folder,
                        const Manual &Of) {
  const std::string Page = Name == Of.Tool ? manualPage(Of) : aliasPage(Of);
  if (Error Failure = write(Folder, "man/man1/" + Name + ".1", Page))
    return Failure;
  if (Error Failure = write(Folder, "bash-completion/completions/" + Name,
                            bashCompletion(Of)))
    return Failure;
  return write(Folder, "fish/vendor_completions.d/" + Name + ".fish",
               fishCompletion(Of, Name));
}

static Error writeAll(StringRef Folder) {
  const Manual Of = manual();
  if (Error Failure = writeUnder(Of.Tool, Folder, Of))
    return Failure;
  for (const std::string &Alias : Of.Aliases)
    if (Error Failure = writeUnder(Alias, Folder, Of))
      return Failure;
  return write(Folder, "zsh/site-functions/_" + Of.Tool, zshCompletion(Of));
}

int main(int Count, const char **Arguments) {
  if (Count != 2) {
    errs() << "usage: " << Arguments[0] << " FOLDER\n";
    return 2;
  }
  Error Failure = writeAll(Arguments[1]);
  if (!Failure)
    return 0;
  errs() << Arguments[0] << ": error: " << toString(std::move(Failure)) << '\n';
  return 1;
}
