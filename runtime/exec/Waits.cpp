// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Waits.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace blockmaestro {
namespace {

GatePiece gatePiece(const EncodedPiece &Piece, const EncodedRelation &Header,
                    const Published &Producer) {
  GatePiece Out{};
  Out.Piece = Piece;
  Out.Done = Producer.Done;
  Out.Producer = Producer.Launch;
  Out.Epoch = Producer.Epoch;
  Out.GridX = Header.ProducerGrid[0];
  Out.GridXY = Header.ProducerGrid[0] * Header.ProducerGrid[1];
  return Out;
}

const Dependence *needOf(const std::vector<Dependence> &Needs,
                         uint64_t Producer) {
  for (const Dependence &Need : Needs)
    if (Need.Producer == Producer)
      return &Need;
  return nullptr;
}

} // namespace

bool fitsNarrow(const EncodedPiece &Piece) {
  for (const EncodedRow &Row : Piece.Rows) {
    int64_t Largest = std::max(std::llabs(Row.Low), std::llabs(Row.High));
    for (int J = 0; J < 3; ++J)
      Largest +=
          std::llabs(Row.A[J]) * std::max(std::llabs(Piece.ConsumerLow[J]),
                                          std::llabs(Piece.ConsumerHigh[J]));
    if (Largest > std::numeric_limits<int32_t>::max())
      return false;
  }
  return true;
}

bool waitsForAll(const Dependence &Need, size_t Room) {
  return Need.Header.Kind != uint32_t(RelationKind::Closed) ||
         Need.Pieces.size() > Room ||
         !std::all_of(Need.Pieces.begin(), Need.Pieces.end(), fitsNarrow);
}

Waits waitsFor(const std::vector<Dependence> &Needs,
               const std::vector<Published> &Running, size_t MaxPieces) {
  Waits Out;
  for (auto It = Running.rbegin(); It != Running.rend(); ++It) {
    const Dependence *Need = needOf(Needs, It->Launch);
    if (!Need)
      continue;
    if (waitsForAll(*Need, MaxPieces - Out.Pieces.size())) {
      Out.Counts.push_back({It->Counter, It->Target, It->Launch});
      continue;
    }
    for (const EncodedPiece &Piece : Need->Pieces)
      Out.Pieces.push_back(gatePiece(Piece, Need->Header, *It));
  }
  return Out;
}

} // namespace blockmaestro
