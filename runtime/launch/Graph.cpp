// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"

#include "Lists.h"
#include "Simplify.h"

#include <algorithm>

namespace blockmaestro {

/// Room for the meetings of most launches.
static constexpr size_t FewMeetings = 3;

static void makeFull(Relation &R, bool Exact, std::string Why) {
  R.Full = true;
  R.Exact = Exact;
  R.Pieces.clear();
  R.Reason = std::move(Why);
}

/// Whether what is not exact about the meeting is its own shape.
static bool isByShape(const BlockOverlap &M, const BlockAccess &P,
                      const BlockAccess &C) {
  return !M.Exact && P.Exact && C.Exact;
}

/// Full when a piece says so or there are too many of them.
static void fill(Relation &R, const std::vector<BlockOverlap> &Meetings) {
  R.Pieces.reserve(Meetings.size());
  for (const BlockOverlap &M : Meetings) {
    R.Hazards |= M.Where.Hazards;
    R.Pieces.push_back(M.Where);
    if (R.Exact && !M.Exact)
      R.Reason = M.Reason;
    R.Exact &= M.Exact;
  }
  for (const BlockOverlap &M : Meetings)
    if (coversAll(M.Where, R.ProducerGrid, R.ConsumerGrid))
      return makeFull(R, M.Exact, std::string(M.Reason));
  if (Meetings.size() > MaxRelationPieces)
    makeFull(R, false, "too many different patterns between the two launches");
}

/// Those that are exact, which may well be right; not too many to try.
static std::vector<Piece>
exactPieces(const std::vector<BlockOverlap> &Meetings) {
  std::vector<Piece> Out;
  for (const BlockOverlap &M : Meetings)
    if (M.Exact && Out.size() < MaxRelationPieces)
      Out.push_back(M.Where);
  return Out;
}

/// The pairs that meet, each with its hazards. ByShape as in refine().
static std::vector<BlockOverlap> meetings(const Seen &Producer,
                                          const Seen &Consumer, bool &ByShape) {
  const LaunchAccesses &Earlier = Producer.Touched, &Later = Consumer.Touched;
  std::vector<BlockOverlap> Meetings;
  const std::vector<UniqueAccess> &Of = Consumer.Found.touches(Later);
  for (const UniqueAccess &P : Producer.Found.touches(Earlier))
    for (const UniqueAccess &C : Of) {
      const uint8_t Hazards = hazardsOf(P.Reads, P.Writes, C.Reads, C.Writes);
      if (Hazards == 0)
        continue;
      const BlockAccess &A = Earlier.Accesses[P.First];
      const BlockAccess &B = Later.Accesses[C.First];
      if (auto M = meet(A, P.Where, B, C.Where, Earlier.Grid)) {
        M->Where.Hazards = Hazards;
        ByShape |= isByShape(*M, A, B);
        if (Meetings.empty())
          Meetings.reserve(FewMeetings);
        Meetings.push_back(*M);
      }
    }
  return Meetings;
}

Relation relate(const Seen &Producer, const Seen &Consumer, uint64_t &Effort) {
  Relation R;
  R.ProducerGrid = Producer.Touched.Grid;
  R.ConsumerGrid = Consumer.Touched.Grid;
  bool ByShape = false;
  std::vector<BlockOverlap> Meetings = meetings(Producer, Consumer, ByShape);
  simplify(Meetings);
  ByShape |= Meetings.size() > MaxRelationPieces;
  fill(R, Meetings);
  if (!R.Exact)
    refine(R, Producer, Consumer, exactPieces(Meetings), ByShape, Effort);
  return R;
}

Relation relate(const LaunchAccesses &Producer, const LaunchAccesses &Consumer,
                uint64_t &Effort) {
  LaunchFindings OfProducer, OfConsumer;
  return relate({Producer, OfProducer}, {Consumer, OfConsumer}, Effort);
}

} // namespace blockmaestro
