// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a Relation in the form every executor reads, on the host and on
// the device, without expanding it. The one place that decodes.
// On the data's way: made by runtime/launch/Encode; read by runtime/exec, the
// device code of the block variants, runtime/sim and bm-dump.
// Invariants: plain old data of fixed size, 32-bit, so that the bytes do not
// depend on the grid; an encoding covers at least the pairs of its Relation.
// Everything here compiles as CUDA device code (constexpr functions, no
// library calls).

#ifndef BLOCKMAESTRO_ENCODING_H
#define BLOCKMAESTRO_ENCODING_H

#include <cstdint>

namespace blockmaestro {

/// The bounds of one producer dimension: floor((A . c + Low) / D) to
/// floor((A . c + High) / D).
struct EncodedRow {
  int32_t A[3];
  int32_t D;
  int32_t Low;
  int32_t High;
};

/// See BlockGraph.h; the boxes clip consumer and producer.
struct EncodedPiece {
  int32_t ConsumerLow[3];
  int32_t ConsumerHigh[3];
  int32_t ProducerLow[3];
  int32_t ProducerHigh[3];
  EncodedRow Rows[3];
};

enum class RelationKind : uint32_t {
  Full,   ///< All blocks of the producer; no pieces.
  Closed, ///< The union of the pieces that follow.
};

struct EncodedRelation {
  uint32_t Kind; ///< RelationKind
  uint32_t PieceCount;
  uint32_t ProducerGrid[3];
};

/// Inclusive bounds of a box of producer blocks; empty when any Low > High.
struct ProducerBox {
  int32_t Low[3];
  int32_t High[3];
};

template <typename Integer>
constexpr Integer floorDiv(Integer Value, Integer Divisor) {
  Integer Quotient = Value / Divisor;
  return Value % Divisor < 0 ? Quotient - 1 : Quotient;
}

/// The producers piece P gives consumer block C. Wide must hold every value of
/// a row; int64_t always does.
template <typename Wide = int64_t>
constexpr ProducerBox producersOf(const EncodedPiece &P, const int32_t C[3]) {
  ProducerBox Box{};
  for (int J = 0; J < 3; ++J) {
    const EncodedRow &Row = P.Rows[J];
    Wide Dot =
        Wide(Row.A[0]) * C[0] + Wide(Row.A[1]) * C[1] + Wide(Row.A[2]) * C[2];
    Wide Low = Dot + Row.Low;
    Wide High = Dot + Row.High;
    if (Row.D != 1) {
      Low = floorDiv<Wide>(Low, Row.D);
      High = floorDiv<Wide>(High, Row.D);
    }
    bool Inside = P.ConsumerLow[J] <= C[J] && C[J] <= P.ConsumerHigh[J];
    Box.Low[J] =
        Low < P.ProducerLow[J] ? P.ProducerLow[J] : static_cast<int32_t>(Low);
    Box.High[J] = !Inside                    ? P.ProducerLow[J] - 1
                  : High > P.ProducerHigh[J] ? P.ProducerHigh[J]
                                             : static_cast<int32_t>(High);
    if (Low > P.ProducerHigh[J] || High < P.ProducerLow[J]) {
      Box.Low[J] = 0;
      Box.High[J] = -1;
    }
  }
  return Box;
}

} // namespace blockmaestro

#endif
