// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingSums.h"

#include "RecordingStream.h"

#include <algorithm>

namespace blockmaestro {

/// Adds what the blocks of a chunk did to their launches.
static void addBlocks(const Recording &Part, std::vector<LaunchSum> &To) {
  for (const Event &E : Part.Events) {
    LaunchSum &S = To[E.Launch];
    ++S.Events;
    S.Start = std::min(S.Start, E.Start);
    S.End = std::max(S.End, E.End);
    S.BlockNs += E.End - E.Start;
  }
  for (const RecordedCost &C : Part.Costs) {
    LaunchSum &S = To[C.Launch];
    ++S.Costs;
    for (const CostField &F : CostFields)
      S.Cost.*F.Value += C.Cost.*F.Value;
  }
}

/// Adds the number of entries of a list, which is empty behind that.
template <typename T> static void count(T &List, uint64_t &To) {
  To += List.size();
  List = T();
}

Result<RecordingSums> sumUp(const std::string &File) {
  Result<RecordingStream> Stream = RecordingStream::open(File);
  if (!Stream.ok())
    return Stream.status();
  RecordingSums Out;
  Recording &What = Out.What;
  for (;;) {
    Result<bool> More = Stream->next(What);
    if (!More.ok())
      return More.status();
    if (!*More)
      return Out;
    Out.Launches.resize(What.Launches.size());
    addBlocks(What, Out.Launches);
    count(What.Relations, Out.Relations);
    count(What.Copies, Out.Copies);
    count(What.CopyRelations, Out.CopyRelations);
    count(What.Barriers, Out.Barriers);
    count(What.Events, Out.Events);
    count(What.Costs, Out.Costs);
    count(What.Observations, Out.Observations);
    count(What.Traces, Out.Traces);
    What.Waits.clear();
  }
}

} // namespace blockmaestro
