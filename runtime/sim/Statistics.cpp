// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Statistics.h"

#include <algorithm>

namespace blockmaestro::sim {

StallCollector::StallCollector(const Workload &What)
    : What(What), Ends(What.Launches.size()), LastEnd(What.Launches.size()) {
  for (const WorkRelation &R : What.Relations)
    Reach = std::max(Reach, R.Consumer - R.Producer);
}

/// Raises Satisfied of the blocks a relation makes wait to when their parents
/// had ended.
void StallCollector::satisfy(const WorkRelation &Relation,
                             std::vector<uint64_t> &Satisfied,
                             std::vector<uint8_t> &Dependent) const {
  const Expansion &E = What.Expansions[Relation.Expanded];
  if (E.KernelLevel) {
    for (uint64_t &Time : Satisfied)
      Time = std::max(Time, LastEnd[Relation.Producer]);
    std::fill(Dependent.begin(), Dependent.end(), 1);
    return;
  }
  const std::vector<uint64_t> &End = Ends[Relation.Producer];
  for (uint32_t Parent = 0; Parent < End.size(); ++Parent)
    for (const uint32_t *C = E.begin(Parent); C != E.end(Parent); ++C) {
      Satisfied[*C] = std::max(Satisfied[*C], End[Parent]);
      Dependent[*C] = 1;
    }
}

void StallCollector::completed(uint32_t Launch,
                               const std::vector<uint64_t> &Start,
                               std::vector<uint64_t> End, uint64_t Now) {
  const WorkLaunch &L = What.Launches[Launch];
  if (L.Barrier)
    BarrierTime = LastCompletion;
  std::vector<uint64_t> Satisfied(L.Blocks, BarrierTime);
  std::vector<uint8_t> Dependent(L.Blocks, 0);
  for (uint32_t Index : L.In)
    satisfy(What.Relations[Index], Satisfied, Dependent);
  for (uint32_t Block = 0; Block < L.Blocks; ++Block) {
    LastEnd[Launch] = std::max(LastEnd[Launch], End[Block]);
    if (Dependent[Block] && !L.IsCopy)
      Ratios.push_back(float(double(Start[Block] - Satisfied[Block]) /
                             double(End[Block] - Start[Block])));
  }
  Ends[Launch] = std::move(End);
  if (Launch >= Reach)
    Ends[Launch - Reach] = {};
  LastCompletion = Now;
}

StallDistribution StallCollector::distribution() {
  StallDistribution Out;
  Out.Blocks = Ratios.size();
  if (Ratios.empty())
    return Out;
  std::sort(Ratios.begin(), Ratios.end());
  auto At = [&](size_t Quarter) {
    return double(Ratios[(Ratios.size() - 1) * Quarter / 4]);
  };
  Out.Least = At(0);
  Out.FirstQuartile = At(1);
  Out.Median = At(2);
  Out.ThirdQuartile = At(3);
  Out.Most = At(4);
  return Out;
}

} // namespace blockmaestro::sim
