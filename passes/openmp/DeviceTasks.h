// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the code by which thread blocks of a device run tasks by kind.
// On the data's way: prepare() adds a function for each kind before clang's
// optimizations, finish() looks at them behind these, before the device runtime
// is linked (DeviceRuntime.h), and writes what its kernels of tasks call.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_DEVICETASKS_H
#define BLOCKMAESTRO_PASSES_OPENMP_DEVICETASKS_H

#include "TaskLayout.h"

#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

class DeviceTasks {
public:
  DeviceTasks(llvm::Module &DeviceCode, const TaskSites &Sites);

  bool empty() const { return Sites.Kinds.empty(); }
  void prepare();
  /// The functions added, by kind; they are there until the runtime is linked.
  const std::vector<std::string> &codes() const { return Codes; }
  FileLayout finish();
  /// Gives the kernels, which have been linked, the names of the layout, and
  /// hides what they call from other files.
  void nameKernels(const FileLayout &Layout);
  /// All that the kernels call is inlined: they are made for the layout's
  /// number of threads.
  void fixThreads(const FileLayout &Layout);

private:
  llvm::Module &M;
  const TaskSites &Sites;
  std::vector<std::string> Codes;
  uint32_t Threads = 0; ///< FileLayout::Threads
};

} // namespace blockmaestro

#endif
