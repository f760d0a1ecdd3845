// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Note [Fitting a piece]
// ~~~~~~~~~~~~~~~~~~~~~~
// Every consumer's producers must be a box. For dimension j a row is looked for
// with floor((A . c + Low) / D) the box's lower bound in j, and High likewise.
// For given A and D each consumer says in which interval Low lies:
//
//   D lo - A.c <= Low <= D lo - A.c + D - 1      lo inside the producer box
//                 Low <= D lo - A.c + D - 1      lo at its lower end: clipped
//
// so that a row is found, or found not to exist, in one pass. The A and D tried
// are those the bounds rise by from one end of the grid to the other, and the
// unit vectors, which a clipped triangle (p.x <= c.y) needs. What comes out is
// decoded again and compared with the table.

#include "Refit.h"

#include "Affine.h"
#include "PieceBlocks.h"

#include <algorithm>
#include <array>
#include <limits>

namespace blockmaestro {
namespace {

constexpr int64_t Divisors[] = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64};

/// What one consumer waits for.
struct Wait {
  Dim3 Consumer;
  Box Producers;
};

using Slope = std::array<int64_t, 3>;

Box emptyBox() {
  Box None;
  for (unsigned D = 0; D < 3; ++D) {
    None.Low[D] = std::numeric_limits<int64_t>::max();
    None.High[D] = std::numeric_limits<int64_t>::min();
  }
  return None;
}

void include(Box &In, Dim3 Block) {
  for (unsigned D = 0; D < 3; ++D) {
    In.Low[D] = std::min<int64_t>(In.Low[D], Block[D]);
    In.High[D] = std::max<int64_t>(In.High[D], Block[D]);
  }
}

uint64_t volume(const Box &Of) {
  uint64_t Count = 1;
  for (unsigned D = 0; D < 3; ++D)
    Count *= uint64_t(Of.High[D] - Of.Low[D] + 1);
  return Count;
}

class Fit {
public:
  explicit Fit(const PairTable &Of) : Of(Of) {}

  std::optional<Piece> find();

private:
  bool collect();
  bool findRow(unsigned J, QuasiAffine &Out) const;
  bool tryRow(unsigned J, const Slope &A, int64_t D, QuasiAffine &Out) const;
  std::vector<Slope> slopes(unsigned J, int64_t D) const;
  void addRise(unsigned J, int64_t D, int64_t (Box::*Side)[3],
               std::vector<Slope> &Out) const;
  const Wait *at(Dim3 Consumer) const;
  bool same(const Piece &P) const;

  const PairTable &Of;
  std::vector<Wait> Waits; ///< By ascending linear number.
  Box Consumers = emptyBox();
  Box Producers = emptyBox();
  uint8_t Hazards = 0;
};

} // namespace

/// False when some consumer's producers are no box, or there are none at all.
bool Fit::collect() {
  for (uint64_t C = 0; C < Of.consumers(); ++C) {
    Wait One{blockOf(C, Of.ConsumerGrid), emptyBox()};
    uint64_t Count = 0;
    const std::span<const uint8_t> Row = Of.row(C);
    for (uint64_t P = 0; P < Row.size(); ++P)
      if (Row[P]) {
        Hazards |= Row[P] & PairTable::AnyHazard;
        include(One.Producers, blockOf(P, Of.ProducerGrid));
        ++Count;
      }
    if (Count == 0)
      continue;
    if (Count != volume(One.Producers))
      return false;
    include(Consumers, One.Consumer);
    for (unsigned D = 0; D < 3; ++D) {
      Producers.Low[D] = std::min(Producers.Low[D], One.Producers.Low[D]);
      Producers.High[D] = std::max(Producers.High[D], One.Producers.High[D]);
    }
    Waits.push_back(One);
  }
  return !Waits.empty();
}

/// See Note [Fitting a piece].
bool Fit::tryRow(unsigned J, const Slope &A, int64_t D,
                 QuasiAffine &Out) const {
  constexpr Wide Far = LargestValue;
  WideInterval Low{-Far, Far}, High{-Far, Far};
  for (const Wait &W : Waits) {
    Wide Dot = 0;
    for (unsigned I = 0; I < 3; ++I)
      Dot += Wide(A[I]) * W.Consumer[I];
    const Wide First = Wide(D) * W.Producers.Low[J] - Dot;
    const Wide Last = Wide(D) * W.Producers.High[J] - Dot;
    if (W.Producers.Low[J] > Producers.Low[J])
      Low.Low = std::max(Low.Low, First);
    Low.High = std::min(Low.High, First + D - 1);
    if (W.Producers.High[J] < Producers.High[J])
      High.High = std::min(High.High, Last + D - 1);
    High.Low = std::max(High.Low, Last);
  }
  if (Low.Low > Low.High || High.Low > High.High)
    return false;
  Out.D = D;
  std::copy(A.begin(), A.end(), Out.A);
  Out.Low = int64_t(Low.High);
  Out.High = int64_t(High.Low);
  return true;
}

