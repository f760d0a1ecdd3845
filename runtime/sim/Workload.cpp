// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workload.h"

#include "Edges.h"
#include "blockmaestro/BlockGraph.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

namespace blockmaestro::sim {

static Status refuse(const RecordedLaunch &What, const std::string &Why) {
  return Status(StatusCode::Unsupported, "launch " + std::to_string(What.Id) +
                                             " (" + What.Kernel + "): " + Why);
}

static Status checkFits(const RecordedLaunch &What, const Machine &On) {
  if (What.Grid.count() > MaxBlocks)
    return refuse(What, "has more than " + std::to_string(MaxBlocks) +
                            " blocks, too many to simulate");
  if (blocksPerSm(What, On) == 0)
    return refuse(What, "a block of " + std::to_string(What.Block.count()) +
                            " threads and " + std::to_string(What.SharedBytes) +
                            " shared bytes does not fit an SM of " + On.Name);
  return Status();
}

/// How many launches from the first on have all their durations. In a whole
/// recording that must be all of them.
static Result<size_t>
completeLaunches(const Recording &Of, const DurationChoice &How,
                 const std::vector<LaunchDurations> &Durations) {
  for (size_t I = 0; I < Durations.size(); ++I) {
    if (!Durations[I].Ns.contains(0))
      continue;
    if (Of.Truncated)
      return I;
    return refuse(Of.Launches[I],
                  How.From != DurationSource::Events
                      ? "not every block has a recorded cost; durations can "
                        "come from events or be uniform"
                      : "not every block has a recorded event");
  }
  return Durations.size();
}

namespace {

template <typename T>
void append(std::string &To, const std::vector<T> &Values) {
  To.append(reinterpret_cast<const char *>(Values.data()),
            Values.size() * sizeof(T));
}

/// Expands each distinct relation once.
class Expander {
public:
  Expander(Workload &Out, const Machine &On) : Out(Out), On(On) {}

  uint32_t operator()(const RecordedRelation &What, Dim3 ConsumerGrid) {
    std::string Contents;
    append(Contents, What.Pieces);
    if (What.List) {
      append(Contents, What.List->Begin);
      append(Contents, What.List->Runs);
    }
    auto Key = std::make_tuple(What.Header.Kind, What.Header.ProducerGrid[0],
                               What.Header.ProducerGrid[1],
                               What.Header.ProducerGrid[2], ConsumerGrid.X,
                               ConsumerGrid.Y, ConsumerGrid.Z, Contents);
    auto [Where, New] = Known.try_emplace(Key, Out.Expansions.size());
    if (New)
      add(What, ConsumerGrid);
    return uint32_t(Where->second);
  }

private:
  void add(const RecordedRelation &What, Dim3 ConsumerGrid) {
    Out.Expansions.push_back(expand(What, ConsumerGrid, On.maxParents()));
    const bool Decodes = On.ClosedFormsDecode && Out.Expansions.back().Decodes;
    Out.Patterns.push_back(Decodes ? patternName(viewOf(What, ConsumerGrid))
                                   : "");
  }

  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                         uint32_t, uint32_t, std::string>;
  Workload &Out;
  const Machine &On;
  std::map<Key, size_t> Known;
};

/// Where launches and copies stand among both, in the order issued.
struct Places {
  std::vector<uint32_t> OfLaunch;
  std::vector<uint32_t> OfCopy; ///< Of those that are kept.

  Places(const Recording &Of, size_t Launches) {
    uint32_t Next = 0;
    for (size_t I = 0; I <= Launches; ++I) {
      while (OfCopy.size() < Of.Copies.size() &&
             Of.Copies[OfCopy.size()].Before <= I)
        OfCopy.push_back(Next++);
      if (I < Launches)
        OfLaunch.push_back(Next++);
    }
  }

