// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a Relation in the form every executor reads, on the host and on
// the device, without expanding it. The one place that decodes.
// On the data's way: made by runtime/launch/Encode; read by runtime/exec, the
// device code of the block variants, runtime/sim and bm-dump.
// Invariants: plain old data, 32-bit. Headers and pieces are of fixed size, so
// that their bytes do not depend on the grid; only a listed relation has a part
// that does (BlockList.h). An encoding covers at least the pairs of its
// Relation.
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
  Listed, ///< For each consumer block its runs of producer blocks.
};

struct EncodedRelation {
  uint32_t Kind;       ///< RelationKind
  uint32_t PieceCount; ///< Of a closed relation, else 0.
  uint32_t ProducerGrid[3];
};

/// Producer blocks First to Last, by linear number.
struct BlockRun {
  uint32_t First;
  uint32_t Last;
};

/// The runs of all consumer blocks, one after the other: those of block c, by
/// linear number, are Runs[Begin[c]] up to and without Runs[Begin[c + 1]].
struct RunLists {
  const uint32_t *Begin; ///< One more than there are consumer blocks.
  const BlockRun *Runs;
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

/// Part of RunLists::Runs.
struct RunRange {
  const BlockRun *First;
  const BlockRun *End;

  constexpr const BlockRun *begin() const { return First; }
  constexpr const BlockRun *end() const { return End; }
};

/// The producers a listed relation gives consumer block \p Consumer, by linear
/// number: ascending runs that do not meet.
constexpr RunRange producersOf(const RunLists &Lists, uint32_t Consumer) {
  return {Lists.Runs + Lists.Begin[Consumer],
          Lists.Runs + Lists.Begin[Consumer + 1]};
}

} // namespace blockmaestro

#endif
