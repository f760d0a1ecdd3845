// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random relations, among them those that look as if they implied each other:
// what follows() says follows, does, block by block.

#include "Implied.h"
#include "Oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

using namespace blockmaestro;
using namespace blockmaestro::test;

namespace {

/// Makes relations between launches of more blocks than are composed one by
/// one.
class RandomRelations {
public:
  explicit RandomRelations(uint64_t Seed) : Engine(Seed) {}

  bool chance(int Percent) { return pick(1, 100) <= Percent; }

  Dim3 grid() {
    const Dim3 Some[] = {{70, 1, 1}, {66, 1, 1}, {11, 6, 1}, {6, 11, 1}};
    return Some[pick(0, 3)];
  }

  /// A few pieces of any kind.
  Relation any(Dim3 Producers, Dim3 Consumers) {
    Relation R = empty(Producers, Consumers);
    if (chance(5)) {
      R.Full = true;
      return R;
    }
    for (int64_t N = pick(1, 2); N > 0; --N)
      R.Pieces.push_back(anyPiece(Producers, Consumers));
    return maybeListed(std::move(R));
  }

  /// Every block of its own number, or nearly.
  Relation nearlySame(Dim3 Producers, Dim3 Consumers) {
    Relation R = empty(Producers, Consumers);
    Piece P = whole(Producers, Consumers);
    for (unsigned D = 0; D < 3; ++D)
      if (Producers[D] > 1) {
        P.Rows[D].A[chance(5) ? 1 - D % 2 : D] = chance(15) ? 0 : 1;
        P.Rows[D].D = chance(15) ? 2 : 1;
        P.Rows[D].Low = pick(-2, chance(10) ? 1 : 0);
        P.Rows[D].High = pick(chance(10) ? -1 : 0, chance(30) ? 80 : 2);
      }
    if (chance(30))
      trim(P.Consumer);
    if (chance(30))
      trim(P.Producer);
    R.Pieces = {P};
    return maybeListed(std::move(R));
  }

  /// Of a box of blocks to a box of blocks, or nearly.
  Relation nearlyBoxes(Dim3 Producers, Dim3 Consumers) {
    Relation R = empty(Producers, Consumers);
    Piece P = whole(Producers, Consumers);
    trim(P.Consumer);
    trim(P.Producer);
    for (unsigned D = 0; D < 3; ++D)
      if (chance(30)) {
        P.Rows[D].Low = pick(0, 12);
        P.Rows[D].High = pick(5, 70);
        P.Rows[D].A[pick(0, 1)] = pick(-1, 1);
      }
    R.Pieces = {P};
    return R;
  }

  /// Of some of R's pieces, each made smaller, sometimes something else.
  Relation part(const Relation &R) {
    Relation Part = R;
    if (R.List && chance(50))
      lengthen(Part);
    if (R.List || chance(20))
      return Part;
    Part.Pieces.clear();
    for (Piece P : R.Pieces) {
      if (chance(40))
        trim(P.Consumer);
      if (chance(40))
        trim(P.Producer);
      Part.Pieces.push_back(P);
    }
    if (chance(25))
      Part.Pieces.push_back(anyPiece(R.ProducerGrid, R.ConsumerGrid));
    return Part;
  }

private:
  int64_t pick(int64_t Low, int64_t High) {
    return Low + int64_t(Engine() % uint64_t(High - Low + 1));
  }

  static Relation empty(Dim3 Producers, Dim3 Consumers) {
    Relation R;
    R.ProducerGrid = Producers;
    R.ConsumerGrid = Consumers;
    return R;
  }

  static Piece whole(Dim3 Producers, Dim3 Consumers) {
    Piece P;
    P.Hazards = HazardRAW;
    for (unsigned D = 0; D < 3; ++D) {
      P.Producer.High[D] = P.Rows[D].High = int64_t(Producers[D]) - 1;
      P.Consumer.High[D] = int64_t(Consumers[D]) - 1;
    }
    return P;
  }

  void trim(Box &In) {
    for (unsigned D = 0; D < 3; ++D) {
      In.Low[D] = pick(In.Low[D], chance(50) ? In.Low[D] : In.High[D]);
      In.High[D] = pick(chance(50) ? In.High[D] : In.Low[D], In.High[D]);
    }
  }

  Piece anyPiece(Dim3 Producers, Dim3 Consumers) {
    Piece P = whole(Producers, Consumers);
    for (unsigned D = 0; D < 3; ++D) {
      if (Producers[D] == 1)
        continue;
      P.Rows[D].A[pick(0, 1)] = pick(-1, 3);
      P.Rows[D].D = pick(1, 3);
      P.Rows[D].Low = pick(-4, 4);
      P.Rows[D].High = P.Rows[D].Low + pick(chance(20) ? -2 : 0, 6);
    }
    if (chance(40))
      trim(P.Consumer);
    if (chance(40))
      trim(P.Producer);
    return P;
  }

