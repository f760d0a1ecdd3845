// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationFacts.h"

#include "Edges.h"

namespace blockmaestro {

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

const char *patternName(const RecordedRelation &R, const Recording &In) {
  return patternName(viewOf(R, consumerGrid(R, In)));
}

std::string nodeText(uint64_t Number, bool IsCopy) {
  return (IsCopy ? "copy " : "") + std::to_string(Number);
}

uint64_t encodedBytes(const RecordedRelation &R) {
  return sizeof(EncodedRelation) + R.Pieces.size() * sizeof(EncodedPiece) +
         (R.List ? R.List->bytes() : 0);
}

} // namespace blockmaestro
