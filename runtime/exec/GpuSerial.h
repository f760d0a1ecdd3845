// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launch by launch on a GPU, as the program has it: the reference
// the other GPU executors are compared with.
// On the data's way: an Executor; the stream keeps the order.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_GPUSERIAL_H
#define BLOCKMAESTRO_RUNTIME_EXEC_GPUSERIAL_H

#include "Executor.h"
#include "GpuPort.h"

namespace blockmaestro {

class GpuSerial final : public Executor {
public:
  GpuSerial(GpuPort &Port, KernelVariant Form) : Port(Port), Form(Form) {}

  Status submit(Task Next) override;
  Status drain() override { return {}; }
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }

private:
  GpuPort &Port;
  const KernelVariant Form; ///< Plain or Pdl.
};

/// Pointers to the arguments of What, in the order of its parameters.
std::vector<void *> argumentPointers(const Launch &What);

/// The task as one launch of a form of its kernel. Arguments must stay.
GpuLaunch launchOf(const Task &Next, KernelVariant Form,
                   std::vector<void *> &Arguments);

} // namespace blockmaestro

#endif
