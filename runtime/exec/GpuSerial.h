// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launch by launch on a GPU, as the program has it: the reference
// the other GPU executors are compared with. Where somebody listens, launches
// take a form whose blocks note when they run, if they can, and keep their
// order and their place in the stream: the timed variant, which is the kernel
// but for that, or else the prelaunch variant.
// On the data's way: an Executor; the stream keeps the order.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_GPUSERIAL_H
#define BLOCKMAESTRO_RUNTIME_EXEC_GPUSERIAL_H

#include "BlockTimes.h"
#include "Executor.h"
#include "GpuPort.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace blockmaestro {

class GpuSerial final : public Executor {
public:
  GpuSerial(GpuPort &Port, KernelVariant Form) : Port(Port), Form(Form) {}
  /// Whether a launch can take a form; or why not. All can take Plain.
  using FormCheck = std::function<Status(const Launch &, KernelVariant)>;
  GpuSerial(GpuPort &Port, KernelVariant Form,
            std::unique_ptr<BlockTimes> Times, FormCheck Takes)
      : Port(Port), Form(Form), Times(std::move(Times)),
        Takes(std::move(Takes)) {}

  /// The form that a launch takes if it is submitted now.
  KernelVariant formOf(const Launch &What) const;

  Status submit(Task Next) override;
  void waited(std::chrono::nanoseconds) override {
    if (Times)
      Times->waited();
  }
  void reportRest() override {
    if (Times)
      Times->reportRest();
  }
  std::string whyNotReported() const override { return NotReported; }
  Status drain() override { return {}; }
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }

private:
  Result<KernelVariant> notingForm(const Launch &What) const;
  KernelVariant unheardForm(const Launch &What) const;
  BlockTime *placeFor(const Launch &What);
  Status launch(const Task &Next, KernelVariant As,
                std::vector<void *> &Arguments);
  Status launchNoting(const Task &Next, KernelVariant As, BlockTime *Notes);

  GpuPort &Port;
  const KernelVariant Form;                ///< Plain or Pdl.
  const std::unique_ptr<BlockTimes> Times; ///< Null: nobody listens.
  const FormCheck Takes;                   ///< Where somebody does.
  std::string NotReported;                 ///< Why, of the last task.
};

/// Pointers to the arguments of What, in the order of its parameters.
std::vector<void *> argumentPointers(const Launch &What);

/// The task as one launch of a form of its kernel. Arguments must stay.
GpuLaunch launchOf(const Task &Next, KernelVariant Form,
                   std::vector<void *> &Arguments);

} // namespace blockmaestro

#endif
