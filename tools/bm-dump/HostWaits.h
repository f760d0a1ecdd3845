// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the host waited, on the clock of the blocks, which is not
// the host's: from the end of the last block that it waited for to the first
// start of a block that was asked for behind that.
// On the data's way: from a recording to the timeline.
// Invariants: in the order of their begins. A wait for nothing that ran is
// none. Ownership: names are the recording's. Threads: pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_HOSTWAITS_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_HOSTWAITS_H

#include "LaunchSums.h"
#include "RecordingInput.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

struct HostWait {
  uint32_t Thread;
  const std::string *What;
  uint64_t Begin;
  uint64_t End; ///< Begin, where what is behind it began before.
};

/// The barriers, waits and copies that the host waited in and that are shown.
std::vector<HostWait> hostWaits(const DumpView &Of,
                                const std::vector<LaunchSum> &Ran);

} // namespace blockmaestro

#endif
