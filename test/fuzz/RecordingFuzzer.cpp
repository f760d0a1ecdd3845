// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: any bytes as a recording. The reader refuses them with one
// message, or keeps every promise of Recording.h, so that what bm-dump and
// bm-sim do with a recording is safe.

#include "Edges.h"
#include "Format.h"
#include "Reader.h"
#include "RelationText.h"
#include "Require.h"

#include <algorithm>
#include <string>

using namespace blockmaestro;

extern "C" size_t LLVMFuzzerMutate(uint8_t *Data, size_t Size, size_t MaxSize);

namespace {

/// Pairs are only spelled out up to here; tools take as long as there are.
constexpr uint64_t MostPairs = 10000;

void store(uint8_t *To, uint32_t Value) {
  for (int I = 0; I < 4; ++I)
    To[I] = uint8_t(Value >> (8 * I));
}

uint32_t load(const uint8_t *From) {
  return record::ByteReader(From, 4).word();
}

/// Puts the right checksums, and a size that fits, into every chunk.
void fixChunks(uint8_t *Data, size_t Size) {
  using record::ChunkHeaderBytes;
  if (Size < record::PreambleBytes)
    return;
  store(Data, RecordingMagic);
  store(Data + 4, RecordingVersion);
  size_t At = record::PreambleBytes;
  while (Size - At >= ChunkHeaderBytes) {
    size_t Room = Size - At - ChunkHeaderBytes;
    size_t Body = std::min<size_t>(load(Data + At + 4), Room);
    store(Data + At + 4, uint32_t(Body));
    store(Data + At + 8, record::checksum(Data + At + ChunkHeaderBytes, Body));
    store(Data + At + 12, record::checksum(Data + At, ChunkHeaderBytes - 4));
    At += ChunkHeaderBytes + Body;
  }
}

void requirePromises(const Recording &What) {
  for (size_t I = 0; I < What.Launches.size(); ++I)
    require(What.Launches[I].Id == I, "launches are numbered in order");
  for (const RecordedBarrier &B : What.Barriers)
    require(B.BeforeLaunch <= What.Launches.size(), "barriers lie between");
  for (const Event &E : What.Events)
    require(E.Launch < What.Launches.size() &&
                E.Block < What.Launches[E.Launch].Grid.count() &&
                E.Start <= E.End,
            "events have a block that was launched");
  for (const RecordedCost &C : What.Costs)
    require(C.Launch < What.Launches.size(), "costs have a launch");
}

void showRelation(const RecordedRelation &R, const Recording &In) {
  require(R.Producer < R.Consumer && R.Consumer < In.Launches.size(),
          "a relation names earlier launches");
  require(R.Pieces.size() == R.PieceHazards.size(), "pieces have hazards");
  Dim3 Producers = In.Launches[R.Producer].Grid;
  Dim3 Consumers = In.Launches[R.Consumer].Grid;
  for (const EncodedPiece &P : R.Pieces)
    require(!toText(P, Producers, Consumers).empty(), "pieces have a text");
  if (Producers.count() > MostPairs ||
      Consumers.count() > MostPairs / Producers.count())
    return;
  uint64_t Last = 0;
  forEachEdge(viewOf(R, Consumers), [&](uint64_t C, uint64_t P) {
    require(C >= Last && P < Producers.count(), "pairs are of blocks");
    Last = C;
  });
  require(*patternName(viewOf(R, Consumers)), "patterns have names");
}

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *Data, size_t Size,
                                          size_t MaxSize, unsigned Seed) {
  Size = LLVMFuzzerMutate(Data, Size, MaxSize);
  if (Seed % 16 != 0)
    fixChunks(Data, Size);
  return Size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Result<Recording> Read = parseRecording(Data, Size, "input");
  if (!Read.ok()) {
    require(!Read.status().message().empty(), "an error has a message");
    return 0;
  }
  requirePromises(*Read);
  for (const RecordedRelation &R : Read->Relations)
    showRelation(R, *Read);
  return 0;
}
