// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lists.h"

#include "BlockBytes.h"
#include "Encode.h"
#include "PairTable.h"
#include "Refit.h"

#include <algorithm>
#include <span>

namespace blockmaestro {
namespace {

/// So many meetings of two runs, or pairs of blocks in a table, cost as much as
/// a run that is made.
constexpr uint64_t MeetingsOfARun = 16;
/// A list of so many runs of producers is worth it whenever it is exact.
constexpr size_t ShortList = 256;

uint8_t bitsOf(const ByteRun &P, const ByteRun &C) {
  const uint8_t Hazards = hazardsOf(P.Reads, P.Writes, C.Reads, C.Writes);
  return uint8_t(Hazards && P.Sure && C.Sure ? Hazards | PairTable::Sure
                                             : Hazards);
}

/// The runs of one side that reach the byte the sweep is at.
class Active {
public:
  void add(const ByteRun &Run) { Runs.push_back(&Run); }

  /// Calls Visit for those that reach At, forgets the others.
  template <typename Visitor> void visit(uint64_t At, Visitor Visit) {
    for (size_t I = 0; I < Runs.size();) {
      if (Runs[I]->Last >= At) {
        Visit(*Runs[I++]);
        continue;
      }
      Runs[I] = Runs.back();
      Runs.pop_back();
    }
  }
  size_t size() const { return Runs.size(); }

private:
  std::vector<const ByteRun *> Runs;
};

/// Fills Out with the pairs whose runs meet. False when there is too much to
/// look at.
bool sweep(const std::vector<ByteRun> &P, const std::vector<ByteRun> &C,
           PairTable &Out, uint64_t &Effort) {
  Active Producers, Consumers;
  uint64_t Left = Effort * MeetingsOfARun;
  auto Mark = [&](const ByteRun &Producer, const ByteRun &Consumer) {
    Out.row(Consumer.Block)[Producer.Block] |= bitsOf(Producer, Consumer);
  };
  for (size_t I = 0, J = 0; I < P.size() || J < C.size();) {
    const bool Next =
        J == C.size() || (I < P.size() && P[I].First <= C[J].First);
    const size_t Work = 1 + (Next ? Consumers : Producers).size();
    if (Work > Left) {
      Effort = 0;
      return false;
    }
    Left -= Work;
    if (Next) {
      Consumers.visit(P[I].First, [&](const ByteRun &R) { Mark(P[I], R); });
      Producers.add(P[I++]);
    } else {
      Producers.visit(C[J].First, [&](const ByteRun &R) { Mark(R, C[J]); });
      Consumers.add(C[J++]);
    }
  }
  Effort = Left / MeetingsOfARun;
  return true;
}

/// What a table has.
struct Tally {
  uint64_t Pairs = 0;
  uint8_t Hazards = 0;
  bool Sure = true; ///< Every pair is one for certain.
};

Tally tallyOf(const PairTable &Of) {
  Tally Sum;
  for (uint8_t Bits : Of.all()) {
    if (Bits == 0)
      continue;
    ++Sum.Pairs;
    Sum.Hazards |= Bits & PairTable::AnyHazard;
    Sum.Sure &= (Bits & PairTable::Sure) != 0;
  }
  return Sum;
}

/// Marks the producers that one piece gives to block C.
void markPiece(const EncodedPiece &Piece, Dim3 C, Dim3 Grid,
               std::vector<uint8_t> &Row) {
  const int32_t At[3] = {int32_t(C.X), int32_t(C.Y), int32_t(C.Z)};
  const ProducerBox Box = producersOf(Piece, At);
  for (int32_t Z = Box.Low[2]; Z <= Box.High[2]; ++Z)
    for (int32_t Y = Box.Low[1]; Y <= Box.High[1]; ++Y) {
      if (Box.Low[0] > Box.High[0])
        return;
      const auto First =
          Row.begin() +
          std::ptrdiff_t(
              linearOf({uint32_t(Box.Low[0]), uint32_t(Y), uint32_t(Z)}, Grid));
      std::fill(First, First + (Box.High[0] - Box.Low[0] + 1), uint8_t(1));
    }
}

/// Takes out of the table what R does not have. The pairs of R.
uint64_t intersect(PairTable &Table, const Relation &R) {
  const Encoding Form = encode(R);
  if (Form.Header.Kind == uint32_t(RelationKind::Full))
    return Table.producers() * Table.consumers();
  uint64_t Pairs = 0;
  std::vector<uint8_t> Has(Table.producers());
  for (uint64_t C = 0; C < Table.consumers(); ++C) {
    std::fill(Has.begin(), Has.end(), uint8_t(0));
    for (const EncodedPiece &Piece : Form.Pieces)
      markPiece(Piece, blockOf(C, Table.ConsumerGrid), Table.ProducerGrid, Has);
    const std::span<uint8_t> Row = Table.row(C);
    for (size_t P = 0; P < Row.size(); ++P) {
      Pairs += Has[P];
      Row[P] = Has[P] ? Row[P] : 0;
    }
  }
  return Pairs;
}

std::shared_ptr<const BlockList> listOf(const PairTable &Of) {
  auto List = std::make_shared<BlockList>();
  List->Begin.push_back(0);
  for (uint64_t C = 0; C < Of.consumers(); ++C) {
    const std::span<const uint8_t> Row = Of.row(C);
    for (size_t P = 0; P < Row.size(); ++P) {
      const uint8_t Hazards = Row[P] & PairTable::AnyHazard;
      if (!Hazards)
        continue;
      const bool Joins = List->Runs.size() > List->Begin.back() &&
                         List->Runs.back().Last + 1 == P &&
                         List->Hazards.back() == Hazards;
      if (Joins) {
        List->Runs.back().Last = uint32_t(P);
        continue;
      }
      List->Runs.push_back({uint32_t(P), uint32_t(P)});
      List->Hazards.push_back(Hazards);
    }
    List->Begin.push_back(uint32_t(List->Runs.size()));
  }
  return List;
}

/// Whether List, with the pairs of Listed, is worth its bytes where pieces have
/// Closed of them.
bool pays(const BlockList &List, const Tally &Listed, uint64_t Closed) {
  if (Listed.Sure && List.Runs.size() <= ShortList)
    return true;
  return Listed.Sure ? Listed.Pairs * 10 <= Closed * 9
                     : Listed.Pairs * 4 <= Closed * 3;
}

/// R, whose pairs are known now, is the pieces it had.
void settle(Relation &R, const Tally &Of) {
  R.Exact = Of.Sure;
  if (R.Exact)
    R.Reason.clear();
}

/// Gives R the pairs of the table, if some pieces or a list can have them. The
/// pieces may be some of Closer.
void replace(Relation &R, const PairTable &By, const Tally &Of, uint64_t Closed,
             const std::vector<Piece> &Closer) {
  std::vector<Piece> Found;
  if (const std::optional<Piece> One = refit(By))
    Found = {*One};
  else
    Found = refit(By, Closer);
  std::shared_ptr<const BlockList> List;
  if (Found.empty() && Of.Pairs > 0) {
    List = listOf(By);
    if (!pays(*List, Of, Closed))
      return;
  }
  R.Full = false;
  R.Hazards = Of.Hazards;
  R.Pieces = std::move(Found);
  R.List = std::move(List);
  settle(R, Of);
}

} // namespace

void refine(Relation &R, const Seen &P, const Seen &C,
            const std::vector<Piece> &Pieces, bool ByShape, uint64_t &Effort) {
  const uint64_t BlocksP = P.Touched.Grid.count();
  const uint64_t BlocksC = C.Touched.Grid.count();
  if (BlocksP > MostListedBlocks || BlocksC > MostListedBlocks ||
      BlocksP + BlocksC > MostListedBlocks)
    return;
  const uint64_t Cells = BlocksP * BlocksC / MeetingsOfARun;
  if (Effort == 0 || Cells > Effort)
    return;
  if (!ByShape && !P.Found.sayMore(P.Touched) && !C.Found.sayMore(C.Touched))
    return;
  const std::vector<ByteRun> *RunsP = P.Found.runs(P.Touched, Effort);
  const std::vector<ByteRun> *RunsC =
      RunsP ? C.Found.runs(C.Touched, Effort) : nullptr;
  if (!RunsC)
    return;
  PairTable Table(P.Touched.Grid, C.Touched.Grid);
  if (!sweep(*RunsP, *RunsC, Table, Effort))
    return;
  Effort -= std::min(Effort, Cells);
  const uint64_t Closed = intersect(Table, R);
  const Tally Found = tallyOf(Table);
  if (Found.Pairs == Closed)
    settle(R, Found);
  else
    replace(R, Table, Found, Closed, Pieces);
}

} // namespace blockmaestro
