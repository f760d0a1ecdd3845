// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the few things the GPU executors ask of a GPU.
// On the data's way: between runtime/exec and the CUDA device, so that the
// executors need no CUDA headers and tests can put a machine of their own here.
// Invariants: work on one stream runs in the order given, except that a
// programmatic launch may start once every block of the launch in front of it
// has said so or has exited.
// Ownership: what allocate() and allocateStaging() give is released by its
// counterpart. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_GPUPORT_H
#define BLOCKMAESTRO_RUNTIME_EXEC_GPUPORT_H

#include "ChainOrder.h"
#include "GpuWork.h"
#include "blockmaestro/Status.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace blockmaestro {

class GpuPort {
public:
  virtual ~GpuPort() = default;

  /// Device memory, all zero for what the stream is given from here on. The
  /// host does not wait: the stream may be waiting for it.
  virtual Result<void *> allocate(size_t Bytes, void *Stream) = 0;
  /// Gives memory back behind all that the stream has been given.
  virtual void retire(void *Memory, void *Stream) = 0;
  /// Gives memory back that nothing uses any more.
  virtual void release(void *Memory) = 0;

  /// Device memory, all zero for whatever is launched from here on. As the next
  /// three, by a way of its own beside all streams: the host waits for nothing
  /// that has been launched, and nothing that has been launched for it. On any
  /// thread, but on one at a time; as allocateStaging().
  virtual Result<void *> allocateBeside(size_t Bytes) = 0;
  /// What is in device memory now, though what was launched may be writing it;
  /// words of 8 bytes are as they were written.
  virtual Status readBeside(void *To, const void *From, size_t Bytes) = 0;
  /// Sets device memory to zero that nothing which has been launched uses.
  virtual Status clearBeside(void *Memory, size_t Bytes) = 0;
  /// Gives such memory back, which nothing uses that has been launched.
  virtual void releaseBeside(void *Memory) = 0;

  /// Host memory that the device can read and write while the host does.
  virtual Result<void *> allocateStaging(size_t Bytes) = 0;
  virtual void releaseStaging(void *Memory) = 0;

  /// Copies from staging memory, in stream order; From must stay as it is until
  /// the stream has passed the copy.
  virtual Status copyIn(void *To, const void *From, size_t Bytes,
                        void *Stream) = 0;
  virtual Status launch(const GpuLaunch &What) = 0;
  /// The copy or fill comes in the order of its stream; the host goes on. What
  /// it reads of the host's memory must stay as it is until it is done.
  virtual Status copy(const GpuCopy &What) = 0;
  virtual Status fill(const GpuFill &What) = 0;
  using ChainWork = std::function<Result<void *>()>;
  /// What makes a graph of works in this order; of two launches in a row the
  /// second starts when the last block of the first has exited. It may run
  /// once, on any thread, while the arguments are there; it copies them.
  virtual Result<ChainWork> chainOf(std::span<const GpuWork> Works,
                                    const ChainOrder &Order) = 0;
  /// What work number Place of the chain does when the chain is launched next:
  /// it stays what it is for good (NodeKind). Arguments are copied. What has
  /// been launched stays as it was.
  virtual Status setWork(void *Chain, unsigned Place, const GpuWork &What) = 0;
  virtual Status launchChain(void *Chain, void *Stream) = 0;
  virtual void releaseChain(void *Chain) = 0;
  /// Notes when the device has come so far on the stream; nobody waits.
  virtual Result<void *> mark(void *Stream) = 0;
  /// What the device took from one mark to another; nothing while it has not
  /// come to both.
  virtual std::optional<std::chrono::nanoseconds> between(void *First,
                                                          void *Last) = 0;
  virtual void releaseMark(void *Mark) = 0;
  /// Waits for everything on the stream.
  virtual Status synchronize(void *Stream) = 0;

  /// What makes streams of one kind with the program's: they may stand in for
  /// each other.
  virtual Result<int> priorityOf(void *Stream) = 0;
  /// A stream that waits for no other, nor any for it, but by events.
  virtual Result<void *> makeStream(int Priority) = 0;
  /// What it has been given is still done.
  virtual void releaseStream(void *Stream) = 0;
  virtual Result<void *> makeEvent() = 0;
  virtual void releaseEvent(void *Event) = 0;
  /// The event stands for all that the stream has been given so far. Whoever
  /// was to wait for what it stood for before still does.
  virtual Status record(void *Event, void *Stream) = 0;
  /// Whether the device has come to what the event stands for. On any thread.
  virtual bool hasPassed(void *Event) = 0;
  /// What the stream is given from here on comes behind what the event stands
  /// for now; the host goes on.
  virtual Status comeBehind(void *Stream, void *Event) = 0;

  /// A number that two kernels share when one persistent entry runs both.
  virtual uint64_t moduleOf(const KernelRecord &Kernel) = 0;
  virtual uint32_t multiprocessors() = 0;
  /// How many blocks of this form the whole machine holds at a time.
  virtual Result<uint32_t> residentBlocks(const KernelRecord &Kernel,
                                          KernelVariant Form, uint32_t Threads,
                                          uint32_t SharedBytes) = 0;
};

} // namespace blockmaestro

#endif
