// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationBody.h"

#include "Format.h"

#include <limits>
#include <utility>

namespace blockmaestro::record {

namespace {

constexpr uint64_t MaxWord = std::numeric_limits<uint32_t>::max();

/// The runs of every consumer block; a run begins where the last one ended.
void writeList(ByteWriter &To, const BlockList &List) {
  uint32_t Last = 0;
  for (size_t C = 0; C + 1 < List.Begin.size(); ++C) {
    To.number(List.Begin[C + 1] - List.Begin[C]);
    for (uint32_t R = List.Begin[C]; R < List.Begin[C + 1]; ++R) {
      const BlockRun &Run = List.Runs[R];
      To.signedNumber(int64_t(Run.First) - Last);
      To.number(Run.Last - Run.First);
      To.byte(List.Hazards[R]);
      Last = Run.Last;
    }
  }
}

int32_t readInt(ByteReader &From, bool &Fits) {
  int64_t Value = From.signedNumber();
  Fits &= Value >= std::numeric_limits<int32_t>::min() &&
          Value <= std::numeric_limits<int32_t>::max();
  return int32_t(Value);
}

/// Whether the boxes lie inside the grids and all divisors are positive.
bool validPiece(const EncodedPiece &P, Dim3 ProducerGrid, Dim3 ConsumerGrid) {
  for (unsigned J = 0; J < 3; ++J)
    if (P.Rows[J].D < 1 || P.ProducerLow[J] < 0 || P.ConsumerLow[J] < 0 ||
        P.ProducerHigh[J] >= int64_t(ProducerGrid[J]) ||
        P.ConsumerHigh[J] >= int64_t(ConsumerGrid[J]))
      return false;
  return true;
}

/// Fills Pieces; null or what is wrong.
const char *readPieces(ByteReader &In, Dim3 ProducerGrid, Dim3 ConsumerGrid,
                       RecordedRelation &What) {
  bool Fits = true;
  for (size_t I = In.count(); I > 0; --I) {
    EncodedPiece P{};
    forEachField(P, [&](int32_t &F) { F = readInt(In, Fits); });
    Fits &= !In.failed() && validPiece(P, ProducerGrid, ConsumerGrid);
    if (!Fits)
      return "a relation has an impossible piece";
    What.Pieces.push_back(P);
    What.PieceHazards.push_back(In.byte());
  }
  What.Header.PieceCount = uint32_t(What.Pieces.size());
  return What.Pieces.empty() ||
                 What.Header.Kind == uint32_t(RelationKind::Closed)
             ? nullptr
             : "a relation has pieces and is none of pieces";
}

/// The runs of one consumer block, ascending, apart, and of producers that
/// exist; false otherwise.
bool readRuns(ByteReader &In, uint64_t Producers, int64_t &Last,
              BlockList &List) {
  int64_t Before = -1;
  for (size_t I = In.count(); I > 0; --I) {
    int64_t Step = In.signedNumber();
    if (In.failed() || Step <= Before - Last ||
        Step >= int64_t(Producers) - Last)
      return false;
    int64_t First = Last + Step;
    Last = First + int64_t(In.numberUpTo(Producers - 1 - uint64_t(First)));
    List.Runs.push_back({uint32_t(First), uint32_t(Last)});
    List.Hazards.push_back(In.byte());
    Before = Last;
  }
  return !In.failed();
}

/// Fills List; null or what is wrong.
const char *readList(ByteReader &In, Dim3 ProducerGrid, Dim3 ConsumerGrid,
                     RecordedRelation &What) {
  const char *Wrong = "a relation has an impossible list";
  if (ProducerGrid.count() > MaxWord || ConsumerGrid.count() > In.left())
    return Wrong;
  BlockList List;
  List.Begin.reserve(ConsumerGrid.count() + 1);
  List.Begin.push_back(0);
  int64_t Last = 0;
  for (uint64_t C = 0; C < ConsumerGrid.count(); ++C) {
    if (!readRuns(In, ProducerGrid.count(), Last, List))
      return Wrong;
    List.Begin.push_back(uint32_t(List.Runs.size()));
  }
  What.List = std::make_shared<BlockList>(std::move(List));
  return nullptr;
}

} // namespace

std::string packRelation(const RecordedRelation &What) {
  ByteWriter To;
  To.byte(What.Hazards);
  To.byte(uint8_t(What.Exact) | uint8_t(uint8_t(What.Implied) << 1));
  To.number(What.Header.Kind);
  for (uint32_t Size : What.Header.ProducerGrid)
    To.number(Size);
  To.text(What.Reason);
  To.number(What.Pieces.size());
  for (size_t I = 0; I < What.Pieces.size(); ++I) {
    forEachField(What.Pieces[I], [&](int32_t F) { To.signedNumber(F); });
    To.byte(What.PieceHazards[I]);
  }
  if (What.List)
    writeList(To, *What.List);
  return {To.Bytes.begin(), To.Bytes.end()};
}

const char *unpackRelation(const std::string &Body, Dim3 ProducerGrid,
                           Dim3 ConsumerGrid, RecordedRelation &What) {
  ByteReader In(reinterpret_cast<const uint8_t *>(Body.data()), Body.size());
  What.Hazards = In.byte();
  uint8_t Flags = In.byte();
  if (Flags > 3)
    return "a relation has unknown flags";
  What.Exact = Flags & 1;
  What.Implied = Flags & 2;
  What.Header.Kind = uint32_t(In.numberUpTo(uint32_t(RelationKind::Listed)));
  for (unsigned J = 0; J < 3; ++J) {
    What.Header.ProducerGrid[J] = uint32_t(In.numberUpTo(MaxWord));
    if (What.Header.ProducerGrid[J] != ProducerGrid[J])
      return "a relation disagrees with its producer's grid";
  }
  What.Reason = In.text();
  const char *Wrong = readPieces(In, ProducerGrid, ConsumerGrid, What);
  if (!Wrong && What.Header.Kind == uint32_t(RelationKind::Listed))
    Wrong = readList(In, ProducerGrid, ConsumerGrid, What);
  if (!Wrong && (In.failed() || !In.atEnd()))
    Wrong = "a relation's contents do not fit its size";
  return Wrong;
}

} // namespace blockmaestro::record