const Wait *Fit::at(Dim3 Consumer) const {
  auto Found = std::lower_bound(
      Waits.begin(), Waits.end(), linearOf(Consumer, Of.ConsumerGrid),
      [&](const Wait &W, uint64_t Number) {
        return linearOf(W.Consumer, Of.ConsumerGrid) < Number;
      });
  return Found != Waits.end() && Found->Consumer == Consumer ? &*Found
                                                             : nullptr;
}

/// Adds what one side of the producers' boxes rises by, D times, per step of
/// each consumer dimension.
void Fit::addRise(unsigned J, int64_t D, int64_t (Box::*Side)[3],
                  std::vector<Slope> &Out) const {
  const Wait &First = Waits.front();
  Slope A{};
  for (unsigned I = 0; I < 3; ++I) {
    uint32_t End[3] = {First.Consumer.X, First.Consumer.Y, First.Consumer.Z};
    End[I] = uint32_t(Consumers.High[I]);
    const Wait *Last = at({End[0], End[1], End[2]});
    const int64_t Steps = int64_t(End[I]) - First.Consumer[I];
    if (!Last || Steps == 0)
      continue;
    const int64_t Rise =
        D * ((Last->Producers.*Side)[J] - (First.Producers.*Side)[J]);
    A[I] = floorDiv(2 * Rise + Steps, 2 * Steps);
  }
  Out.push_back(A);
}

std::vector<Slope> Fit::slopes(unsigned J, int64_t D) const {
  std::vector<Slope> All;
  if (D == 1) {
    All.push_back({});
    for (unsigned I = 0; I < 3; ++I)
      for (int64_t Sign : {1, -1}) {
        Slope Unit{};
        Unit[I] = Sign;
        All.push_back(Unit);
      }
  }
  addRise(J, D, &Box::Low, All);
  addRise(J, D, &Box::High, All);
  return All;
}

bool Fit::findRow(unsigned J, QuasiAffine &Out) const {
  for (int64_t D : Divisors)
    for (const Slope &A : slopes(J, D))
      if (tryRow(J, A, D, Out))
        return true;
  return false;
}

/// Whether P has the pairs of the table and no other.
bool Fit::same(const Piece &P) const {
  auto Next = Waits.begin();
  for (uint64_t C = 0; C < Of.consumers(); ++C) {
    const Dim3 Block = blockOf(C, Of.ConsumerGrid);
    bool Inside = true, Equal = true;
    const bool Waiting = Next != Waits.end() && Next->Consumer == Block;
    for (unsigned D = 0; D < 3; ++D) {
      const WideInterval Row = boundsAt(P.Rows[D], Block);
      const Wide Low = std::max<Wide>(Row.Low, P.Producer.Low[D]);
      const Wide High = std::min<Wide>(Row.High, P.Producer.High[D]);
      Inside = Inside && Low <= High && P.Consumer.Low[D] <= Block[D] &&
               Block[D] <= P.Consumer.High[D];
      Equal = Equal && (!Waiting || (Low == Next->Producers.Low[D] &&
                                     High == Next->Producers.High[D]));
    }
    if (Inside != Waiting || !Equal)
      return false;
    Next += Waiting;
  }
  return true;
}

std::optional<Piece> Fit::find() {
  if (!collect())
    return std::nullopt;
  Piece Out;
  Out.Consumer = Consumers;
  Out.Producer = Producers;
  Out.Hazards = Hazards;
  for (unsigned J = 0; J < 3; ++J)
    if (!findRow(J, Out.Rows[J]))
      return std::nullopt;
  if (!same(Out))
    return std::nullopt;
  return Out;
}

std::optional<Piece> refit(const PairTable &Of) { return Fit(Of).find(); }

/// Calls Visit(consumer, producer) for the pairs of P until it is false.
template <typename Visitor>
static bool allPairs(const Piece &P, const PairTable &In, Visitor Visit) {
  for (uint64_t C = 0; C < In.consumers(); ++C) {
    const Box Of = producersAt(P, blockOf(C, In.ConsumerGrid));
    if (!allBlocks(Of, In.ProducerGrid,
                   [&](uint64_t B) { return Visit(C, B); }))
      return false;
  }
  return true;
}

std::vector<Piece> refit(const PairTable &Of, const std::vector<Piece> &Some) {
  PairTable Missing = Of;
  std::vector<Piece> Out;
  for (const Piece &P : Some) {
    if (!allPairs(P, Of, [&](uint64_t C, uint64_t B) { return Of.row(C)[B]; }))
      continue;
    Out.push_back(P);
    Out.back().Hazards = 0;
    allPairs(P, Of, [&](uint64_t C, uint64_t B) {
      Out.back().Hazards |= Of.row(C)[B] & PairTable::AnyHazard;
      Missing.row(C)[B] = 0;
      return true;
    });
  }
  const std::span<const uint8_t> Left = Missing.all();
  if (std::all_of(Left.begin(), Left.end(), [](uint8_t Bits) { return !Bits; }))
    return Out;
  const std::optional<Piece> Last = refit(Missing);
  if (!Last)
    return {};
  Out.push_back(*Last);
  return Out;
}

} // namespace blockmaestro
