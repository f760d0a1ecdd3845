// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of several streams that share multiprocessors: some of
// them go as workers, so many on each multiprocessor, that take the launch's
// blocks one after the other, and leave the rest to the other stream.
// On the data's way: an Executor on a GpuPort; the streams keep the order.
// Invariants:
//  - A launch is one grid on its own stream, whatever its form.
//  - A run is what comes from when the streams are idle until they are again.
//    Only a run that comes again with the same launches is divided, and its
//    divisions are compared by the time of the whole run.
//  - A record on the device is used once in a run.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SHARE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SHARE_H

#include "BatchImage.h"
#include "Executor.h"
#include "GpuPort.h"
#include "GpuSerial.h"
#include "ShareChoice.h"

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace blockmaestro {

/// Workers on each multiprocessor for the first and the second stream of a run,
/// by hand.
struct WorkersByHand {
  std::array<uint32_t, 2> Each{};
};

class Share final : public Executor {
public:
  Share(GpuPort &Port, std::optional<WorkersByHand> ByHand,
        GpuSerial::FormCheck Takes)
      : Port(Port), ByHand(ByHand), Takes(std::move(Takes)) {}
  ~Share() override;

  Status submit(Task Next) override;
  /// What has the Plain form; it is launched in one or the other.
  Status run(const GpuLaunch &What);
  Status drain() override { return {}; }
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }
  std::string account() const override;
  void forgetStream(void *Stream) override;
  void forgetKernels() override;

  static constexpr size_t Slots = 64; ///< Records of a run.
  /// Runs that are remembered; where there are more all are forgotten.
  static constexpr size_t MostRuns = 1024;
  static constexpr size_t SlotBytes = 4608;

private:
  using Shape = std::tuple<const KernelRecord *, uint64_t, uint64_t, uint32_t>;
  /// Of launches of one shape.
  struct Form {
    uint32_t PerMultiprocessor = 0; ///< Workers at most; 0: none.
    std::string WhyNone;
  };
  struct Lane {
    std::optional<void *> Stream; ///< None: it is gone.
    void *Last = nullptr;         ///< Mark behind its last launch.
  };
  /// From idle to idle.
  struct Run {
    void *Begin = nullptr; ///< Mark; null: no run.
    std::vector<Lane> Lanes;
    uint64_t First = 0;    ///< Names the first launch.
    uint64_t Contents = 0; ///< Names all launches, whatever their order.
    size_t Division = 0;
    bool Whole = true; ///< All that the division says was done.
    size_t Records = 0;
  };

  static Shape shapeOf(const GpuLaunch &What);
  const Form &formOf(const GpuLaunch &What);
  Status begin(const GpuLaunch &What, uint64_t Name);
  void endIfIdle();
  void remember(std::chrono::nanoseconds Span);
  void endRun();
  size_t laneOf(void *Stream);
  uint32_t workersFor(const GpuLaunch &What, size_t Lane);
  Status makeSlots();
  Status launchWorkers(const GpuLaunch &What, uint32_t PerMultiprocessor);

  GpuPort &Port;
  const std::optional<WorkersByHand> ByHand;
  const GpuSerial::FormCheck Takes;
  std::set<void *> StreamsSeen;
  Run Now;
  std::map<uint64_t, uint64_t> Expected;   ///< Contents by first launch.
  std::map<uint64_t, ShareChoice> Choices; ///< By contents.
  std::map<Shape, Form> Forms;
  unsigned char *Records = nullptr; ///< On the device, then the tickets.
  unsigned char *Staging = nullptr;
  std::array<uint64_t, Slots> TicketValues{};
  uint64_t Launches = 0, AsWorkers = 0;
};

} // namespace blockmaestro

#endif
