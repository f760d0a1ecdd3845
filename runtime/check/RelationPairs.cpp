// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RelationPairs.h"

#include "blockmaestro/BlockList.h"

#include <algorithm>

namespace blockmaestro {

namespace {

bool contains(const Box &B, Dim3 At) {
  for (unsigned D = 0; D < 3; ++D)
    if (int64_t(At[D]) < B.Low[D] || int64_t(At[D]) > B.High[D])
      return false;
  return true;
}

/// The producer coordinates that \p Row lets through for \p Consumer, inside of
/// [Low, High] as given.
void narrow(const QuasiAffine &Row, Dim3 Consumer, int64_t &Low,
            int64_t &High) {
  int64_t Dot = Row.A[0] * int64_t(Consumer.X) +
                Row.A[1] * int64_t(Consumer.Y) + Row.A[2] * int64_t(Consumer.Z);
  Low = std::max(Low, floorDiv<int64_t>(Dot + Row.Low, Row.D));
  High = std::min(High, floorDiv<int64_t>(Dot + Row.High, Row.D));
}

void addPiece(const Piece &P, Dim3 Consumer, Dim3 Grid, BlockRow &Out) {
  if (!contains(P.Consumer, Consumer))
    return;
  Box In = P.Producer;
  for (unsigned D = 0; D < 3; ++D)
    narrow(P.Rows[D], Consumer, In.Low[D], In.High[D]);
  for (int64_t Z = In.Low[2]; Z <= In.High[2]; ++Z)
    for (int64_t Y = In.Low[1]; Y <= In.High[1]; ++Y)
      for (int64_t X = In.Low[0]; X <= In.High[0]; ++X)
        Out.Some.push_back(
            {uint32_t(linearOf({uint32_t(X), uint32_t(Y), uint32_t(Z)}, Grid)),
             P.Hazards});
}

void addRuns(const BlockList &List, uint64_t Consumer, BlockRow &Out) {
  for (uint32_t I = List.Begin[Consumer]; I < List.Begin[Consumer + 1]; ++I)
    for (uint64_t P = List.Runs[I].First; P <= List.Runs[I].Last; ++P)
      Out.Some.push_back({uint32_t(P), List.Hazards[I]});
}

/// Brings the blocks in order, each with all of its hazards.
void unite(std::vector<BlockHazards> &Row) {
  std::ranges::sort(Row, {}, &BlockHazards::Block);
  auto Last = Row.begin();
  for (auto Each = Row.begin(); Each != Row.end(); ++Each)
    if (Each->Block == Last->Block)
      Last->Hazards |= Each->Hazards;
    else
      *++Last = *Each;
  if (!Row.empty())
    Row.erase(Last + 1, Row.end());
}

} // namespace

void hazardsOfBlock(const Relation &R, uint64_t Consumer, BlockRow &Out) {
  Out.clear();
  Out.All = R.Full ? R.Hazards : uint8_t(0);
  for (const Piece &Each : R.Pieces)
    addPiece(Each, blockOf(Consumer, R.ConsumerGrid), R.ProducerGrid, Out);
  if (R.List)
    addRuns(*R.List, Consumer, Out);
  unite(Out.Some);
}

} // namespace blockmaestro
