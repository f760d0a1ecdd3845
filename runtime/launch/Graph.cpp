// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"

#include "Lists.h"
#include "Simplify.h"

#include <algorithm>
#include <cstring>

namespace blockmaestro {

static void makeFull(Relation &R, bool Exact, std::string Why) {
  R.Full = true;
  R.Exact = Exact;
  R.Pieces.clear();
  R.Reason = std::move(Why);
}

/// Whether what is not exact about the meeting is its own shape.
static bool isByShape(const Meeting &M, const BlockAccess &P,
                      const BlockAccess &C) {
  return !M.Exact && P.Exact && C.Exact;
}

/// Full when a piece says so or there are too many of them.
static void fill(Relation &R, const std::vector<Meeting> &Meetings) {
  for (const Meeting &M : Meetings) {
    R.Hazards |= M.Where.Hazards;
    R.Pieces.push_back(M.Where);
    if (R.Exact && !M.Exact)
      R.Reason = M.Reason;
    R.Exact &= M.Exact;
  }
  for (const Meeting &M : Meetings)
    if (coversAll(M.Where, R.ProducerGrid, R.ConsumerGrid))
      return makeFull(R, M.Exact, M.Reason);
  if (Meetings.size() > MaxPieces)
    makeFull(R, false, "too many different patterns between the two launches");
}

/// Those that are exact, which may well be right; not too many to try.
static std::vector<Piece> exactPieces(const std::vector<Meeting> &Meetings) {
  std::vector<Piece> Out;
  for (const Meeting &M : Meetings)
    if (M.Exact && Out.size() < MaxPieces)
      Out.push_back(M.Where);
  return Out;
}

/// Whether the two touch the same bytes, as far as is known.
static bool sameSet(const BlockAccess &A, const BlockAccess &B) {
  static_assert(std::has_unique_object_representations_v<Coordinate>);
  const size_t Count = A.Coordinates.size();
  return A.Where.Base == B.Where.Base && A.Where.Bytes == B.Where.Bytes &&
         A.How == B.How && A.Exact == B.Exact && A.Narrows == B.Narrows &&
         Count == B.Coordinates.size() &&
         (Count == 0 || std::memcmp(A.Coordinates.data(), B.Coordinates.data(),
                                    Count * sizeof(Coordinate)) == 0) &&
         A.ByteLow == B.ByteLow && A.ByteHigh == B.ByteHigh &&
         std::equal(A.BlockLow, A.BlockLow + 3, B.BlockLow) &&
         std::equal(A.BlockHigh, A.BlockHigh + 3, B.BlockHigh) &&
         A.Reason == B.Reason;
}

namespace {

/// The accesses of a launch to one set of bytes.
struct Touch {
  const BlockAccess *Set;
  bool Reads, Writes;
};

} // namespace

/// A kernel that reads what it then writes touches one set.
static std::vector<Touch> touchesOf(const LaunchAccesses &Of) {
  std::vector<Touch> Out;
  Out.reserve(Of.Accesses.size());
  for (const BlockAccess &A : Of.Accesses) {
    auto Same = std::find_if(Out.begin(), Out.end(), [&](const Touch &Each) {
      return sameSet(*Each.Set, A);
    });
    if (Same == Out.end())
      Same = Out.insert(Same, {&A, false, false});
    Same->Reads |= reads(A.Kind);
    Same->Writes |= writes(A.Kind);
  }
  return Out;
}

/// The pairs that meet, each with its hazards. ByShape as in refine().
static std::vector<Meeting> meetings(const LaunchAccesses &Producer,
                                     const LaunchAccesses &Consumer,
                                     bool &ByShape) {
  std::vector<Meeting> Meetings;
  const std::vector<Touch> Later = touchesOf(Consumer);
  for (const Touch &P : touchesOf(Producer))
    for (const Touch &C : Later) {
      const uint8_t Hazards = hazardsOf(P.Reads, P.Writes, C.Reads, C.Writes);
      if (Hazards == 0)
        continue;
      if (auto M = meet(*P.Set, *C.Set, Producer.Grid, Consumer.Grid)) {
        M->Where.Hazards = Hazards;
        ByShape |= isByShape(*M, *P.Set, *C.Set);
        Meetings.push_back(std::move(*M));
      }
    }
  return Meetings;
}

Relation relate(const Seen &Producer, const Seen &Consumer, uint64_t &Effort) {
  Relation R;
  R.ProducerGrid = Producer.Touched.Grid;
  R.ConsumerGrid = Consumer.Touched.Grid;
  bool ByShape = false;
  std::vector<Meeting> Meetings =
      meetings(Producer.Touched, Consumer.Touched, ByShape);
  simplify(Meetings);
  ByShape |= Meetings.size() > MaxPieces;
  fill(R, Meetings);
  if (!R.Exact)
    refine(R, Producer, Consumer, exactPieces(Meetings), ByShape, Effort);
  return R;
}

Relation relate(const LaunchAccesses &Producer, const LaunchAccesses &Consumer,
                uint64_t &Effort) {
  BlockRuns OfProducer, OfConsumer;
  return relate({Producer, OfProducer}, {Consumer, OfConsumer}, Effort);
}

} // namespace blockmaestro
