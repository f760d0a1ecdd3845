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

const char *formName(const RecordedRelation &R) {
  if (R.Header.Kind == uint32_t(RelationKind::Full))
    return "full";
  return R.List ? "listed" : "closed";
}

template <typename T>
static void append(std::string &To, const std::vector<T> &Values) {
  To.append(reinterpret_cast<const char *>(Values.data()),
            Values.size() * sizeof(T));
}

std::string formKey(const RecordedRelation &R, const Recording &In) {
  const Dim3 Producers = producerGrid(R), Consumers = consumerGrid(R, In);
  const uint32_t Sizes[] = {R.Header.Kind, Producers.X, Producers.Y,
                            Producers.Z,   Consumers.X, Consumers.Y,
                            Consumers.Z};
  std::string Out(reinterpret_cast<const char *>(Sizes), sizeof(Sizes));
  append(Out, R.Pieces);
  append(Out, R.PieceHazards);
  if (R.List) {
    append(Out, R.List->Begin);
    append(Out, R.List->Runs);
    append(Out, R.List->Hazards);
  }
  return Out;
}

std::string nodeText(uint64_t Number, bool IsCopy) {
  return (IsCopy ? "copy " : "") + std::to_string(Number);
}

uint64_t encodedBytes(const RecordedRelation &R) {
  return sizeof(EncodedRelation) + R.Pieces.size() * sizeof(EncodedPiece) +
         (R.List ? R.List->bytes() : 0);
}

} // namespace blockmaestro
