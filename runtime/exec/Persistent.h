// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches gathered into batches; one resident grid of workers
// runs all blocks of a batch, each as soon as its own producers are done.
// On the data's way: an Executor on a GpuPort. How the device side holds
// together: runtime/device/Persistent.cu.
// Invariants:
//  - A batch has launches of one module and one stream, in issue order; it is
//    given to the GPU when something else must come after it or it is full. On
//    the stream it is one ordinary launch, so batches do not overlap. The first
//    batch after a drain is small, the next ones double, so that the GPU has
//    work while the next batch is gathered.
//  - A batch has at most Window + 1 launches, so its launches' relations cover
//    all of it and no launch waits for one merely because it is old.
//  - Memory on the device is used again by the next batch of the stream;
//    staging memory only after the stream has passed the copy from it.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_PERSISTENT_H
#define BLOCKMAESTRO_RUNTIME_EXEC_PERSISTENT_H

#include "BatchImage.h"
#include "BlockTimes.h"
#include "Executor.h"
#include "GpuPort.h"
#include "StuckReports.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace blockmaestro {

class Persistent final : public Executor {
public:
  /// Window is how many launches behind a running one may still be running.
  /// With Times blocks note when they run.
  Persistent(GpuPort &Port, unsigned Window,
             std::chrono::nanoseconds Patience = LongPatience,
             std::unique_ptr<BlockTimes> Times = nullptr);
  ~Persistent() override;

  /// Whether workers can run blocks of What's shape.
  static Status accepts(const Launch &What);

  /// The task's kernel is a case of its module's persistent entry and its
  /// launch is accepted.
  Status submit(Task Next) override;
  /// Gives the GPU what is gathered; from here on the stream keeps the order.
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
  /// Of the last batch, where the last task has ended one.
  std::string whyNotReported() const override { return NotReported; }

  static constexpr size_t FirstLaunches = 8;
  static constexpr size_t MostLaunches = 256; ///< Whatever the window.
  static constexpr uint64_t MostBlocks = 1 << 24;

private:
  static constexpr size_t StagingBuffers = 4;

  struct Buffer {
    void *Memory = nullptr;
    size_t Bytes = 0;
  };
  struct Stream {
    Buffer Done;  ///< A word per block of a batch.
    Buffer Image; ///< The batch's arrays.
    Buffer Staging[StagingBuffers];
    uint64_t *Counters = nullptr; ///< MostLaunches and the ticket.
    std::vector<uint64_t> Targets;
    uint64_t TicketValue = 0;
    uint64_t Batches = 0;
    uint32_t Epoch = 0;
  };

  uint64_t batchBlocks() const;
  Status flush();
  Status makeRoom(Stream &On, void *Handle, size_t ImageBytes, uint64_t Blocks);
  Status growDevice(Buffer &What, size_t Bytes, void *Handle);
  Status growStaging(Buffer &What, size_t Bytes);
  Status startStream(Stream &On, void *Handle);
  Result<GpuLaunch> planLaunch() const;

  GpuPort &Port;
  const size_t LargestBatch;
  StuckReports Stuck;
  const std::unique_ptr<BlockTimes> Times; ///< Null: nobody listens.
  std::string NotReported;
  std::map<void *, Stream> Streams;
  /// Of streams that are gone, which may still be reading them.
  std::vector<void *> OldStaging;
  BatchImage Gathered;
  void *GatheredStream = nullptr;
  size_t BatchLimit; ///< Launches of the batch being gathered.
};

} // namespace blockmaestro

#endif
