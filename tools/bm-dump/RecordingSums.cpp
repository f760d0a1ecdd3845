// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordingSums.h"

#include "RecordingStream.h"

namespace blockmaestro {

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
    addEvents(What.Events, Out.Launches);
    addCosts(What.Costs, Out.Launches);
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