  size_t count() const { return OfLaunch.size() + OfCopy.size(); }
  /// Past the last one where it is not kept.
  size_t of(uint64_t Number, bool IsCopy) const {
    const std::vector<uint32_t> &Among = IsCopy ? OfCopy : OfLaunch;
    return Number < Among.size() ? Among[Number] : count();
  }
  /// Of the first that comes behind a barrier, or a wait.
  template <typename T> size_t behind(const T &Of) const {
    return std::min(of(Of.BeforeLaunch, /*IsCopy=*/false),
                    of(Of.BeforeCopy, /*IsCopy=*/true));
  }
};

} // namespace

/// Attaches the relations among what is kept that nothing implies, nearest
/// producer first; one whose parents no longer fit a block's counter waits for
/// the whole producer.
static void addRelations(const Recording &Of, const Machine &On,
                         const Places &At, Workload &Out) {
  struct Placed {
    size_t Producer, Consumer;
    const RecordedRelation *What;
    size_t Number; ///< As recorded.
  };
  std::vector<Placed> Sorted;
  for (const auto *Among : {&Of.Relations, &Of.CopyRelations})
    for (const RecordedRelation &R : *Among) {
      const Placed Next = {At.of(R.Producer, R.ProducerIsCopy),
                           At.of(R.Consumer, R.ConsumerIsCopy), &R,
                           Sorted.size()};
      if (Next.Producer < Next.Consumer && Next.Consumer < At.count() &&
          !R.Implied)
        Sorted.push_back(Next);
    }
  std::sort(Sorted.begin(), Sorted.end(), [](const auto &A, const auto &B) {
    return std::tie(A.Consumer, B.Producer, A.Number) <
           std::tie(B.Consumer, A.Producer, B.Number);
  });
  Expander Expand(Out, On);
  std::vector<uint32_t> Counted(Out.Launches.size());
  for (const auto &[Producer, Consumer, What, Number] : Sorted) {
    const Dim3 Grid =
        What->ConsumerIsCopy ? Dim3{1, 1, 1} : Of.Launches[What->Consumer].Grid;
    WorkRelation W{uint32_t(Producer), uint32_t(Consumer), Expand(*What, Grid),
                   false};
    const Expansion &E = Out.Expansions[W.Expanded];
    uint32_t Sum = Counted[W.Consumer] + E.MostParents;
    W.KernelLevel = E.KernelLevel || Sum > On.maxParents();
    if (!W.KernelLevel)
      Counted[W.Consumer] = Sum;
    Out.Launches[W.Consumer].In.push_back(uint32_t(Out.Relations.size()));
    Out.Launches[W.Producer].Out.push_back(uint32_t(Out.Relations.size()));
    Out.Relations.push_back(W);
  }
}

static WorkLaunch workOf(const RecordedLaunch &What, LaunchDurations Durations,
                         const Machine &On) {
  WorkLaunch Out;
  Out.Kernel = What.Kernel;
  Out.Blocks = uint32_t(What.Grid.count());
  Out.Threads = uint32_t(What.Block.count());
  Out.SharedBytes = What.SharedBytes;
  Out.Registers = registersPerBlock(What, On);
  Out.DurationNs = std::move(Durations.Ns);
  Out.IssueNs = std::move(Durations.IssueNs);
  Out.MemoryNs = std::move(Durations.MemoryNs);
  Out.SharesLast = Durations.SharesLast;
  return Out;
}

static WorkLaunch workOf(const RecordedCopy &What, const Machine &On) {
  WorkLaunch Out;
  Out.Kernel = What.Call;
  Out.IsCopy = true;
  Out.Path = pathOf(What);
  Out.HostReads = What.HostWaits && Out.Path == CopyPath::ToHost;
  Out.Blocks = 1;
  Out.DurationNs = {copyNs(What, Out.Path, On)};
  return Out;
}

/// What comes next waits for all before it.
static void addBarrier(Workload &To, size_t Next, bool Fence,
                       bool Firm = true) {
  if (Next >= To.Launches.size())
    return;
  To.Launches[Next].Barrier = true;
  To.Launches[Next].Fence |= Fence;
  To.Launches[Next].Firm |= Firm;
}

/// Where the host waited, and around copies of which nobody knows what they
/// touch.
static void addBarriers(const Recording &Of, const Places &At, Workload &Out) {
  for (const RecordedBarrier &Each : Of.Barriers)
    addBarrier(Out, At.behind(Each), Each.HostWaits);
  for (size_t I = 0; I < At.OfCopy.size(); ++I) {
    const bool Known = !Of.Copies[I].Ranges.empty() ||
                       Of.Copies[I].Call.starts_with("cudaEvent");
    if (!Known)
      addBarrier(Out, At.OfCopy[I], /*Fence=*/true);
    if (!Known || Of.Copies[I].HostWaits)
      addBarrier(Out, At.OfCopy[I] + 1, /*Fence=*/!Known,
                 /*Firm=*/!Known || Out.Launches[At.OfCopy[I]].HostReads);
  }
}

namespace {

/// What the threads of the host do, each of which begins with its first call.
class RecordedCalls {
public:
  RecordedCalls(const Recording &Of, const Places &At) : Of(Of), At(At) {
    for (size_t Launch = 0, Copy = 0; Node < At.count(); ++Node) {
      addWaits();
      if (Copy < At.OfCopy.size() && At.OfCopy[Copy] == Node)
        addCopy(Of.Copies[Copy++]);
      else
        add(Of.Launches[Launch++].Asked, Node, /*Waits=*/false);
    }
  }

