// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PieceForm.h"

#include <algorithm>
#include <limits>

namespace blockmaestro::record {
namespace {

/// How the bounds of one dimension of a piece are told.
enum RowForm : uint8_t {
  RowAll = 0,     ///< Every producer of the box.
  RowShift = 1,   ///< p = c + Low.
  RowBand = 2,    ///< c + Low <= p <= c + High.
  RowGeneral = 3, ///< Slopes, divisor, Low and High.
};

/// Bits of a dimension's first byte, over its RowForm.
constexpr uint8_t WholeConsumer = 4;
constexpr uint8_t WholeProducer = 8;
constexpr uint8_t FormMask = 3;
constexpr uint8_t Nothing = RowAll | WholeConsumer | WholeProducer;

/// Of a piece's first byte: how many dimensions follow, below its hazards.
constexpr unsigned HazardShift = 2;
constexpr uint8_t CountMask = 3;
constexpr uint8_t MostHazards = 7;

constexpr uint64_t MaxInt = std::numeric_limits<int32_t>::max();
/// No product of a slope and a block may be larger: producersOf adds three.
constexpr int64_t LargestProduct = int64_t(1) << 60;

/// Blocks Low to High of a dimension; none is 0 to -1.
struct Range {
  int64_t Low = 0;
  int64_t High = -1;

