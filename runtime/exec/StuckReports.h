// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the place where a block that waited too long says so, and the
// sentence made of it.
// On the data's way: from the device code to the Status an executor returns.
// Ownership: its memory is the port's staging memory, readable after the kernel
// has trapped. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_STUCKREPORTS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_STUCKREPORTS_H

#include "Gate.h"
#include "GpuPort.h"

namespace blockmaestro {

class StuckReports {
public:
  explicit StuckReports(GpuPort &Port) : Port(Port) {}
  ~StuckReports();
  StuckReports(const StuckReports &) = delete;
  StuckReports &operator=(const StuckReports &) = delete;

  /// Where blocks write; made at the first call.
  Result<StuckReport *> place();
  /// Ok, or which block waited too long for what.
  Status read() const;

private:
  GpuPort &Port;
  StuckReport *Report = nullptr;
};

} // namespace blockmaestro

#endif
