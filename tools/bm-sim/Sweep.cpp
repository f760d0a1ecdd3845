// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sweep.h"

#include "llvm/Support/Program.h"

#include <cerrno>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace blockmaestro {

/// Says whether there is the package, and nothing of the current folder; -P is
/// Python 3.11's, as the package is.
static bool hasPackage(StringRef Python) {
  const StringRef Arguments[] = {
      Python, "-P", "-c",
      "import importlib.util, sys\n"
      "sys.exit(importlib.util.find_spec('blockmaestro') is None)"};
  const std::optional<StringRef> Quiet[] = {std::nullopt, StringRef(),
                                            StringRef()};
  return sys::ExecuteAndWait(Python, Arguments, std::nullopt, Quiet) == 0;
}

Error runSweep(StringRef File) {
  ErrorOr<std::string> Python = sys::findProgramByName("python3");
  if (!Python)
    return createStringError("--sweep needs python3, which is not there");
  if (!hasPackage(*Python))
    return createStringError(
        "--sweep needs the package blockmaestro for " + *Python +
        ", which is not there; docs/python.md says how it is installed");
  const std::string Name = File.str();
  ::execl(Python->c_str(), Python->c_str(), "-P", "-m", "blockmaestro", "sweep",
          Name.c_str(), static_cast<char *>(nullptr));
  return createFileError(*Python,
                         std::error_code(errno, std::generic_category()));
}

} // namespace blockmaestro