  bool isWhole(uint32_t Size) const {
    return Low == 0 && High == int64_t(Size) - 1;
  }
};

/// The blocks of Low to High that exist.
Range clipped(int64_t Low, int64_t High, uint32_t Size) {
  Low = std::max<int64_t>(Low, 0);
  High = std::min(High, int64_t(Size) - 1);
  return Low <= High ? Range{Low, High} : Range{};
}

EncodedRow everyProducer(uint32_t Producers) {
  return {{0, 0, 0}, 1, 0, int32_t(Producers - 1)};
}

/// One dimension of a piece.
struct Side {
  Range Consumer;
  Range Producer;
  EncodedRow Row;
};

/// Dimension J with what makes no difference taken away: slopes along
/// dimensions of one consumer block, bounds that do not depend on the consumer.
Side simplified(const EncodedPiece &P, unsigned J, Dim3 ProducerGrid,
                Dim3 ConsumerGrid) {
  Side S;
  S.Consumer = clipped(P.ConsumerLow[J], P.ConsumerHigh[J], ConsumerGrid[J]);
  S.Row = P.Rows[J];
  bool Constant = true;
  for (unsigned I = 0; I < 3; ++I) {
    S.Row.A[I] = ConsumerGrid[I] == 1 ? 0 : S.Row.A[I];
    Constant &= S.Row.A[I] == 0;
  }
  int64_t Low = P.ProducerLow[J], High = P.ProducerHigh[J];
  if (Constant) {
    Low = std::max(Low, floorDiv<int64_t>(S.Row.Low, S.Row.D));
    High = std::min(High, floorDiv<int64_t>(S.Row.High, S.Row.D));
    S.Row = everyProducer(ProducerGrid[J]);
  }
  S.Producer = clipped(Low, High, ProducerGrid[J]);
  return S;
}

RowForm formOf(const EncodedRow &Row, unsigned J) {
  bool Constant = true, Unit = Row.D == 1;
  for (unsigned I = 0; I < 3; ++I) {
    Constant &= Row.A[I] == 0;
    Unit &= Row.A[I] == (I == J ? 1 : 0);
  }
  if (Constant)
    return RowAll;
  if (!Unit)
    return RowGeneral;
  return Row.Low == Row.High ? RowShift : RowBand;
}

/// Low from the grid's beginning, High from its end.
void writeRange(ByteWriter &To, Range Of, uint32_t Size) {
  To.number(uint64_t(Of.Low));
  To.number(uint64_t(int64_t(Size) - 1 - Of.High));
}

void writeRow(ByteWriter &To, const EncodedRow &Row, RowForm Form,
              Dim3 ConsumerGrid) {
  if (Form == RowGeneral) {
    for (unsigned I = 0; I < 3; ++I)
      if (ConsumerGrid[I] > 1)
        To.signedNumber(Row.A[I]);
    To.number(uint64_t(Row.D));
  }
  if (Form != RowAll)
    To.signedNumber(Row.Low);
  if (Form == RowBand || Form == RowGeneral)
    To.signedNumber(int64_t(Row.High) - Row.Low);
}

/// Whether the dimension says anything.
bool writeSide(ByteWriter &To, const Side &S, unsigned J, Dim3 ProducerGrid,
               Dim3 ConsumerGrid) {
  const RowForm Form = formOf(S.Row, J);
  const bool Consumer = S.Consumer.isWhole(ConsumerGrid[J]);
  const bool Producer = S.Producer.isWhole(ProducerGrid[J]);
  const auto First = uint8_t(Form | (Consumer ? WholeConsumer : 0) |
                             (Producer ? WholeProducer : 0));
  To.byte(First);
  if (!Consumer)
    writeRange(To, S.Consumer, ConsumerGrid[J]);
  if (!Producer)
    writeRange(To, S.Producer, ProducerGrid[J]);
  writeRow(To, S.Row, Form, ConsumerGrid);
  return First != Nothing;
}

bool readRange(ByteReader &From, uint32_t Size, int32_t &Low, int32_t &High) {
  Low = int32_t(From.numberUpTo(Size - 1));
  High = int32_t(int64_t(Size) - 1 - int64_t(From.numberUpTo(Size)));
  return !From.failed();
}

int32_t readInt(ByteReader &From) {
  return int32_t(unzigzag(From.numberUpTo(MaxWord)));
}

/// Whether the slopes can be multiplied by every consumer block.
bool isDecodable(const EncodedRow &Row, Dim3 ConsumerGrid) {
  for (unsigned I = 0; I < 3; ++I) {
    const int64_t Largest = int64_t(Row.A[I]) * (ConsumerGrid[I] - 1);
    if (Largest > LargestProduct || Largest < -LargestProduct)
      return false;
  }
  return true;
}

bool readRow(ByteReader &From, unsigned J, RowForm Form, uint32_t Producers,
             Dim3 ConsumerGrid, EncodedRow &Row) {
  Row = everyProducer(Producers);
  if (Form == RowAll)
    return true;
  Row.A[J] = 1;
  if (Form == RowGeneral) {
    for (unsigned I = 0; I < 3; ++I)
      Row.A[I] = ConsumerGrid[I] > 1 ? readInt(From) : 0;
    Row.D = int32_t(From.numberUpTo(MaxInt));
  }
  Row.Low = readInt(From);
  int64_t High = Row.Low;
  if (Form != RowShift)
    High += unzigzag(From.numberUpTo(2 * MaxWord + 1));
  Row.High = int32_t(High);
  return !From.failed() && Row.D >= 1 && High == Row.High &&
         isDecodable(Row, ConsumerGrid);
}

/// The dimension that First begins.
bool readSide(ByteReader &From, unsigned J, uint8_t First, Dim3 ProducerGrid,
              Dim3 ConsumerGrid, EncodedPiece &P) {
  P.ConsumerLow[J] = P.ProducerLow[J] = 0;
  P.ConsumerHigh[J] = int32_t(ConsumerGrid[J] - 1);
  P.ProducerHigh[J] = int32_t(ProducerGrid[J] - 1);
  if (First & ~(Nothing | FormMask))
    return false;
  if (!(First & WholeConsumer) &&
      !readRange(From, ConsumerGrid[J], P.ConsumerLow[J], P.ConsumerHigh[J]))
    return false;
  if (!(First & WholeProducer) &&
      !readRange(From, ProducerGrid[J], P.ProducerLow[J], P.ProducerHigh[J]))
    return false;
  return readRow(From, J, RowForm(First & FormMask), ProducerGrid[J],
                 ConsumerGrid, P.Rows[J]);
}

} // namespace

void writePiece(ByteWriter &To, const EncodedPiece &P, uint8_t Hazards,
                Dim3 ProducerGrid, Dim3 ConsumerGrid) {
  const size_t At = To.Bytes.size();
  size_t End = At + 1;
  unsigned Count = 0;
  To.byte(0);
  for (unsigned J = 0; J < 3; ++J)
    if (writeSide(To, simplified(P, J, ProducerGrid, ConsumerGrid), J,
                  ProducerGrid, ConsumerGrid)) {
      Count = J + 1;
      End = To.Bytes.size();
    }
  To.Bytes.resize(End);
  To.Bytes[At] = uint8_t(Count | unsigned(Hazards) << HazardShift);
}

bool readPiece(ByteReader &From, Dim3 ProducerGrid, Dim3 ConsumerGrid,
               EncodedPiece &P, uint8_t &Hazards) {
  const uint8_t First = From.byte();
  const unsigned Count = First & CountMask;
  Hazards = First >> HazardShift;
  for (unsigned J = 0; J < 3; ++J)
    if (!readSide(From, J, J < Count ? From.byte() : Nothing, ProducerGrid,
                  ConsumerGrid, P))
      return false;
  return Hazards <= MostHazards && !From.failed();
}

} // namespace blockmaestro::record
