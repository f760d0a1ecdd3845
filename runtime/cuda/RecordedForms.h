// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches, copies and their relations as a recording keeps them,
// asked for now by the calling thread.
// On the data's way: Runtime -> here -> RecordingWriter.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_RECORDEDFORMS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_RECORDEDFORMS_H

#include "PreparedWork.h"
#include "Window.h"
#include "blockmaestro/Launch.h"
#include "blockmaestro/Recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

/// What a node of the window is called in a recording: launches and copies
/// count by themselves.
struct NodeName {
  bool IsCopy = false;
  uint64_t Number = 0;
};

/// Why the accesses are not exact, one sentence for each that is not.
std::vector<std::string> reasonsOf(const LaunchAccesses &Touched);

/// How many registers a thread of a launch has; 0: not known.
struct LaunchRegisters {
  uint32_t Own = 0;   ///< As the program has its kernel.
  uint32_t AsRun = 0; ///< In the form that the launch takes.
};

RecordedLaunch recordedForm(const Launch &What, const LaunchAccesses &Touched,
                            LaunchRegisters Registers);
RecordedCopy recordedForm(const char *Call, uint64_t Number,
                          const PreparedWork &What);
RecordedRelation recordedForm(const Need &What, NodeName Producer,
                              NodeName Consumer);

} // namespace blockmaestro

#endif
