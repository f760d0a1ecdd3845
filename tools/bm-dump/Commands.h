// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the subcommands of bm-dump, one per arrow of the data's way.
// On the data's way: main.cpp has the table; each command is a file of its own.
// Invariants: a command gets the arguments behind its name, writes what was
// asked to standard output, or one error to standard error, and returns the
// exit code. Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_COMMANDS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_COMMANDS_H

#include "llvm/ADT/ArrayRef.h"

namespace blockmaestro {

int runFootprints(llvm::ArrayRef<const char *> Arguments);
int runMetadata(llvm::ArrayRef<const char *> Arguments);
int runLaunches(llvm::ArrayRef<const char *> Arguments);
int runGraph(llvm::ArrayRef<const char *> Arguments);
int runEncoding(llvm::ArrayRef<const char *> Arguments);
int runEvents(llvm::ArrayRef<const char *> Arguments);
int runRecording(llvm::ArrayRef<const char *> Arguments);

} // namespace blockmaestro

#endif
