// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Workload.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

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
                 const std::vector<std::vector<uint64_t>> &Ns) {
  for (size_t I = 0; I < Ns.size(); ++I) {
    if (std::find(Ns[I].begin(), Ns[I].end(), 0) == Ns[I].end())
      continue;
    if (Of.Truncated)
      return I;
    return refuse(Of.Launches[I],
                  How.From == DurationSource::Model
                      ? "not every block has a recorded cost; durations can "
                        "come from events or be uniform"
                      : "not every block has a recorded event");
  }
  return Ns.size();
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
  Expander(Workload &Out, uint32_t MaxParents)
      : Out(Out), MaxParents(MaxParents) {}

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
      Out.Expansions.push_back(expand(What, ConsumerGrid, MaxParents));
    return uint32_t(Where->second);
  }

private:
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
                         uint32_t, uint32_t, std::string>;
  Workload &Out;
  uint32_t MaxParents;
  std::map<Key, size_t> Known;
};

} // namespace

/// Attaches the relations among the launches kept that nothing implies, nearest
/// producer first; one whose parents no longer fit a block's counter waits for
/// the whole producer.
static void addRelations(const Recording &Of, const Machine &On,
                         Workload &Out) {
  std::vector<const RecordedRelation *> Sorted;
  for (const RecordedRelation &R : Of.Relations)
    if (R.Consumer < Out.Launches.size() && !R.Implied)
      Sorted.push_back(&R);
  std::sort(Sorted.begin(), Sorted.end(), [](auto *A, auto *B) {
    return std::tie(A->Consumer, B->Producer, A) <
           std::tie(B->Consumer, A->Producer, B);
  });
  Expander Expand(Out, On.maxParents());
  std::vector<uint32_t> Counted(Out.Launches.size());
  for (const RecordedRelation *R : Sorted) {
    WorkRelation W{uint32_t(R->Producer), uint32_t(R->Consumer),
                   Expand(*R, Of.Launches[R->Consumer].Grid), false};
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

Result<Workload> makeWorkload(const Recording &Of, const Machine &On,
                              const DurationChoice &How) {
  for (const RecordedLaunch &L : Of.Launches)
    if (Status Fits = checkFits(L, On); !Fits.ok())
      return Fits;
  std::vector<std::vector<uint64_t>> Ns = blockDurations(Of, On, How);
  Result<size_t> Keep = completeLaunches(Of, How, Ns);
  if (!Keep.ok())
    return Keep.status();
  Workload Out;
  Out.Window = Of.Window;
  Out.LaunchesLeftOut = uint32_t(Of.Launches.size() - *Keep);
  for (size_t I = 0; I < *Keep; ++I) {
    const RecordedLaunch &L = Of.Launches[I];
    WorkLaunch W;
    W.Kernel = L.Kernel;
    W.Blocks = uint32_t(L.Grid.count());
    W.Threads = uint32_t(L.Block.count());
    W.SharedBytes = L.SharedBytes;
    W.DurationNs = std::move(Ns[I]);
    Out.Launches.push_back(std::move(W));
  }
  for (const RecordedBarrier &B : Of.Barriers)
    if (B.BeforeLaunch < Out.Launches.size())
      Out.Launches[B.BeforeLaunch].Barrier = true;
  for (const RecordedCopy &C : Of.Copies)
    if (C.Before < Out.Launches.size())
      Out.Launches[C.Before].Barrier = true;
  for (const RecordedCost &C : Of.Costs)
    if (C.Launch < Out.Launches.size())
      Out.GlobalAccesses += C.Cost.globalAccesses();
  addRelations(Of, On, Out);
  return Out;
}

} // namespace blockmaestro::sim
