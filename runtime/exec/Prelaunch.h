// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of prelaunch variants, each admitted as soon as every
// block of the one before has started; every block waits for its own producers.
// On the data's way: an Executor on a GpuPort. How the device side holds
// together: runtime/device/Prelaunch.cu.
// Invariants, per stream:
//  - A chain is a run of launches with nothing between them on the stream. Only
//    a chain's first launch is ordinary, and so waits for all that is before.
//  - Launch i of a chain starts after launch i - Window - 1 has completed, so
//    the done-words of Window + 1 launches, used in turn, are enough.
//  - Epochs grow, counters only count up; nothing is reset while launches run.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_PRELAUNCH_H
#define BLOCKMAESTRO_RUNTIME_EXEC_PRELAUNCH_H

#include "BlockTimes.h"
#include "Executor.h"
#include "GpuPort.h"
#include "StuckReports.h"
#include "Waits.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

class Prelaunch final : public Executor {
public:
  /// Window is how many launches behind a running one may still be running;
  /// more than MaxWindow are not used. With Times blocks note when they run.
  Prelaunch(GpuPort &Port, unsigned Window,
            std::chrono::nanoseconds Patience = LongPatience,
            std::unique_ptr<BlockTimes> Times = nullptr);
  ~Prelaunch() override;

  /// The task's kernel has a prelaunch variant.
  Status submit(Task Next) override;
  /// Ends the chains; the stream keeps the order from here on, so whoever
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

  /// A launch is admitted when all blocks of the one before have started, so
  /// that blocks of more than a few launches hardly ever run together; each
  /// launch of the window is one more relation for every block to look at.
  static constexpr unsigned MaxWindow = 3;
  static_assert(MaxWindow <= Gate::MaxCounts);

private:
  struct Stream {
    uint32_t *Done = nullptr;     ///< Window + 1 stretches of Capacity words.
    uint64_t *Counters = nullptr; ///< One per stretch, CounterStride apart.
    uint64_t Capacity = 0;
    std::vector<uint64_t> Targets; ///< Of the counters, after all launches.
    std::vector<Published> Chain;  ///< The last Window launches, in order.
    uint64_t Issued = 0;
    uint32_t Epoch = 0;
  };

  Status makeRoom(Stream &On, void *Handle, uint64_t Blocks);
  Result<Gate> gateFor(Stream &On, const Task &Next, const Published &Own);
  Published nextPublished(Stream &On, const Launch &What);

  GpuPort &Port;
  const unsigned Window;
  StuckReports Stuck;
  const std::unique_ptr<BlockTimes> Times; ///< Null: nobody listens.
  std::map<void *, Stream> Streams;
};

} // namespace blockmaestro

#endif
