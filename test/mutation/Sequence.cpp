// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sequence.h"

#include "FootprintText.h"
#include "Oracle.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace blockmaestro::test {

namespace {

constexpr unsigned ReadBit = 1, WriteBit = 2;

unsigned bitsOf(AccessKind Kind) {
  return (Kind != AccessKind::Write ? ReadBit : 0) |
         (Kind != AccessKind::Read ? WriteBit : 0);
}

/// What the tasks do at one byte: ascending by task, each once.
using Marks = std::vector<std::pair<uint32_t, unsigned>>;

void addMark(Marks &To, uint32_t Task, unsigned Bits) {
  for (auto &[Known, Old] : To)
    if (Known == Task) {
      Old |= Bits;
      return;
    }
  To.push_back({Task, Bits});
}

/// Notes what every task touches, bytes of equal marks as one location.
void fillTouches(Sequence &S, const std::vector<const Case *> &Cases) {
  std::unordered_map<uint64_t, Marks> Bytes;
  for (uint32_t L = 0; L < Cases.size(); ++L)
    for (size_t A = 0; A < Cases[L]->Accesses.size(); ++A)
      for (const auto &[Byte, Block] : touchesOf(*Cases[L], A))
        addMark(Bytes[Byte], S.First[L] + uint32_t(Block),
                bitsOf(Cases[L]->Accesses[A].Kind));
  std::map<Marks, uint32_t> Known;
  for (auto &[Byte, Mine] : Bytes) {
    std::sort(Mine.begin(), Mine.end());
    Known.emplace(std::move(Mine), 0);
  }
  S.Touches.resize(S.tasks());
  for (const auto &[Mine, Unused] : Known) {
    for (const auto &[Task, Bits] : Mine)
      S.Touches[Task].push_back(
          {S.Locations, (Bits & ReadBit) != 0, (Bits & WriteBit) != 0});
    ++S.Locations;
  }
}

} // namespace

Sequence sequenceOf(const std::vector<const Case *> &Cases,
                    const AllocationMap &Known, unsigned Depth) {
  Sequence S;
  S.Depth = Depth;
  S.First.push_back(0);
  Window InFlight(Depth);
  std::map<std::string, KernelRecord> Kernels;
  for (const Case *Each : Cases) {
    const KernelRecord Record = Each->kernel();
    const Launch L =
        Each->launch(Kernels.try_emplace(toText(Record), Record).first->second,
                     S.Grids.size());
    S.Grids.push_back(L.Grid);
    S.First.push_back(S.First.back() + uint32_t(L.Grid.count()));
    std::vector<Wait> &Mine = S.Waits.emplace_back();
    for (const Need &N : InFlight.admit(L, Known).Needs)
      Mine.push_back({N.Producer, N.Implied, N.How->What});
  }
  fillTouches(S, Cases);
  return S;
}

std::vector<TaskPair> truePairs(const Sequence &S) {
  struct Mark {
    uint32_t Task, Launch;
    bool Writes;
  };
  std::vector<std::vector<Mark>> At(S.Locations);
  for (uint32_t L = 0; L < S.launches(); ++L)
    for (uint32_t T = S.First[L]; T < S.First[L + 1]; ++T)
      for (const Touch &Each : S.Touches[T])
        At[Each.Location].push_back({T, L, Each.Writes});
  std::vector<TaskPair> All;
  for (const std::vector<Mark> &Marks : At)
    for (const Mark &C : Marks)
      for (const Mark &P : Marks)
        if (P.Launch < C.Launch && C.Launch - P.Launch <= S.Depth &&
            (P.Writes || C.Writes))
          All.push_back({C.Task, P.Task});
  std::sort(All.begin(), All.end());
  All.erase(std::unique(All.begin(), All.end()), All.end());
  return All;
}

std::vector<TaskPair> lost(const Sequence &S, const WaitLists &Waits,
                           const std::vector<TaskPair> &Pairs) {
  std::vector<std::vector<bool>> Before(S.tasks(),
                                        std::vector<bool>(S.tasks()));
  for (uint32_t L = 0; L < S.launches(); ++L)
    for (const Wait &W : Waits[L]) {
      if (W.Implied)
        continue;
      for (const auto &[C, P] : encodedPairsOf(W.What)) {
        std::vector<bool> &Mine = Before[S.First[L] + C];
        const uint32_t Producer = S.First[W.Producer] + uint32_t(P);
        Mine[Producer] = true;
        const std::vector<bool> &Theirs = Before[Producer];
        for (uint32_t T = 0; T < Producer; ++T)
          Mine[T] = Mine[T] || Theirs[T];
      }
    }
  std::vector<TaskPair> Out;
  for (const TaskPair &Each : Pairs)
    if (!Before[Each.first][Each.second])
      Out.push_back(Each);
  return Out;
}

} // namespace blockmaestro::test
