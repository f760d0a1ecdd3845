// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostWaits.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace blockmaestro {

namespace {

class WaitCollection {
public:
  WaitCollection(const DumpView &Of, const std::vector<LaunchSum> &Ran)
      : Of(Of), LastEnd(Ran.size() + 1, 0),
        FirstStart(Ran.size() + 1, ~uint64_t(0)) {
    for (size_t I = 0; I < Ran.size(); ++I)
      LastEnd[I + 1] = std::max(LastEnd[I], Ran[I].End);
    for (size_t I = Ran.size(); I > 0; --I)
      FirstStart[I - 1] = std::min(FirstStart[I], Ran[I - 1].Start);
  }

  std::vector<HostWait> collect() {
    for (const RecordedBarrier &B : Of.In.Barriers)
      if (B.HostWaits)
        add(B.Asked.Thread, B.What, B.BeforeLaunch, B.BeforeLaunch);
    for (const RecordedWait &W : Of.In.Waits)
      add(W.Asked.Thread, W.What, launchesAmong(W.Until), W.BeforeLaunch);
    const std::vector<uint64_t> Until = launchesOfCopies();
    for (const RecordedCopy &C : Of.In.Copies)
      if (C.HostWaits)
        add(C.Asked.Thread, C.Call, Until[C.Id], C.Before);
    std::sort(Out.begin(), Out.end(), [](const HostWait &A, const HostWait &B) {
      return std::tie(A.Begin, A.End, A.Thread, *A.What) <
             std::tie(B.Begin, B.End, B.Thread, *B.What);
    });
    return std::move(Out);
  }

private:
  /// For the first Until launches; launch Next is the first behind the wait.
  void add(uint32_t Thread, const std::string &What, uint64_t Until,
           uint64_t Next) {
    const uint64_t Begin = LastEnd[Until], Behind = FirstStart[Next];
    if (Begin == 0 || !Of.Launches.hasBefore(Next))
      return;
    const bool HasGap = Behind != ~uint64_t(0) && Behind > Begin;
    Out.push_back({Thread, &What, Begin, HasGap ? Behind : Begin});
  }

  /// How many of the first Nodes launches and copies, as they were issued, are
  /// launches.
  uint64_t launchesAmong(uint64_t Nodes) const {
    const auto &Copies = Of.In.Copies;
    const auto End = std::partition_point(
        Copies.begin(), Copies.end(),
        [&](const RecordedCopy &C) { return C.Before + C.Id < Nodes; });
    return Nodes - uint64_t(End - Copies.begin());
  }

  /// By copy: how many launches there are up to the last one that it has a
  /// relation to.
  std::vector<uint64_t> launchesOfCopies() const {
    std::vector<uint64_t> Until(Of.In.Copies.size());
    for (const RecordedRelation &R : Of.In.CopyRelations)
      if (R.ConsumerIsCopy && !R.ProducerIsCopy)
        Until[R.Consumer] = std::max(Until[R.Consumer], R.Producer + 1);
    return Until;
  }

  const DumpView &Of;
  std::vector<uint64_t> LastEnd;    ///< Of all launches before one.
  std::vector<uint64_t> FirstStart; ///< Of a launch and all behind it.
  std::vector<HostWait> Out;
};

} // namespace

std::vector<HostWait> hostWaits(const DumpView &Of,
                                const std::vector<LaunchSum> &Ran) {
  return WaitCollection(Of, Ran).collect();
}

} // namespace blockmaestro
