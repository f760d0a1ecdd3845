// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Encode.h"

#include <limits>

namespace blockmaestro {

static bool narrow(int64_t Value, int32_t &Out) {
  Out = int32_t(Value);
  return Out == Value;
}

static bool encodeBox(const Box &In, int32_t Low[3], int32_t High[3]) {
  for (unsigned D = 0; D < 3; ++D)
    if (!narrow(In.Low[D], Low[D]) || !narrow(In.High[D], High[D]))
      return false;
  return true;
}

/// Decoding adds three products and a bound in 64 bits: fewer than 2^63 only
/// when the slopes times the largest consumer block stay below 2^61.
static bool decodable(const QuasiAffine &Row, const Box &Consumer) {
  for (unsigned D = 0; D < 3; ++D) {
    __int128 Largest = __int128(Row.A[D]) * Consumer.High[D];
    if (Largest > int64_t(1) << 60 || Largest < -(int64_t(1) << 60))
      return false;
  }
  return true;
}

static bool encodeRow(const QuasiAffine &In, EncodedRow &Out) {
  for (unsigned D = 0; D < 3; ++D)
    if (!narrow(In.A[D], Out.A[D]))
      return false;
  return narrow(In.D, Out.D) && narrow(In.Low, Out.Low) &&
         narrow(In.High, Out.High);
}

static bool encodePiece(const Piece &In, EncodedPiece &Out) {
  if (!encodeBox(In.Consumer, Out.ConsumerLow, Out.ConsumerHigh) ||
      !encodeBox(In.Producer, Out.ProducerLow, Out.ProducerHigh))
    return false;
  for (unsigned D = 0; D < 3; ++D)
    if (!decodable(In.Rows[D], In.Consumer) ||
        !encodeRow(In.Rows[D], Out.Rows[D]))
      return false;
  return true;
}

static RelationKind kindOf(const Relation &What) {
  if (What.Full)
    return RelationKind::Full;
  return What.List ? RelationKind::Listed : RelationKind::Closed;
}

Encoding encode(const Relation &What) {
  Encoding Out;
  Out.List = What.List;
  RelationKind Kind = kindOf(What);
  for (unsigned D = 0; D < 3; ++D)
    Out.Header.ProducerGrid[D] = What.ProducerGrid[D];
  Out.Pieces.reserve(What.Pieces.size());
  for (const Piece &P : What.Pieces) {
    EncodedPiece Encoded{};
    if (!encodePiece(P, Encoded))
      Kind = RelationKind::Full;
    Out.Pieces.push_back(Encoded);
  }
  if (Kind == RelationKind::Full)
    Out.Pieces.clear();
  Out.Header.Kind = uint32_t(Kind);
  Out.Header.PieceCount = uint32_t(Out.Pieces.size());
  return Out;
}

} // namespace blockmaestro
