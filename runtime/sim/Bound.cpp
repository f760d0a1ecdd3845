// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bound.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>

namespace blockmaestro::sim {
namespace {

/// What a block takes by itself.
uint64_t leastNs(const WorkLaunch &Of, uint32_t Block) {
  const uint64_t Ns = Of.DurationNs[Block];
  if (Of.IssueNs.empty())
    return Ns;
  const uint64_t Shared =
      uint64_t(std::max(Of.IssueNs[Block], Of.MemoryNs[Block]));
  return Of.SharesLast ? Ns + Shared : std::max(Ns, Shared);
}

/// The use of something of which each SM has a capacity and blocks take a part.
///
/// Note [What fits beside each other]: of blocks that take 768 of 2,048 threads
/// an SM holds two, so that each uses half of it, not three eighths. For blocks
/// of several sizes one may not add such halves: two of 768 and one of 512 fit.
/// What one may add, for any K, is the part u(x) of a block that takes x of
/// all:
///   u(x) = x where (K + 1) x is whole, else floor((K + 1) x) / K,
/// since u is at most 1 in sum over blocks whose x is at most 1 in sum (dual
/// feasible functions: Fekete and Schepers, 2001). With K the blocks of one
/// size that fit it is 1 / K of these. The largest use over all K counts.
class PartUse {
public:
  PartUse(uint64_t Capacity, uint32_t MostBlocks)
      : Capacity(Capacity), Use(MostBlocks + 1) {}

  void add(uint64_t Size, double Ns) {
    for (size_t K = 0; K < Use.size(); ++K)
      Use[K] += Ns * part(Size, K);
  }

  double ns() const { return *std::max_element(Use.begin(), Use.end()); }

private:
  double part(uint64_t Size, uint64_t K) const {
    const uint64_t Scaled = Size * (K + 1);
    return K == 0 || Scaled % Capacity == 0
               ? double(Size) / double(Capacity)
               : double(Scaled / Capacity) / double(K);
  }

  const uint64_t Capacity;
  std::vector<double> Use; ///< For each K; for 0 of the sizes as they are.
};

/// The use of each resource, in nanoseconds of all there is of it.
class Area {
public:
  explicit Area(const Machine &On)
      : On(On), Threads(On.ThreadsPerSm, On.BlocksPerSm),
        Shared(std::max(1u, On.SharedBytesPerSm), On.BlocksPerSm),
        Registers(On.RegistersPerSm, On.BlocksPerSm) {}

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
    Threads.add(Of.Threads, Ns / Sms);
    Shared.add(Of.SharedBytes, Ns / Sms);
    Registers.add(Of.Registers, Ns / Sms);
    if (Of.IssueNs.empty())
      return;
    for (uint32_t Block = 0; Block < Of.Blocks; ++Block) {
      Issue += double(Of.IssueNs[Block]) / Sms;
      Memory += double(Of.MemoryNs[Block]);
    }
  }

  uint64_t ns() const {
    return uint64_t(std::max(
        {Places, Threads.ns(), Shared.ns(), Registers.ns(), Issue, Memory,
         *std::max_element(std::begin(Queues), std::end(Queues))}));
  }

private:
  const Machine &On;
  PartUse Threads, Shared, Registers;
  double Places = 0, Issue = 0, Memory = 0;
  double Queues[CopyQueues] = {};
};

/// The largest of any run of numbers, in logarithmic time.
class LargestOfRun {
public:
  explicit LargestOfRun(const std::vector<uint64_t> &Numbers)
      : Count(Numbers.size()), Tree(2 * Numbers.size()) {
    std::copy(Numbers.begin(), Numbers.end(), Tree.begin() + Count);
    for (size_t I = Count; I-- > 1;)
      Tree[I] = std::max(Tree[2 * I], Tree[2 * I + 1]);
  }

  uint64_t of(BlockRun Run) const {
    uint64_t Out = 0;
    for (size_t Low = Count + Run.First, High = Count + Run.Last + 1;
         Low < High; Low /= 2, High /= 2) {
      if (Low % 2)
        Out = std::max(Out, Tree[Low++]);
      if (High % 2)
        Out = std::max(Out, Tree[--High]);
    }
    return Out;
  }

private:
  const ptrdiff_t Count;
  std::vector<uint64_t>
      Tree; ///< Of Count leaves, and above each two their larger.
};

/// The longest chain of blocks that need each other, launch by launch.
class CriticalPath {
public:
  CriticalPath(const Workload &What, uint32_t First)
      : What(What), First(First) {}

  /// The launch is not issued before Soonest.
  void add(uint32_t Launch, uint64_t Soonest) {
    const WorkLaunch &L = What.Launches[Launch];
    std::vector<uint64_t> &End = Ends.emplace_back(L.Blocks, Soonest);
    for (uint32_t Index : L.In)
      if (const WorkRelation &R = What.Relations[Index]; R.Producer >= First) {
        after(R, End);
        if (What.Launches[R.Producer].Out.back() == Index)
          Ends[R.Producer - First] = {};
      }
    for (uint32_t Block = 0; Block < L.Blocks; ++Block)
      End[Block] += leastNs(L, Block);
    if (L.takesTime())
      Longest = std::max(Longest, *std::max_element(End.begin(), End.end()));
    if (L.HostReads)
      Seen = std::max(Seen, End[0]);
    if (L.Out.empty())
      End = {};
  }

