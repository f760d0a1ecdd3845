// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the driver has to know about its command line: its own
// flags, and what clang will do with the rest.
// On the data's way: read first, from the arguments; used by Job.
// Invariants: Rest is the command line without our flags, in order.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_COMMANDLINE_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

struct CommandLine {
  bool Enabled = false;  ///< The last of -fblockmaestro, -fno-blockmaestro.
  std::string Dump;      ///< The value of -fblockmaestro-dump=.
  bool Help = false;     ///< --help
  bool HasInput = false; ///< Any file at all.
  bool HasCuda = false;  ///< A file that will be compiled as CUDA.
  bool Links = true;     ///< No flag that stops before the linker.
  bool Static = false;   ///< -static
  bool HasArchitecture = false;
  bool HasCudaPath = false;
  std::vector<std::string> Rest;
};

/// Reads the arguments behind the program's name. Fails on flags that begin
/// like ours and are not.
llvm::Expected<CommandLine>
readCommandLine(llvm::ArrayRef<const char *> Arguments);

/// Our flags, for --help.
std::string flagHelp();

} // namespace blockmaestro

#endif
