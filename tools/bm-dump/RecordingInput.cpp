// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingInput.h"

#include "Reader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {

int showRecording(RecordingView Show, const DumpOptions &Given) {
  Result<Recording> Read = readRecording(Given.File);
  if (!Read.ok())
    return fail(Read.status().message());
  Show(*Read, Given);
  return 0;
}

bool isShown(const RecordedRelation &R, const DumpOptions &How) {
  return How.All || !R.Implied;
}

uint64_t hiddenCount(const Recording &In, const DumpOptions &How) {
  auto Hidden = [&](const RecordedRelation &R) { return !isShown(R, How); };
  return count_if(In.Relations, Hidden) + count_if(In.CopyRelations, Hidden);
}

} // namespace blockmaestro