  uint64_t ns() const { return Longest; }

  /// When the copies that the host read had ended.
  uint64_t seen() const { return Seen; }

private:
  /// Blocks begin when those they need have ended.
  void after(const WorkRelation &R, std::vector<uint64_t> &Begin) const {
    const Expansion &E = What.Expansions[R.Expanded];
    const std::vector<uint64_t> &Parents = Ends[R.Producer - First];
    if (E.hasRuns())
      afterRuns(E, LargestOfRun(Parents), Begin);
    else if (E.KernelLevel)
      afterAll(Parents, Begin);
    else if (!E.independent())
      afterEach(E, Parents, Begin);
  }

  static void afterRuns(const Expansion &E, const LargestOfRun &Parents,
                        std::vector<uint64_t> &Begin) {
    for (size_t Child = 0; Child < Begin.size(); ++Child)
      for (uint32_t I = E.RunBegin[Child]; I < E.RunBegin[Child + 1]; ++I)
        Begin[Child] = std::max(Begin[Child], Parents.of(E.Runs[I]));
  }

  static void afterAll(const std::vector<uint64_t> &Parents,
                       std::vector<uint64_t> &Begin) {
    const uint64_t Last = *std::max_element(Parents.begin(), Parents.end());
    for (uint64_t &Each : Begin)
      Each = std::max(Each, Last);
  }

  static void afterEach(const Expansion &E,
                        const std::vector<uint64_t> &Parents,
                        std::vector<uint64_t> &Begin) {
    for (uint32_t Parent = 0; Parent < Parents.size(); ++Parent)
      for (uint32_t Child : E.childrenOf(Parent))
        Begin[Child] = std::max(Begin[Child], Parents[Parent]);
  }

  const Workload &What;
  const uint32_t First;
  /// From First on; empty where no later launch needs them.
  std::vector<std::vector<uint64_t>> Ends;
  uint64_t Longest = 0;
  uint64_t Seen = 0;
};

/// When the host can ask for launches at the soonest, counted from where a part
/// begins: after it computed, and read the copies that it waited for. Of a
/// thread that is not known to be there when a part begins nothing is known.
class HostPath {
public:
  explicit HostPath(const Workload &What)
      : What(What), Next(What.HostTakesTime ? What.HostCalls.begin()
                                            : What.HostCalls.end()) {}

  /// All threads are there when the first part begins, later those that wait
  /// for all before it.
  void beginPart(uint32_t First) {
    Clocks.clear();
    AllBegin = First == 0;
    for (; isWait(); ++Next)
      if (Next->Launch == First)
        Clocks[Next->Thread] = 0;
  }

  /// The next launch, before which copies were read that have ended at Seen.
  uint64_t asks(uint32_t Launch, uint64_t Seen) {
    for (; isWait(); ++Next)
      if (Next->Launch == Launch && What.Launches[Launch - 1].HostReads &&
          isKnown(Next->Thread))
        Clocks[Next->Thread] = std::max(Clocks[Next->Thread], Seen);
    if (Next == What.HostCalls.end())
      return Seen;
    const HostCall &Mine = *Next++;
    return isKnown(Mine.Thread) ? std::max(Seen, Clocks[Mine.Thread] += Mine.Ns)
                                : Seen;
  }

private:
  bool isWait() const { return Next != What.HostCalls.end() && Next->Waits; }
  bool isKnown(uint32_t Thread) const {
    return AllBegin || Clocks.contains(Thread);
  }

  const Workload &What;
  std::vector<HostCall>::const_iterator Next;
  std::unordered_map<uint32_t, uint64_t> Clocks;
  bool AllBegin = true;
};

} // namespace

/// Of the launches from First on, before Next. What is issued after the host
/// read a copy begins when that has ended at the soonest.
static Bound boundOfPart(const Workload &What, const Machine &On, HostPath &By,
                         uint32_t First, uint32_t Next) {
  CriticalPath Path(What, First);
  std::vector<uint64_t> Soonest;
  By.beginPart(First);
  for (uint32_t Launch = First; Launch < Next; ++Launch) {
    Soonest.push_back(By.asks(Launch, Path.seen()));
    Path.add(Launch, Soonest.back());
  }
  Bound Out;
  Out.CriticalPathNs = Path.ns();
  Area Used(On);
  uint64_t Least = ~uint64_t(0);
  for (uint32_t I = Next - First; I-- > 0;) {
    if (!What.Launches[First + I].takesTime())
      continue;
    Used.add(What.Launches[First + I]);
    Least = std::min(Least, Soonest[I]);
    Out.AreaNs = std::max(Out.AreaNs, Least + Used.ns());
  }
  Out.Ns = std::max(Out.CriticalPathNs, Out.AreaNs);
  return Out;
}

Bound lowerBound(const Workload &What, const Machine &On) {
  Bound Out;
  HostPath Host(What);
  const auto Count = uint32_t(What.Launches.size());
  for (uint32_t First = 0, Next = 0; First < Count; First = Next) {
    do
      ++Next;
    while (Next < Count && !What.Launches[Next].Fence);
    const Bound Part = boundOfPart(What, On, Host, First, Next);
    Out.CriticalPathNs += Part.CriticalPathNs;
    Out.AreaNs += Part.AreaNs;
    Out.Ns += Part.Ns;
  }
  return Out;
}

} // namespace blockmaestro::sim
