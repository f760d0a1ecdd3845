// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the gates of prelaunch variants that follow each other with
// nothing in between: what blocks of each wait for, and where they publish that
// they are done.
// On the data's way: from the needs of launches to the last parameter of their
// kernels. How the device side holds together: runtime/device/Prelaunch.cu.
// Invariants:
//  - A line's first launch is ordinary, and so waits for all that is before.
//  - Launch i of a line starts after launch i - Window - 1 has completed, so
//    the done-words of Window + 1 launches, used in turn, are enough.
//  - Epochs grow, counters only count up; nothing is reset while launches run.
// Ownership: the memory is the caller's. Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_GATELINE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_GATELINE_H

#include "Executor.h"
#include "Gate.h"
#include "GpuPort.h"
#include "Waits.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockmaestro {

class GateLine {
public:
  /// A launch is admitted when all blocks of the one before have started, so
  /// that blocks of more than a few launches hardly ever run together; each
  /// launch of the window is one more relation for every block to look at.
  static constexpr unsigned MaxWindow = 3;
  static_assert(MaxWindow <= Gate::MaxCounts);

  /// Of device memory, all zero, for launches of up to so many blocks.
  static size_t bytesFor(unsigned Window, uint64_t Blocks);

  /// No launch fits.
  GateLine() = default;
  /// Window is how many launches behind a running one may still be running.
  GateLine(void *Memory, unsigned Window, uint64_t Blocks);

  /// Whether a launch of so many blocks may come next.
  bool fits(uint64_t Blocks) const;
  /// Of its memory, in blocks.
  uint64_t capacity() const { return Capacity; }
  bool isEmpty() const { return Running.empty(); }
  /// What comes next is the first of a new line.
  void end() { Running.clear(); }

  struct Entering {
    uint64_t Number = 0; ///< Grows. Needs name launches by it.
    uint64_t Blocks = 0;
    uint32_t FirstLate = 0; ///< See firstLate().
    StuckReport *Stuck = nullptr;
  };
  /// Of the launch that comes next; it fits.
  Gate next(const Entering &What, const std::vector<Dependence> &Needs);

private:
  Published publish(const Entering &What);

  uint32_t *Done = nullptr;     ///< Window + 1 stretches of Capacity words.
  uint64_t *Counters = nullptr; ///< One per stretch, CounterStride apart.
  unsigned Window = 0;
  uint64_t Capacity = 0;
  std::vector<uint64_t> Targets;  ///< Of the counters, after all launches.
  std::vector<Published> Running; ///< The last Window launches, in order.
  uint64_t Issued = 0;
  uint32_t Epoch = 0;
};

/// The number of the first block that is started only after two full loads of
/// the machine.
Result<uint32_t> firstLate(GpuPort &Port, const GpuLaunch &What);

} // namespace blockmaestro

#endif
