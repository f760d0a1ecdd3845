// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Statistics.h"

#include <algorithm>
#include <array>
#include <bit>

namespace blockmaestro::sim {

/// Where the number is, or is to be.
NumberCounts::Counted &NumberCounts::find(float Number) {
  const uint64_t Hash =
      std::bit_cast<uint32_t>(Number) * uint64_t(0x9e3779b97f4a7c15);
  for (size_t I = Hash >> (64 - Bits);; I = (I + 1) & (Table.size() - 1))
    if (Table[I].Count == 0 || Table[I].Number == Number)
      return Table[I];
}

void NumberCounts::grow() {
  Bits = std::max(10u, Bits + 1);
  const std::vector<Counted> Old =
      std::exchange(Table, std::vector<Counted>(size_t(1) << Bits));
  for (const Counted &Each : Old)
    if (Each.Count)
      find(Each.Number) = Each;
}

void NumberCounts::add(float Number) {
  if (2 * Used >= Table.size())
    grow();
  Counted &Found = find(Number);
  Used += Found.Count == 0;
  Found.Number = Number;
  ++Found.Count;
}

std::vector<std::pair<float, uint64_t>> NumberCounts::takeSorted() {
  std::vector<std::pair<float, uint64_t>> Out;
  for (const Counted &Each : Table)
    if (Each.Count)
      Out.push_back({Each.Number, Each.Count});
  *this = {};
  std::sort(Out.begin(), Out.end());
  return Out;
}

StallCollector::StallCollector(const Workload &What)
    : What(What), Ends(What.Launches.size()), LastEnd(What.Launches.size()) {}

/// Raises Satisfied of the blocks a relation makes wait to when their parents
/// had ended.
void StallCollector::satisfy(const WorkRelation &Relation) {
  const Expansion &E = What.Expansions[Relation.Expanded];
  if (E.KernelLevel) {
    for (uint64_t &Time : Satisfied)
      Time = std::max(Time, LastEnd[Relation.Producer]);
    std::fill(Dependent.begin(), Dependent.end(), 1);
    return;
  }
  const std::vector<uint64_t> &End = Ends[Relation.Producer];
  for (uint32_t Parent = 0; Parent < End.size(); ++Parent)
    for (uint32_t Child : E.childrenOf(Parent)) {
      Satisfied[Child] = std::max(Satisfied[Child], End[Parent]);
      Dependent[Child] = 1;
    }
}

void StallCollector::addRatios(const WorkLaunch &Of,
                               const std::vector<uint64_t> &Start,
                               const std::vector<uint64_t> &End) {
  if (Of.IsCopy)
    return;
  for (uint32_t Block = 0; Block < Of.Blocks; ++Block)
    if (Dependent[Block]) {
      ++Blocks;
      Ratios.add(float(double(Start[Block] - Satisfied[Block]) /
                       double(End[Block] - Start[Block])));
    }
}

void StallCollector::completed(uint32_t Launch,
                               const std::vector<uint64_t> &Start,
                               std::vector<uint64_t> &End, uint64_t Now) {
  const WorkLaunch &L = What.Launches[Launch];
  if (L.Barrier)
    BarrierTime = LastCompletion;
  Satisfied.assign(L.Blocks, BarrierTime);
  Dependent.assign(L.Blocks, 0);
  for (uint32_t Index : L.In)
    satisfy(What.Relations[Index]);
  addRatios(L, Start, End);
  LastEnd[Launch] = *std::max_element(End.begin(), End.end());
  if (!L.Out.empty())
    Ends[Launch].swap(End);
  for (uint32_t Index : L.In) {
    const uint32_t Producer = What.Relations[Index].Producer;
    if (What.Launches[Producer].Out.back() == Index)
      End = std::move(Ends[Producer]);
  }
  LastCompletion = Now;
}

StallDistribution StallCollector::distribution() {
  StallDistribution Out;
  Out.Blocks = Blocks;
  if (Blocks == 0)
    return Out;
  std::array<double, 5> Quartiles{};
  uint64_t Before = 0;
  size_t Quarter = 0;
  for (const auto &[Ratio, Count] : Ratios.takeSorted()) {
    Before += Count;
    while (Quarter < 5 && (Blocks - 1) * Quarter / 4 < Before)
      Quartiles[Quarter++] = double(Ratio);
  }
  Out.Least = Quartiles[0];
  Out.FirstQuartile = Quartiles[1];
  Out.Median = Quartiles[2];
  Out.ThirdQuartile = Quartiles[3];
  Out.Most = Quartiles[4];
  return Out;
}

} // namespace blockmaestro::sim
