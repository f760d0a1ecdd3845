// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how much a recording of any size holds, summed up by launch.
// On the data's way: from a recording file, chunk by chunk, to
// RecordingCommand. Invariants: memory grows with launches, not with blocks.
// Ownership and threads: plain values.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDINGSUMS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_RECORDINGSUMS_H

#include "LaunchSums.h"

#include "blockmaestro/Recording.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

struct RecordingSums {
  Recording What; ///< The run and its launches; other lists are empty.
  uint64_t Relations = 0;
  uint64_t Copies = 0;
  uint64_t CopyRelations = 0;
  uint64_t Barriers = 0;
  uint64_t Events = 0;
  uint64_t Costs = 0;
  uint64_t Observations = 0;
  uint64_t Traces = 0;
  std::vector<LaunchSum> Launches;
};

Result<RecordingSums> sumUp(const std::string &File);

} // namespace blockmaestro

#endif
