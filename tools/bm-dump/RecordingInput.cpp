// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingInput.h"

#include "Edges.h"
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

Dim3 producerGrid(const RecordedRelation &R) {
  return {R.Header.ProducerGrid[0], R.Header.ProducerGrid[1],
          R.Header.ProducerGrid[2]};
}

Dim3 consumerGrid(const RecordedRelation &R, const Recording &In) {
  return R.ConsumerIsCopy ? Dim3{1, 1, 1} : In.Launches[R.Consumer].Grid;
}

uint64_t edgeCount(const RecordedRelation &R, const Recording &In) {
  return edgeCount(viewOf(R, consumerGrid(R, In)));
}

bool isShown(const RecordedRelation &R, const DumpOptions &How) {
  return How.All || !R.Implied;
}

uint64_t hiddenCount(const Recording &In, const DumpOptions &How) {
  auto Hidden = [&](const RecordedRelation &R) { return !isShown(R, How); };
  return count_if(In.Relations, Hidden) + count_if(In.CopyRelations, Hidden);
}

std::string nodeText(uint64_t Number, bool IsCopy) {
  return (IsCopy ? "copy " : "") + std::to_string(Number);
}

uint64_t encodedBytes(const RecordedRelation &R) {
  return sizeof(EncodedRelation) + R.Pieces.size() * sizeof(EncodedPiece) +
         (R.List ? R.List->bytes() : 0);
}

} // namespace blockmaestro
