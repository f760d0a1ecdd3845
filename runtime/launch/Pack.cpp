// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pack.h"

#include <algorithm>

namespace blockmaestro {
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

constexpr uint64_t MostBlocks = UINT32_MAX;

/// One dimension of a piece.
struct Side {
  int64_t ConsumerLow, ConsumerHigh, ProducerLow, ProducerHigh;
  EncodedRow Row;
};

class Writer {
public:
  void byte(uint8_t Value) { Bytes.push_back(Value); }
  void number(uint64_t Value) {
    for (; Value >= 128; Value >>= 7)
      byte(uint8_t(Value | 128));
    byte(uint8_t(Value));
  }
  void sign(int64_t Value) {
    number(uint64_t(Value) << 1 ^ uint64_t(Value >> 63));
  }
  std::vector<uint8_t> Bytes;
};

class Reader {
public:
  explicit Reader(std::span<const uint8_t> Bytes) : Rest(Bytes) {}
  uint8_t byte() {
    if (Rest.empty()) {
      Failed = true;
      return 0;
    }
    const uint8_t Value = Rest.front();
    Rest = Rest.subspan(1);
    return Value;
  }
  uint64_t number() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 63; Shift += 7) {
      const uint8_t Next = byte();
      Value |= uint64_t(Next & 127) << Shift;
      if (Next < 128)
        return Value;
    }
    Failed = true;
    return 0;
  }
  int64_t sign() {
    const uint64_t Value = number();
    return int64_t(Value >> 1) ^ -int64_t(Value & 1);
  }
  /// A number of 32 bits with its sign.
  int32_t word() {
    const int64_t Value = sign();
    Failed |= Value != int32_t(Value);
    return int32_t(Value);
  }
  bool good() const { return !Failed; }
  bool atEnd() const { return Rest.empty(); }

private:
  std::span<const uint8_t> Rest;
  bool Failed = false;
};

bool isWhole(int64_t Low, int64_t High, uint32_t Size) {
  return Low <= 0 && High >= int64_t(Size) - 1;
}

