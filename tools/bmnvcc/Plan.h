// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the commands that carry out a request, and what is said of them.
// On the data's way: last; made of a request, run or shown by main.
// Invariants: making a plan touches no file. Commands are run in order, each
// after the one before has succeeded.
// Threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_BMNVCC_PLAN_H
#define BLOCKMAESTRO_TOOLS_BMNVCC_PLAN_H

#include "Request.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro::nvcc {

struct Command {
  std::string Program;
  std::vector<std::string> Arguments;
};

/// Where a plan finds its tools.
struct Places {
  std::string Root;      ///< Holds bin and nvcc.
  std::string Toolkit;   ///< CUDA's, with our runtime in the place of cudart.
  std::string Temporary; ///< A folder for objects nobody has named.
};

/// The commands of a request. Its targets are finished, and not empty.
llvm::Expected<std::vector<Command>> makePlan(const Request &R,
                                              const Places &P);

/// What --dryrun and --verbose say first, as nvcc does: where the toolkit is.
std::string settings(const Request &R, const Places &P);

/// A command as a shell takes it.
std::string shown(const Command &C);

} // namespace blockmaestro::nvcc

#endif
