// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the subcommands that show a recording share: reading,
// errors, and which of its launches are shown.
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

/// The launches that are asked for.
struct LaunchSpan {
  uint64_t First = 0;
  uint64_t Last = ~uint64_t(0);
  bool IsAll = true;

  bool has(uint64_t Launch) const { return First <= Launch && Launch <= Last; }
  /// Whether what stands before launch Next is between two of them.
  bool hasBefore(uint64_t Next) const {
    return IsAll || (First < Next && Next <= Last);
  }
};

/// Of so many launches; an error where there are none such.
llvm::Expected<LaunchSpan> spanOf(const LaunchRange &Range, uint64_t Count);

/// A recording, and what of it is shown.
struct DumpView {
  const Recording &In;
  const DumpOptions &How;
  LaunchSpan Launches;

  bool isShown(const RecordedCopy &C) const {
    return Launches.hasBefore(C.Before);
  }
  bool isShown(const RecordedRelation &R) const {
    return (How.All || !R.Implied) && isAsked(R);
  }
  /// Relations that are implied and not asked for, those of copies too.
  uint64_t hiddenCount() const;
  /// Whether both of its ends are shown.
  bool isAsked(const RecordedRelation &R) const;
};

/// Reads the file and shows it; returns the exit code.
int showRecording(llvm::Error (*Show)(const DumpView &),
                  const DumpOptions &Given);

} // namespace blockmaestro

#endif