/// The dimension with what makes no difference taken away: slopes along
/// dimensions of one consumer block, bounds that do not depend on the consumer.
Side simplified(const EncodedPiece &P, unsigned J, const EncodingView &Of) {
  Side S{P.ConsumerLow[J], P.ConsumerHigh[J], P.ProducerLow[J],
         P.ProducerHigh[J], P.Rows[J]};
  bool Constant = true;
  for (unsigned I = 0; I < 3; ++I) {
    S.Row.A[I] = Of.ConsumerGrid[I] == 1 ? 0 : S.Row.A[I];
    Constant &= S.Row.A[I] == 0;
  }
  if (S.ConsumerLow > S.ConsumerHigh)
    S.ConsumerLow = 0, S.ConsumerHigh = -1;
  if (!Constant)
    return S;
  S.ProducerLow =
      std::max(S.ProducerLow, floorDiv<int64_t>(S.Row.Low, S.Row.D));
  S.ProducerHigh =
      std::min(S.ProducerHigh, floorDiv<int64_t>(S.Row.High, S.Row.D));
  if (S.ProducerLow > S.ProducerHigh)
    S.ProducerLow = 0, S.ProducerHigh = -1;
  S.Row = {{0, 0, 0}, 1, 0, int32_t(Of.Header.ProducerGrid[J]) - 1};
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
void writeRange(Writer &To, int64_t Low, int64_t High, uint32_t Size) {
  To.sign(Low);
  To.sign(int64_t(Size) - 1 - High);
}

void writeRow(Writer &To, const EncodedRow &Row, RowForm Form,
              Dim3 ConsumerGrid) {
  if (Form == RowGeneral) {
    for (unsigned I = 0; I < 3; ++I)
      if (ConsumerGrid[I] > 1)
        To.sign(Row.A[I]);
    To.number(uint64_t(Row.D));
  }
  if (Form != RowAll)
    To.sign(Row.Low);
  if (Form == RowBand || Form == RowGeneral)
    To.sign(int64_t(Row.High) - Row.Low);
}

void writeSide(Writer &To, const Side &S, unsigned J, const EncodingView &Of) {
  const uint32_t Consumers = Of.ConsumerGrid[J];
  const uint32_t Producers = Of.Header.ProducerGrid[J];
  const RowForm Form = formOf(S.Row, J);
  const bool Consumer = isWhole(S.ConsumerLow, S.ConsumerHigh, Consumers);
  const bool Producer = isWhole(S.ProducerLow, S.ProducerHigh, Producers);
  To.byte(uint8_t(Form | (Consumer ? WholeConsumer : 0) |
                  (Producer ? WholeProducer : 0)));
  if (!Consumer)
    writeRange(To, S.ConsumerLow, S.ConsumerHigh, Consumers);
  if (!Producer)
    writeRange(To, S.ProducerLow, S.ProducerHigh, Producers);
  writeRow(To, S.Row, Form, Of.ConsumerGrid);
}

/// As many dimensions as say something, then each.
void writePiece(Writer &To, const EncodedPiece &P, const EncodingView &Of) {
  Writer Sides[3];
  uint8_t Count = 0;
  for (unsigned J = 0; J < 3; ++J) {
    writeSide(Sides[J], simplified(P, J, Of), J, Of);
    if (Sides[J].Bytes != std::vector<uint8_t>{Nothing})
      Count = uint8_t(J + 1);
  }
  To.byte(Count);
  for (unsigned J = 0; J < Count; ++J)
    To.Bytes.insert(To.Bytes.end(), Sides[J].Bytes.begin(),
                    Sides[J].Bytes.end());
}

bool readRange(Reader &From, uint32_t Size, int32_t &Low, int32_t &High) {
  const int64_t First = From.sign();
  const int64_t Last = int64_t(Size) - 1 - From.sign();
  Low = int32_t(First);
  High = int32_t(Last);
  return From.good() && First >= 0 && First <= int64_t(Size) && Last >= -1 &&
         Last < int64_t(Size);
}

bool readRow(Reader &From, unsigned J, RowForm Form, uint32_t Producers,
             Dim3 ConsumerGrid, EncodedRow &Row) {
  Row = {{0, 0, 0}, 1, 0, int32_t(Producers) - 1};
  if (Form == RowAll)
    return true;
  Row.A[J] = 1;
  if (Form == RowGeneral) {
    for (unsigned I = 0; I < 3; ++I)
      Row.A[I] = ConsumerGrid[I] > 1 ? From.word() : 0;
    const uint64_t Divisor = From.number();
    if (Divisor < 1 || Divisor > INT32_MAX)
      return false;
    Row.D = int32_t(Divisor);
  }
  Row.Low = From.word();
  const int64_t High = Row.Low + (Form == RowShift ? 0 : From.sign());
  Row.High = int32_t(High);
  return From.good() && High == Row.High;
}

bool readSide(Reader &From, unsigned J, Dim3 ProducerGrid, Dim3 ConsumerGrid,
              uint8_t First, EncodedPiece &P) {
  P.ConsumerLow[J] = P.ProducerLow[J] = 0;
  P.ConsumerHigh[J] = int32_t(ConsumerGrid[J]) - 1;
  P.ProducerHigh[J] = int32_t(ProducerGrid[J]) - 1;
  if (First & ~Nothing & ~FormMask)
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

bool readPiece(Reader &From, Dim3 ProducerGrid, Dim3 ConsumerGrid,
               EncodedPiece &P) {
  const uint8_t Count = From.byte();
  for (unsigned J = 0; J < 3; ++J)
    if (!readSide(From, J, ProducerGrid, ConsumerGrid,
                  J < Count ? From.byte() : Nothing, P))
      return false;
  return Count <= 3 && From.good();
}

/// What consumer C waits for, told from C: equal for blocks that wait alike.
std::vector<uint8_t> signatureOf(const BlockList &List, uint32_t C) {
  Writer To;
  const RunRange Runs = producersOf(List.lists(), C);
  To.number(uint64_t(Runs.end() - Runs.begin()));
  int64_t At = C;
  for (BlockRun Run : Runs) {
    To.sign(int64_t(Run.First) - At);
    To.number(Run.Last - Run.First);
    At = Run.Last;
  }
  return To.Bytes;
}

/// Each signature once; consumers that share one in a row are counted.
void writeList(Writer &To, const BlockList &List) {
  const uint32_t Count = uint32_t(List.Begin.size() - 1);
  for (uint32_t C = 0; C < Count;) {
    const std::vector<uint8_t> Mine = signatureOf(List, C);
    uint32_t End = C + 1;
    while (End < Count && signatureOf(List, End) == Mine)
      ++End;
    To.number(End - C);
    To.Bytes.insert(To.Bytes.end(), Mine.begin(), Mine.end());
    C = End;
  }
}

/// Runs of Consumer from what was told of another.
bool addRuns(const std::vector<std::pair<int64_t, uint64_t>> &Told,
             uint32_t Consumer, uint64_t Producers, BlockList &List) {
  int64_t At = Consumer;
  for (size_t I = 0; I < Told.size(); ++I) {
    const int64_t First = At + Told[I].first;
    if (First < 0 || (I > 0 && Told[I].first < 1) ||
        uint64_t(First) >= Producers ||
        Told[I].second >= Producers - uint64_t(First))
      return false;
    At = First + int64_t(Told[I].second);
    List.Runs.push_back({uint32_t(First), uint32_t(At)});
    List.Hazards.push_back(0);
  }
  List.Begin.push_back(uint32_t(List.Runs.size()));
  return true;
}

bool readList(Reader &From, uint64_t Producers, uint64_t Consumers,
              BlockList &List) {
  List.Begin.push_back(0);
  while (List.Begin.size() <= Consumers) {
    const uint64_t Repeats = From.number(), Count = From.number();
    std::vector<std::pair<int64_t, uint64_t>> Told;
    for (uint64_t I = 0; I < Count && From.good(); ++I) {
      const int64_t First = From.sign();
      Told.emplace_back(First, From.number());
    }
    if (!From.good() || Repeats < 1 ||
        Repeats > Consumers + 1 - List.Begin.size())
      return false;
    for (uint64_t I = 0; I < Repeats; ++I)
      if (!addRuns(Told, uint32_t(List.Begin.size() - 1), Producers, List))
        return false;
  }
  return true;
}

} // namespace

std::vector<uint8_t> pack(const EncodingView &Of) {
  Writer To;
  To.number(uint64_t(Of.Header.Kind) | uint64_t(Of.Pieces.size()) << 2);
  for (const EncodedPiece &P : Of.Pieces)
    writePiece(To, P, Of);
  if (Of.List)
    writeList(To, *Of.List);
  return To.Bytes;
}

std::optional<Unpacked> unpack(std::span<const uint8_t> Bytes,
                               Dim3 ProducerGrid, Dim3 ConsumerGrid) {
  Reader From(Bytes);
  Unpacked Out;
  const uint64_t First = From.number();
  const uint64_t Pieces = First >> 2;
  Out.Header.Kind = uint32_t(First & 3);
  Out.Header.PieceCount = uint32_t(Pieces);
  for (unsigned J = 0; J < 3; ++J)
    Out.Header.ProducerGrid[J] = ProducerGrid[J];
  const bool Closed = Out.Header.Kind == uint32_t(RelationKind::Closed);
  const bool Listed = Out.Header.Kind == uint32_t(RelationKind::Listed);
  if (Out.Header.Kind > uint32_t(RelationKind::Listed) ||
      (!Closed && Pieces > 0) || Pieces > Bytes.size())
    return std::nullopt;
  for (uint64_t I = 0; I < Pieces; ++I)
    if (!readPiece(From, ProducerGrid, ConsumerGrid, Out.Pieces.emplace_back()))
      return std::nullopt;
  if (Listed) {
    auto List = std::make_shared<BlockList>();
    if (ProducerGrid.count() > MostBlocks ||
        ConsumerGrid.count() > MostBlocks ||
        !readList(From, ProducerGrid.count(), ConsumerGrid.count(), *List))
      return std::nullopt;
    Out.List = std::move(List);
  }
  if (!From.good() || !From.atEnd())
    return std::nullopt;
  return Out;
}

} // namespace blockmaestro
