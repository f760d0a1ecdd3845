// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bound.h"

#include <algorithm>
#include <iterator>

namespace blockmaestro::sim {
namespace {

/// What a block takes by itself.
uint64_t leastNs(const WorkLaunch &Of, uint32_t Block) {
  uint64_t Ns = Of.DurationNs[Block];
  if (!Of.IssueNs.empty())
    Ns = std::max(
        {Ns, uint64_t(Of.IssueNs[Block]), uint64_t(Of.MemoryNs[Block])});
  return Ns;
}

/// The use of each resource, in nanoseconds of all there is of it.
class Area {
public:
  explicit Area(const Machine &On) : On(On) {}

  void add(const WorkLaunch &Of) {
    const double Sms = On.Sms;
    double Ns = 0;
    for (uint32_t Block = 0; Block < Of.Blocks; ++Block)
      Ns += double(leastNs(Of, Block));
    if (Of.IsCopy) {
      if (Of.queues())
        Queues[size_t(Of.Path)] += Ns;
      return;
    }
    Places += Ns / Sms / On.BlocksPerSm;
    Threads += Ns * Of.Threads / Sms / On.ThreadsPerSm;
    if (Of.SharedBytes)
      Shared += Ns * Of.SharedBytes / Sms / On.SharedBytesPerSm;
    for (float Each : Of.IssueNs)
      Issue += double(Each) / Sms;
    for (float Each : Of.MemoryNs)
      Memory += double(Each);
  }

  uint64_t ns() const {
    return uint64_t(
        std::max({Places, Threads, Shared, Issue, Memory,
                  *std::max_element(std::begin(Queues), std::end(Queues))}));
  }

private:
  const Machine &On;
  double Places = 0, Threads = 0, Shared = 0, Issue = 0, Memory = 0;
  double Queues[CopyQueues] = {};
};

/// The longest chain of blocks that need each other, launch by launch.
class CriticalPath {
public:
  CriticalPath(const Workload &What, uint32_t First)
      : What(What), First(First) {}

  void add(uint32_t Launch) {
    const WorkLaunch &L = What.Launches[Launch];
    std::vector<uint64_t> &End = Ends.emplace_back(L.Blocks);
    for (uint32_t Index : L.In)
      if (const WorkRelation &R = What.Relations[Index]; R.Producer >= First)
        after(R, End);
    for (uint32_t Block = 0; Block < L.Blocks; ++Block)
      End[Block] += leastNs(L, Block);
    Longest = std::max(Longest, *std::max_element(End.begin(), End.end()));
  }

  uint64_t ns() const { return Longest; }

private:
  /// Blocks begin when those they need have ended.
  void after(const WorkRelation &R, std::vector<uint64_t> &Begin) const {
    const Expansion &E = What.Expansions[R.Expanded];
    const std::vector<uint64_t> &Parents = Ends[R.Producer - First];
    if (E.KernelLevel) {
      const uint64_t Last = *std::max_element(Parents.begin(), Parents.end());
      for (uint64_t &Each : Begin)
        Each = std::max(Each, Last);
      return;
    }
    if (E.independent())
      return;
    for (uint32_t Parent = 0; Parent < Parents.size(); ++Parent)
      for (const uint32_t *C = E.begin(Parent); C != E.end(Parent); ++C)
        Begin[*C] = std::max(Begin[*C], Parents[Parent]);
  }

  const Workload &What;
  const uint32_t First;
  std::vector<std::vector<uint64_t>> Ends; ///< From First on.
  uint64_t Longest = 0;
};

} // namespace

Bound lowerBound(const Workload &What, const Machine &On) {
  Bound Out;
  const auto Count = uint32_t(What.Launches.size());
  for (uint32_t First = 0, Next = 0; First < Count; First = Next) {
    CriticalPath Path(What, First);
    Area Used(On);
    do {
      Path.add(Next);
      Used.add(What.Launches[Next]);
    } while (++Next < Count && !What.Launches[Next].Barrier);
    Out.CriticalPathNs += Path.ns();
    Out.AreaNs += Used.ns();
    Out.Ns += std::max(Path.ns(), Used.ns());
  }
  return Out;
}

} // namespace blockmaestro::sim
