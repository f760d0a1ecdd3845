// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the subcommands that show a recording share: reading,
// errors.
// On the data's way: from a recording file to LaunchesCommand, GraphCommand,
// EncodingCommand, EventsCommand, RecordingCommand and WarpsCommand. Threads:
// one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDINGINPUT_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDINGINPUT_H

#include "Options.h"

#include "blockmaestro/Recording.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

using RecordingView = void (*)(const Recording &What, const DumpOptions &How);

/// Reads the file and shows it; returns the exit code.
int showRecording(RecordingView Show, const DumpOptions &Given);

/// Whether a relation is to be shown.
bool isShown(const RecordedRelation &R, const DumpOptions &How);

/// How many are not, those of copies too.
uint64_t hiddenCount(const Recording &In, const DumpOptions &How);

} // namespace blockmaestro

#endif
