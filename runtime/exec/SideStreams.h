// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: streams of ours for the works of the program's streams, which are
// used again when a stream of the program goes away.
// On the data's way: inside Streams; taken by StreamLanes.
// Invariants: a stream is taken by one at a time, and has the priority of the
// program's stream that it was asked for.
// Ownership: the port outlives it; it owns the streams. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SIDESTREAMS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SIDESTREAMS_H

#include "GpuPort.h"

#include <map>
#include <vector>

namespace blockmaestro {

class SideStreams {
public:
  explicit SideStreams(GpuPort &Port) : Port(Port) {}
  ~SideStreams();
  SideStreams(const SideStreams &) = delete;
  SideStreams &operator=(const SideStreams &) = delete;

  /// One for the works of \p Own; null where there is none to be had.
  void *take(void *Own);
  /// Others may take it; what it has been given is still done.
  void giveBack(void *Side);

private:
  GpuPort &Port;
  std::map<void *, int> Priorities; ///< Of all.
  std::multimap<int, void *> Free;  ///< By priority.
};

} // namespace blockmaestro

#endif
