// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Changes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace blockmaestro::test {

namespace {

/// The list without run I.
std::shared_ptr<const BlockList> withoutRun(const BlockList &Old, size_t I) {
  BlockList Less = Old;
  Less.Runs.erase(Less.Runs.begin() + std::ptrdiff_t(I));
  Less.Hazards.erase(Less.Hazards.begin() + std::ptrdiff_t(I));
  for (uint32_t &Each : Less.Begin)
    Each -= Each > I;
  return std::make_shared<const BlockList>(std::move(Less));
}

/// Collects the changes of one wait.
class Changer {
public:
  Changer(const WaitLists &Waits, uint32_t Consumer, size_t Which,
          std::vector<Change> &Out)
      : Consumer(Consumer), Which(Which), Old(Waits[Consumer][Which]),
        Out(Out) {}

  void all() {
    dropped();
    if (Old.What.Full)
      withoutLastBlock();
    for (size_t I = 0; I < Old.What.Pieces.size(); ++I) {
      withoutPiece(I);
      for (unsigned D = 0; D < 3; ++D)
        tightened(I, D);
    }
    if (Old.What.List)
      for (size_t I = 0; I < std::min(Old.What.List->Runs.size(), MostRuns);
           ++I)
        listed(*Old.What.List, I);
  }

private:
  /// Of a list, so many runs are changed.
  static constexpr size_t MostRuns = 40;

  void add(const char *Kind, Wait Becomes) {
    Out.push_back({Kind, Consumer, Which, std::move(Becomes)});
  }

  void dropped() {
    Wait Nothing = Old;
    Nothing.What.Full = false;
    Nothing.What.Pieces.clear();
    Nothing.What.List = nullptr;
    add("a relation dropped", std::move(Nothing));
    Wait Called = Old;
    Called.Implied = true;
    add("a relation called implied", std::move(Called));
  }

  void withoutLastBlock() {
    const Dim3 From = Old.What.ProducerGrid, To = Old.What.ConsumerGrid;
    unsigned Long = 0;
    while (Long < 2 && From[Long] == 1)
      ++Long;
    Piece P;
    P.Hazards = Old.What.Hazards;
    for (unsigned D = 0; D < 3; ++D) {
      P.Producer.High[D] = P.Rows[D].High = int64_t(From[D]) - 1;
      P.Consumer.High[D] = int64_t(To[D]) - 1;
    }
    --P.Producer.High[Long];
    Wait Less = Old;
    Less.What.Full = false;
    Less.What.Pieces = {P};
    add("a full relation without the last blocks", std::move(Less));
  }

  void listed(const BlockList &List, size_t I) {
    Wait Less = Old;
    Less.What.List = withoutRun(List, I);
    add("a run of a list dropped", Less);
    if (List.Runs[I].First == List.Runs[I].Last)
      return;
    BlockList Shorter = List;
    --Shorter.Runs[I].Last;
    Less.What.List = std::make_shared<const BlockList>(std::move(Shorter));
    add("a run of a list shorter by one", std::move(Less));
  }

  void withoutPiece(size_t I) {
    if (Old.What.Pieces.size() < 2)
      return;
    Wait Less = Old;
    Less.What.Pieces.erase(Less.What.Pieces.begin() + std::ptrdiff_t(I));
    add("a piece dropped", std::move(Less));
  }

  void tightened(size_t I, unsigned D) {
    step(
        "a consumer box smaller by one", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Consumer.Low[D]; }, 1);
    step(
        "a consumer box smaller by one", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Consumer.High[D]; }, -1);
    step(
        "a producer box smaller by one", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Producer.Low[D]; }, 1);
    step(
        "a producer box smaller by one", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Producer.High[D]; }, -1);
    const int64_t Unit = Old.What.Pieces[I].Rows[D].D;
    step(
        "a bound tighter by a block", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Rows[D].Low; }, Unit);
    step(
        "a bound tighter by a block", I, D,
        [](Piece &P, unsigned D) -> auto & { return P.Rows[D].High; }, -Unit);
  }

  /// A box must keep at least one block; a row may become empty.
  template <typename Field>
  void step(const char *Kind, size_t I, unsigned D, Field At, int64_t By) {
    Wait Less = Old;
    Piece &P = Less.What.Pieces[I];
    At(P, D) += By;
    if (P.Consumer.Low[D] <= P.Consumer.High[D] &&
        P.Producer.Low[D] <= P.Producer.High[D])
      add(Kind, std::move(Less));
  }

  uint32_t Consumer;
  size_t Which;
  const Wait &Old;
  std::vector<Change> &Out;
};

} // namespace

std::vector<Change> changesOf(const WaitLists &Waits) {
  std::vector<Change> All;
  for (uint32_t L = 0; L < Waits.size(); ++L)
    for (size_t I = 0; I < Waits[L].size(); ++I)
      if (!Waits[L][I].Implied)
        Changer(Waits, L, I, All).all();
  return All;
}

std::vector<Relation> withoutHazard(const Relation &R, uint8_t Hazard) {
  std::vector<Relation> All;
  if (R.Full && (R.Hazards & Hazard)) {
    All.push_back(R);
    All.back().Hazards &= uint8_t(~Hazard);
  }
  for (size_t I = 0; I < R.Pieces.size(); ++I)
    if (R.Pieces[I].Hazards & Hazard) {
      All.push_back(R);
      All.back().Pieces[I].Hazards &= uint8_t(~Hazard);
    }
  for (size_t I = 0; R.List && I < R.List->Runs.size(); ++I)
    if (R.List->Hazards[I] & Hazard) {
      BlockList Less = *R.List;
      Less.Hazards[I] &= uint8_t(~Hazard);
      All.push_back(R);
      All.back().List = std::make_shared<const BlockList>(std::move(Less));
    }
  return All;
}

} // namespace blockmaestro::test