  /// One run of the list, where there is room behind it, by a block.
  void lengthen(Relation &R) {
    BlockList Longer = *R.List;
    if (Longer.Runs.empty())
      return;
    const auto C = size_t(pick(0, int64_t(R.ConsumerGrid.count()) - 1));
    if (Longer.Begin[C] == Longer.Begin[C + 1])
      return;
    BlockRun &Last = Longer.Runs[Longer.Begin[C + 1] - 1];
    if (Last.Last + 1 < R.ProducerGrid.count())
      ++Last.Last;
    R.List = std::make_shared<const BlockList>(std::move(Longer));
  }

  /// The same as a list, sometimes with a run cut short.
  Relation maybeListed(Relation R) {
    if (!chance(25))
      return R;
    auto List = std::make_shared<BlockList>();
    const Pairs All = pairsOf(R);
    List->Begin.push_back(0);
    for (uint64_t C = 0; C < R.ConsumerGrid.count(); ++C) {
      for (auto At = All.lower_bound({C, 0}); At != All.end() && At->first == C;
           ++At) {
        const auto P = uint32_t(At->second);
        if (List->Runs.size() > List->Begin.back() &&
            List->Runs.back().Last + 1 == P)
          List->Runs.back().Last = P;
        else if (!chance(2))
          List->Runs.push_back({P, P});
      }
      List->Begin.push_back(uint32_t(List->Runs.size()));
    }
    List->Hazards.assign(List->Runs.size(), HazardRAW);
    R.Pieces.clear();
    R.List = std::move(List);
    return R;
  }

  std::mt19937_64 Engine;
};

/// By consumer: which producers it waits for.
using Table = std::vector<std::vector<bool>>;

Table tableOf(const Relation &R) {
  Table All(R.ConsumerGrid.count(),
            std::vector<bool>(R.ProducerGrid.count(), R.Full));
  if (!R.Full)
    for (const auto &[C, P] : encodedPairsOf(R))
      All[C][P] = true;
  return All;
}

/// Whether every pair of AC has a block between.
bool reallyFollows(const Relation &AC, const Relation &AB, const Relation &BC) {
  const Table First = tableOf(AB), Second = tableOf(BC), All = tableOf(AC);
  for (size_t C = 0; C < All.size(); ++C)
    for (size_t A = 0; A < All[C].size(); ++A) {
      bool Reached = !All[C][A];
      for (size_t B = 0; B < First.size() && !Reached; ++B)
        Reached = Second[C][B] && First[B][A];
      if (!Reached)
        return false;
    }
  return true;
}

struct Three {
  Relation AC, AB, BC;
};

/// Tries Rounds of what Make gives; at least Least of them follow.
template <typename Maker>
void expectHonest(uint64_t Seed, int Rounds, int Least, Maker Make) {
  RandomRelations Some(Seed);
  int Followed = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    const Three Next = Make(Some);
    if (!follows(Next.AC, Next.AB, Next.BC))
      continue;
    ++Followed;
    ASSERT_TRUE(reallyFollows(Next.AC, Next.AB, Next.BC))
        << "seed " << Seed << " round " << Round;
  }
  EXPECT_GE(Followed, Least);
}

} // namespace

TEST(Follows, ThroughTheConsumersOwnNumber) {
  expectHonest(51, 12000, 500, [](RandomRelations &Some) {
    const Dim3 A = Some.grid(), C = Some.grid();
    const Dim3 B = Some.chance(90) ? C : Some.grid();
    Three Next;
    Next.AB = Some.any(A, B);
    Next.AC = Some.part(Next.AB);
    Next.AC.ConsumerGrid = C;
    if (B != C && (Next.AC.List || Next.AC.Full))
      Next.AC = Some.any(A, C);
    Next.BC = Some.nearlySame(B, C);
    return Next;
  });
}

TEST(Follows, ThroughTheProducersOwnNumber) {
  expectHonest(52, 12000, 500, [](RandomRelations &Some) {
    const Dim3 A = Some.grid(), C = Some.grid();
    Three Next;
    Next.AB = Some.nearlySame(A, A);
    Next.BC = Some.any(A, C);
    Next.AC = Some.part(Next.BC);
    return Next;
  });
}

TEST(Follows, ThroughABoxOfBlocks) {
  expectHonest(53, 20000, 300, [](RandomRelations &Some) {
    const Dim3 A = Some.grid(), B = Some.grid(), C = Some.grid();
    const bool Scatters = Some.chance(50);
    Three Next;
    Next.AB = Scatters ? Some.nearlyBoxes(A, B) : Some.any(A, B);
    Next.BC = Scatters ? Some.any(B, C) : Some.nearlyBoxes(B, C);
    Next.AC = Some.nearlyBoxes(A, C);
    if (Scatters && Some.chance(60))
      Next.AC.Pieces[0].Producer = Next.AB.Pieces[0].Producer;
    if (!Scatters && Some.chance(60))
      Next.AC.Pieces[0].Consumer = Next.BC.Pieces[0].Consumer;
    return Next;
  });
}

TEST(Follows, AnyThree) {
  expectHonest(54, 4000, 1, [](RandomRelations &Some) {
    const Dim3 A = Some.grid(), B = Some.grid(), C = Some.grid();
    return Three{Some.any(A, C), Some.any(A, B), Some.any(B, C)};
  });
}
