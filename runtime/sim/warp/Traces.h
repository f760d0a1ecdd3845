// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what each block of a launch does, by the blocks that were traced.
// On the data's way: from the recording's traces to WarpModel, block by block.
// Invariants: traces that are used were checked: every promise of WarpTrace.h
// is kept. A block that was not traced does what the last traced one before it
// did; where the next traced one went the same way, its sectors lie between
// those of these two, in proportion, and behind the last as far beyond it.
// Ownership and threads: the traces outlive this; no state besides.

#ifndef BLOCKMAESTRO_RUNTIME_SIM_WARP_TRACES_H
#define BLOCKMAESTRO_RUNTIME_SIM_WARP_TRACES_H

#include "blockmaestro/Status.h"
#include "blockmaestro/WarpTrace.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::sim {

/// Whether a trace keeps the promises of WarpTrace.h; the message is for users.
Status checkTrace(const BlockTrace &Of);

/// What a warp of a block does.
struct WarpWork {
  const WarpPath *Path = nullptr;
  std::vector<uint64_t> Moved; ///< Its sectors where they are not Path's.

  const std::vector<uint64_t> &sectors() const {
    return Moved.empty() ? Path->Sectors : Moved;
  }
};

class LaunchTraces {
public:
  /// Traces of one launch, at least one.
  explicit LaunchTraces(std::vector<const BlockTrace *> Of);

  /// The trace that a block goes by, and what its warps do.
  const BlockTrace &workOf(uint64_t Block, std::vector<WarpWork> &Out) const;

  uint64_t traced() const { return Blocks.size(); }

private:
  std::vector<const BlockTrace *> Blocks; ///< By their numbers, which rise.
};

} // namespace blockmaestro::sim

#endif