  std::vector<HostCall> All;

private:
  void addCopy(const RecordedCopy &What) {
    add(What.Asked, Node, /*Waits=*/false);
    if (What.HostWaits)
      add(What.Asked, Node + 1, /*Waits=*/true);
  }

  /// In front of the next node, those of a thread in their order.
  void addWaits() {
    using ThreadNsUntil = std::tuple<uint32_t, uint64_t, size_t>;
    std::vector<ThreadNsUntil> Found;
    for (; isNext(Of.Barriers, Barrier); ++Barrier)
      if (const RecordedBarrier &B = Of.Barriers[Barrier]; B.HostWaits)
        Found.push_back({B.Asked.Thread, B.Asked.Ns, Node});
    for (; isNext(Of.Waits, Wait); ++Wait) {
      const RecordedWait &W = Of.Waits[Wait];
      Found.push_back({W.Asked.Thread, W.Asked.Ns, W.Until});
    }
    std::sort(Found.begin(), Found.end());
    for (const auto &[Thread, Ns, Until] : Found)
      add({Thread, Ns}, Until, /*Waits=*/true);
  }

  template <typename T>
  bool isNext(const std::vector<T> &All, size_t Number) const {
    return Number < All.size() && At.behind(All[Number]) <= Node;
  }

  void add(const HostTime &When, size_t Launch, bool Waits) {
    const uint64_t Before = std::exchange(
        Computed.try_emplace(When.Thread, When.Ns).first->second, When.Ns);
    All.push_back({When.Thread, When.Ns - Before, uint32_t(Launch), Waits});
  }

  const Recording &Of;
  const Places &At;
  size_t Node = 0, Barrier = 0, Wait = 0;
  std::map<uint32_t, uint64_t> Computed; ///< By each thread, so far.
};

} // namespace

Result<Workload> makeWorkload(const Recording &Of, const Machine &On,
                              const DurationChoice &How, HostSource Host) {
  for (const RecordedLaunch &L : Of.Launches)
    if (Status Fits = checkFits(L, On); !Fits.ok())
      return Fits;
  std::vector<LaunchDurations> Durations = blockDurations(Of, On, How);
  Result<size_t> Keep = completeLaunches(Of, How, Durations);
  if (!Keep.ok())
    return Keep.status();
  const Places At(Of, *Keep);
  Workload Out;
  Out.Window = Of.Window;
  Out.LaunchesLeftOut = uint32_t(Of.Launches.size() - *Keep);
  Out.Copies = uint32_t(At.OfCopy.size());
  Out.Launches.resize(At.count());
  for (size_t I = 0; I < *Keep; ++I) {
    Out.Launches[At.OfLaunch[I]] =
        workOf(Of.Launches[I], std::move(Durations[I]), On);
    Out.WithoutRegisters += registersPerThread(Of.Launches[I]) == 0;
  }
  for (size_t I = 0; I < At.OfCopy.size(); ++I)
    Out.Launches[At.OfCopy[I]] = workOf(Of.Copies[I], On);
  for (const RecordedCost &C : Of.Costs)
    if (C.Launch < *Keep)
      Out.GlobalAccesses += C.Cost.globalAccesses();
  addBarriers(Of, At, Out);
  Out.HostCalls = RecordedCalls(Of, At).All;
  Out.HostTakesTime = Host == HostSource::Recorded;
  if (!Out.HostTakesTime)
    for (HostCall &Each : Out.HostCalls)
      Each.Ns = 0;
  addRelations(Of, On, At, Out);
  return Out;
}

} // namespace blockmaestro::sim
