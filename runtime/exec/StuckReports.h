// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the place where a block that waited too long says so, and the
// sentence made of it.
// On the data's way: from the device code to the Status an executor returns.
// Ownership: its memory is the port's staging memory, readable after the kernel
// has trapped. Threads: one that asks for the place, and one that reads.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STUCKREPORTS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STUCKREPORTS_H

#include "Gate.h"
#include "GpuPort.h"

#include <atomic>
#include <chrono>

namespace blockmaestro {

/// Long, since a producer may rightly work for a while: a program that would
/// have finished must not be stopped.
inline constexpr std::chrono::seconds LongPatience{120};

class StuckReports {
public:
  /// A block may wait for Patience; for ever if it is zero.
  StuckReports(GpuPort &Port, std::chrono::nanoseconds Patience)
      : Port(Port), Patience(Patience) {}
  ~StuckReports();
  StuckReports(const StuckReports &) = delete;
  StuckReports &operator=(const StuckReports &) = delete;

  /// Where blocks write; made at the first call.
  Result<StuckReport *> place();
  /// Ok, or which block waited too long for what.
  Status read() const;

private:
  GpuPort &Port;
  const std::chrono::nanoseconds Patience;
  std::atomic<StuckReport *> Report = nullptr;
};

} // namespace blockmaestro

#endif
