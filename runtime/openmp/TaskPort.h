// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what inspections need of the device and of the program.
// On the data's way: Inspection, LocalMemory, DeviceView -> here -> the CUDA
// runtime API and TaskRun, or a test's device.
// Invariants: nothing runs on the device between wait() and the next start().
// Ownership: none. Threads: one at a time.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_TASKPORT_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_TASKPORT_H

#include "DeviceMemory.h"

#include "TaskGraph.h"

#include <string>

namespace blockmaestro::openmp {

/// What runs tasks, as cudaLaunchKernel takes it, in blocks of Threads.
struct TaskKernels {
  const void *Blocks = nullptr;
  const void *Workers = nullptr;
  unsigned Threads = 0;
};

class TaskPort {
public:
  virtual ~TaskPort() = default;

  virtual DeviceMemory &memory() = 0;
  /// A graph for these is being made, and start() is to come.
  virtual void expect(const TaskKernels &Kernels) = 0;
  /// Gives a finished graph to the device; it stays as it is until wait().
  virtual Status start(const TaskGraph &Graph, const TaskKernels &Kernels) = 0;
  virtual Status wait() = 0;
  /// Memory of the device around Where that may be read as a whole; no bytes
  /// where nothing is known.
  virtual DeviceRange rangeAround(DeviceAddress Where) = 0;
  /// Whether Where is memory of the device, and not the host's own.
  virtual bool isOnDevice(uint64_t Where) = 0;
  virtual unsigned processors() = 0;
  [[noreturn]] virtual void fail(const std::string &Why) = 0;
};

} // namespace blockmaestro::openmp

#endif
