// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnownOrders.h"

#include <algorithm>
#include <chrono>

namespace blockmaestro {

/// How many works that are not free have other arguments; more than Most are
/// not counted.
size_t KnownOrders::Case::differing(std::span<const HeldWork> From,
                                    size_t Most) const {
  size_t Count = 0;
  for (size_t I = 0; I < From.size() && Count <= Most; ++I)
    Count += !Free[I] && From[I].costAfter(Works[I]) != 0;
  return Count;
}

void KnownOrders::Case::forgetAnswer() {
  Asked = false;
  Coming = {};
  Found = nullptr;
}

void KnownOrders::Case::free(std::span<const HeldWork> ByThese) {
  for (size_t I = 0; I < ByThese.size(); ++I)
    if (ByThese[I].costAfter(Works[I]) != 0)
      Free[I] = true;
  Times = 0;
  forgetAnswer();
}

/// The case that differs least, and by how much; of the same the one that is
/// likely. Null where every case differs in more than half of the works.
KnownOrders::Case *KnownOrders::nearest(std::span<const HeldWork> Works,
                                        size_t &Differing) {
  Case *Best = nullptr;
  size_t Most = Works.size() / 2;
  for (size_t I = 0; I < Cases.size(); ++I) {
    const size_t At = (Next + I) % Cases.size();
    const size_t Count = Cases[At].differing(Works, Most);
    if (Count > Most || (Best && Count == Most))
      continue;
    Best = &Cases[At];
    Differing = Most = Count;
    Next = At + 1;
    if (Count == 0)
      break;
  }
  return Best;
}

/// Remembers works that are like none, in place of what was used longest ago.
void KnownOrders::remember(std::span<const HeldWork> Works) {
  if (++InVain >= MostInVain)
    return giveUpWithoutAny();
  if (Cases.size() < MostCases)
    Cases.emplace_back();
  else
    std::swap(Cases.back(), *std::min_element(Cases.begin(), Cases.end(),
                                              [](const Case &A, const Case &B) {
                                                return A.UsedAt < B.UsedAt;
                                              }));
  Case &New = Cases.back() = Case();
  New.Works = std::vector<HeldWork>(Works.size());
  for (size_t I = 0; I < Works.size(); ++I)
    New.Works[I].copy(Works[I].work());
  New.Free.assign(Works.size(), false);
  New.Times = 1;
  New.UsedAt = Now;
}

/// What fills the device keeps its place as what is free does.
void KnownOrders::ask(Case &About, const Source &From) {
  std::vector<GpuWork> Works;
  std::vector<bool> InPlace = About.Free;
  for (const HeldWork &Each : About.Works) {
    if (From.Fills(Each.work()))
      InPlace[Works.size()] = true;
    Works.push_back(Each.work());
  }
  About.Asked = true;
  About.Version = From.By.version();
  InVain += AskedInVain;
  About.Coming = From.Maker.find(From.By.orderOf(Works, InPlace));
}

/// Takes the answer where it is there.
void KnownOrders::hear(Case &About) {
  if (!isReady(About.Coming))
    return;
  ChainOrder Order = About.Coming.get();
  if (Order.length() != Order.Behind.size())
    About.Found = std::make_shared<const ChainOrder>(std::move(Order));
}

/// Forgets all cases where none has an order, nor may get one.
void KnownOrders::giveUpWithoutAny() {
  if (InVain < MostInVain)
    return;
  const auto MayHaveOne = [this](Case &Each) {
    hear(Each);
    return Each.Found || Each.Coming.valid();
  };
  if (std::none_of(Cases.begin(), Cases.end(), MayHaveOne))
    Cases.clear();
}

size_t KnownOrders::remembered() const {
  return Cases.empty() ? 0 : Cases.size() * Cases.front().Works.size();
}

std::shared_ptr<const ChainOrder>
KnownOrders::find(std::span<const HeldWork> Works, const Source &From) {
  constexpr unsigned Often = 2;
  if (hasGivenUp() || Works.size() > ChainOrder::MostWorks)
    return nullptr;
  ++Now;
  size_t Differing = 0;
  Case *Known = nearest(Works, Differing);
  if (!Known) {
    remember(Works);
    return nullptr;
  }
  Known->UsedAt = Now;
  if (Differing != 0) {
    Known->free(Works);
    return nullptr;
  }
  hear(*Known);
  if (Known->Asked && Known->Version != From.By.version())
    Known->forgetAnswer();
  if (++Known->Times >= Often && !Known->Asked && InVain < MostInVain)
    ask(*Known, From);
  if (Known->Found)
    InVain = 0;
  return Known->Found;
}

} // namespace blockmaestro
