// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the arguments of a bm-dump subcommand: one file and switches.
// On the data's way: read first, by main, for every subcommand, so that all
// take and refuse the same things. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_OPTIONS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_OPTIONS_H

#include "LaunchRange.h"
#include "Manual.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace blockmaestro {

struct DumpOptions {
  std::string File;
  bool Json = false;
  bool Help = false; ///< Nothing else was asked for; there may be no file.
  /// Only where the command has them.
  bool Csv = false;
  bool Edges = false;
  bool Dot = false;
  bool Svg = false;
  bool ByLaunch = false; ///< Launches are drawn instead of their blocks.
  bool All = false;      ///< Implied relations too.
  bool Paper = false;    ///< Sizes by the paper too.
  bool Paths = false;    ///< What warps did in full.
  std::string Kernel;    ///< The only one to show.
  std::string Output;    ///< The file to write.
  LaunchRange Launches;
};

/// Takes one file, --help, and of the other options those whose keys
/// are in Extra: their names, but for "graph --launches", whose range may be
/// missing. At most one form of output. Nothing is needed beside --help.
llvm::Expected<DumpOptions>
readOptions(llvm::ArrayRef<const char *> Arguments,
            llvm::ArrayRef<llvm::StringLiteral> Extra = {});

/// What readOptions takes, with what it does.
std::vector<ManualOption>
manualOptions(llvm::ArrayRef<llvm::StringLiteral> Extra);

/// Writes the one error line of bm-dump, whatever a damaged file's names have
/// put into the message. Returns the exit code.
int fail(llvm::StringRef Message);

} // namespace blockmaestro

#endif
