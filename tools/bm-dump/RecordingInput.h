// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the subcommands that show a recording share: reading,
// errors.
// On the data's way: from a recording file to LaunchesCommand, GraphCommand,
// EncodingCommand, EventsCommand and RecordingCommand. Threads: one.

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

/// Consumer and producer of a relation, for those who want their grids.
Dim3 producerGrid(const RecordedRelation &R);
Dim3 consumerGrid(const RecordedRelation &R, const Recording &In);

/// How many distinct pairs of blocks a relation has.
uint64_t edgeCount(const RecordedRelation &R, const Recording &In);

/// Whether a relation is to be shown.
bool isShown(const RecordedRelation &R, const DumpOptions &How);

/// How many are not, those of copies too.
uint64_t hiddenCount(const Recording &In, const DumpOptions &How);

/// "3" for a launch, "copy 3" for a copy.
std::string nodeText(uint64_t Number, bool IsCopy);

/// What the encoding takes on a device.
uint64_t encodedBytes(const RecordedRelation &R);

} // namespace blockmaestro

#endif
