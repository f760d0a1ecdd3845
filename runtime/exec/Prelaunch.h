// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of prelaunch variants, each admitted as soon as every
// block of the one before has started; every block waits for its own producers.
// On the data's way: an Executor on a GpuPort. What blocks wait for is
// GateLine's to say: one line for each stream.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_PRELAUNCH_H
#define BLOCKMAESTRO_RUNTIME_EXEC_PRELAUNCH_H

#include "BlockTimes.h"
#include "Executor.h"
#include "GateLine.h"
#include "GpuPort.h"
#include "StuckReports.h"

#include <map>
#include <memory>
#include <string>

namespace blockmaestro {

class Prelaunch final : public Executor {
public:
  /// Window is how many launches behind a running one may still be running;
  /// more than GateLine::MaxWindow are not used. With Times blocks note when
  /// they run.
  Prelaunch(GpuPort &Port, unsigned Window,
            std::chrono::nanoseconds Patience = LongPatience,
            std::unique_ptr<BlockTimes> Times = nullptr);
  ~Prelaunch() override;

  /// The task's kernel has a prelaunch variant.
  Status submit(Task Next) override;
  /// Ends the lines; the stream keeps the order from here on, so whoever
  /// waits on it waits for every block.
  Status drain() override;
  Status fence() override { return drain(); }
  void forgetStream(void *Stream) override;
  void waited(std::chrono::nanoseconds) override {
    if (Times)
      Times->waited();
  }
  void reportRest() override {
    if (Times)
      Times->reportRest();
  }
  std::string whyNotReported() const override {
    return Times ? Times->whyNone() : "";
  }

private:
  struct Stream {
    void *Memory = nullptr; ///< Of Line.
    GateLine Line;
  };

  Status makeRoom(Stream &On, void *Handle, uint64_t Blocks);
  Result<Gate> gateFor(Stream &On, const Task &Next, const GpuLaunch &Out);

  GpuPort &Port;
  const unsigned Window;
  StuckReports Stuck;
  const std::unique_ptr<BlockTimes> Times; ///< Null: nobody listens.
  std::map<void *, Stream> Streams;
};

} // namespace blockmaestro

#endif
