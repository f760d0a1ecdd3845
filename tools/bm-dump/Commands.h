// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the subcommands of bm-dump, one per arrow of the data's way.
// On the data's way: from main.cpp to a file for each command.
// Invariants: a command gets the options behind its name, writes what was asked
// to standard output, or one error to standard error, and returns the exit
// code. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_COMMANDS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_COMMANDS_H

#include "Options.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

enum class DumpInput {
  Object, ///< What the compiler has made.
  Recording,
};

struct DumpCommand {
  llvm::StringLiteral Name;
  llvm::StringLiteral Summary;
  DumpInput Input;
  llvm::ArrayRef<llvm::StringLiteral> Extra; ///< As readOptions takes them.
  int (*Run)(const DumpOptions &Given);
};

/// The table, in the order of the data's way.
llvm::ArrayRef<DumpCommand> dumpCommands();

int runFootprints(const DumpOptions &Given);
int runMetadata(const DumpOptions &Given);
int runLaunches(const DumpOptions &Given);
int runGraph(const DumpOptions &Given);
int runEncoding(const DumpOptions &Given);
int runEvents(const DumpOptions &Given);
int runRecording(const DumpOptions &Given);
int runTimeline(const DumpOptions &Given);
int runWarps(const DumpOptions &Given);

} // namespace blockmaestro

#endif
