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

#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <cstddef>
#include <functional>
#include <span>

namespace blockmaestro {

enum class KernelVariant : uint8_t {
  Plain,      ///< As the program has it.
  Pdl,        ///< Waits for the launch in front as a whole; the same arguments.
  Prelaunch,  ///< Its prelaunch variant; one more argument, a Gate.
  Persistent, ///< The persistent entry of its module; one argument, a Batch.
};

struct GpuLaunch {
  const KernelRecord *Kernel = nullptr;
  KernelVariant Form = KernelVariant::Plain;
  Dim3 Grid;
  Dim3 Block;
  uint32_t SharedBytes = 0;
  void *Stream = nullptr;
  void **Arguments = nullptr;
  bool Programmatic = false; ///< May start before its predecessor has ended.
  bool Cooperative = false;  ///< All blocks are resident together, or an error.
};

class GpuPort {
public:
  virtual ~GpuPort() = default;

  /// Device memory, all zero for what the stream is given from here on. The
  /// host does not wait: the stream may be waiting for it.
  virtual Result<void *> allocate(size_t Bytes, void *Stream) = 0;
  /// Sets device memory to zero, in stream order.
  virtual Status clear(void *Memory, size_t Bytes, void *Stream) = 0;
  /// Gives memory back behind all that the stream has been given.
  virtual void retire(void *Memory, void *Stream) = 0;
  /// Gives memory back that nothing uses any more.
  virtual void release(void *Memory) = 0;

  /// Host memory that the device can read and write while the host does.
  virtual Result<void *> allocateStaging(size_t Bytes) = 0;
  virtual void releaseStaging(void *Memory) = 0;

  /// Copies from staging memory, in stream order; From must stay as it is until
  /// the stream has passed the copy.
  virtual Status copyIn(void *To, const void *From, size_t Bytes,
                        void *Stream) = 0;
  virtual Status launch(const GpuLaunch &What) = 0;
  using ChainWork = std::function<Result<void *>()>;
  /// What makes a graph of launches in a row, each of which starts when the
  /// last block in front of it has exited. It may run once, on any thread,
  /// while the arguments are there; it copies them.
  virtual Result<ChainWork> chainOf(std::span<const GpuLaunch> Launches) = 0;
  /// What launch number Place of the chain does when the chain is launched
  /// next; arguments are copied. What has been launched stays as it was. Cheap
  /// where the launch is of the same kernel as before.
  virtual Status setLaunch(void *Chain, unsigned Place,
                           const GpuLaunch &What) = 0;
  virtual Status launchChain(void *Chain, void *Stream) = 0;
  virtual void releaseChain(void *Chain) = 0;
  /// Waits for everything on the stream.
  virtual Status synchronize(void *Stream) = 0;

  /// A number that two kernels share when one persistent entry runs both.
  virtual uint64_t moduleOf(const KernelRecord &Kernel) = 0;
  /// How many blocks of this form the whole machine holds at a time.
  virtual Result<uint32_t> residentBlocks(const KernelRecord &Kernel,
                                          KernelVariant Form, uint32_t Threads,
                                          uint32_t SharedBytes) = 0;
};

} // namespace blockmaestro

#endif
