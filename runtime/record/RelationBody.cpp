// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationBody.h"

#include "Format.h"
#include "PieceForm.h"

#include <utility>

namespace blockmaestro::record {

namespace {

/// A body's first byte: flags over the hazards.
enum BodyBits : uint8_t {
  BodyHazards = 7,
  BodyExact = 8,
  BodyImplied = 16,
  BodyReason = 32,
};

/// The second number: the number of pieces over the kind.
constexpr unsigned PieceShift = 2;
constexpr uint64_t KindMask = 3;

/// A run's second number: its length over its hazards.
constexpr unsigned LengthShift = 3;
constexpr uint64_t HazardMask = 7;

/// The runs of every consumer block. A block's first run is told from the first
/// run of the block before, the others from the end of the run before.
void writeList(ByteWriter &To, const BlockList &List) {
  int64_t FirstBefore = 0;
  for (size_t C = 0; C + 1 < List.Begin.size(); ++C) {
    To.number(List.Begin[C + 1] - List.Begin[C]);
    int64_t At = FirstBefore;
    for (uint32_t R = List.Begin[C]; R < List.Begin[C + 1]; ++R) {
      const BlockRun &Run = List.Runs[R];
      To.signedNumber(int64_t(Run.First) - At);
      To.number(uint64_t(Run.Last - Run.First) << LengthShift |
                List.Hazards[R]);
      if (R == List.Begin[C])
        FirstBefore = Run.First;
      At = Run.Last;
    }
  }
}

/// Fills Pieces; null or what is wrong.
const char *readPieces(ByteReader &In, uint64_t Count, Dim3 ProducerGrid,
                       Dim3 ConsumerGrid, RecordedRelation &What) {
  if (Count > 0 && What.Header.Kind != uint32_t(RelationKind::Closed))
    return "a relation has pieces and is none of pieces";
  for (uint64_t I = 0; I < Count; ++I) {
    EncodedPiece P{};
    uint8_t Hazards = 0;
    if (!readPiece(In, ProducerGrid, ConsumerGrid, P, Hazards))
      return "a relation has an impossible piece";
    What.Pieces.push_back(P);
    What.PieceHazards.push_back(Hazards);
  }
  What.Header.PieceCount = uint32_t(What.Pieces.size());
  return nullptr;
}

/// The runs of one consumer block, ascending, apart, and of producers that
/// exist; false otherwise.
bool readRuns(ByteReader &In, uint64_t Producers, int64_t &FirstBefore,
              BlockList &List) {
  int64_t Last = -1;
  for (size_t I = 0, Count = In.count(); I < Count; ++I) {
    const int64_t From = I == 0 ? FirstBefore : Last;
    const int64_t First = From + unzigzag(In.numberUpTo(2 * MaxWord + 1));
    const uint64_t Length = In.number();
    if (In.failed() || First <= Last || First >= int64_t(Producers) ||
        Length >> LengthShift >= Producers - uint64_t(First))
      return false;
    Last = First + int64_t(Length >> LengthShift);
    List.Runs.push_back({uint32_t(First), uint32_t(Last)});
    List.Hazards.push_back(uint8_t(Length & HazardMask));
    FirstBefore = I == 0 ? First : FirstBefore;
  }
  return !In.failed();
}

/// Fills List; null or what is wrong.
const char *readList(ByteReader &In, Dim3 ProducerGrid, Dim3 ConsumerGrid,
                     RecordedRelation &What) {
  const char *Problem = "a relation has an impossible list";
  if (ProducerGrid.count() > MaxWord || ConsumerGrid.count() > In.left())
    return Problem;
  BlockList List;
  List.Begin.reserve(ConsumerGrid.count() + 1);
  List.Begin.push_back(0);
  int64_t FirstBefore = 0;
  for (uint64_t C = 0; C < ConsumerGrid.count(); ++C) {
    if (!readRuns(In, ProducerGrid.count(), FirstBefore, List))
      return Problem;
    List.Begin.push_back(uint32_t(List.Runs.size()));
  }
  What.List = std::make_shared<BlockList>(std::move(List));
  return nullptr;
}

} // namespace

std::string packRelation(const RecordedRelation &What, Dim3 ConsumerGrid) {
  const uint32_t *Grid = What.Header.ProducerGrid;
  const Dim3 ProducerGrid = {Grid[0], Grid[1], Grid[2]};
  ByteWriter To;
  To.byte(uint8_t(What.Hazards | (What.Exact ? BodyExact : 0) |
                  (What.Implied ? BodyImplied : 0) |
                  (What.Reason.empty() ? 0 : BodyReason)));
  To.number(What.Header.Kind | uint64_t(What.Pieces.size()) << PieceShift);
  for (size_t I = 0; I < What.Pieces.size(); ++I)
    writePiece(To, What.Pieces[I], What.PieceHazards[I], ProducerGrid,
               ConsumerGrid);
  if (What.Header.Kind == uint32_t(RelationKind::Listed))
    writeList(To, *What.List);
  return {To.Bytes.begin(), To.Bytes.end()};
}

const char *unpackRelation(const std::string &Body, Dim3 ProducerGrid,
                           Dim3 ConsumerGrid, RecordedRelation &What,
                           bool &HasReason) {
  ByteReader In(reinterpret_cast<const uint8_t *>(Body.data()), Body.size());
  const uint8_t Flags = In.byte();
  if (Flags >= 2 * BodyReason)
    return "a relation has unknown flags";
  What.Hazards = Flags & BodyHazards;
  What.Exact = Flags & BodyExact;
  What.Implied = Flags & BodyImplied;
  HasReason = Flags & BodyReason;
  const uint64_t Second = In.number();
  What.Header.Kind = uint32_t(Second & KindMask);
  if (What.Header.Kind > uint32_t(RelationKind::Listed))
    return "a relation is of no kind";
  for (unsigned J = 0; J < 3; ++J)
    What.Header.ProducerGrid[J] = ProducerGrid[J];
  const char *Problem =
      readPieces(In, Second >> PieceShift, ProducerGrid, ConsumerGrid, What);
  if (!Problem && What.Header.Kind == uint32_t(RelationKind::Listed))
    Problem = readList(In, ProducerGrid, ConsumerGrid, What);
  if (!Problem && (In.failed() || !In.atEnd()))
    Problem = "a relation's contents do not fit its size";
  return Problem;
}

} // namespace blockmaestro::record
