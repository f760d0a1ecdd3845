// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: launches of pdl variants, gathered and submitted as graphs:
// chains of kernels, each of which starts when the last block in front has
// exited. Submitting a chain costs the host a fraction of what its launches
// cost one by one, and no kernel but the first waits for the host. On the
// data's way: an Executor on a GpuPort; the order is that of the stream, so
// nobody needs to know what a launch touches. Invariants:
//  - Launches reach their stream in the order given. All that are held are of
//    one stream.
//  - A chain is used again for other launches: what it holds is read when it is
//    submitted.
//  - The first launch after a fence is never held: the device has nothing else
//    to do.
// Ownership: the port outlives it. Threads: one caller at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINED_H

#include "Executor.h"
#include "GpuPort.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace blockmaestro {

class Chained final : public Executor {
public:
  explicit Chained(GpuPort &Port) : Port(Port) {}
  ~Chained() override;

  /// Holds a launch of a pdl variant, with a copy of its arguments. False: the
  /// caller makes it now; all that was held before is in front of it.
  Result<bool> gather(const GpuLaunch &What);

  Status submit(Task Next) override;
  /// Submits what is held.
  Status drain() override;
  bool plain() const override { return true; }
  bool takesStreams() const override { return true; }
  uint64_t gathered() const override { return Count == 0 ? 0 : Taken; }

  /// Launches in the longest chain; lengths are powers of two.
  static constexpr unsigned Longest = 32;

private:
  /// One launch that is held.
  struct Held {
    GpuLaunch What;
    alignas(16) std::array<std::byte, 4096> Bytes;
    std::vector<void *> Arguments; ///< Into Bytes.

    void copy(const GpuLaunch &From);
  };

  Status flush();
  Status submitSingly(std::span<Held> Launches);
  Status submitChain(std::span<Held> Launches);
  Result<void *> chainOf(unsigned Length, const GpuLaunch &Any);

  GpuPort &Port;
  std::vector<Held> Launches = std::vector<Held>(Longest);
  unsigned Count = 0; ///< Of Launches that are held.
  unsigned Limit = 1; ///< So many are submitted as soon as they are there.
  uint64_t Taken = 0;
  std::vector<void *> Chains; ///< The nth of 2^n launches; null: not made yet.
};

} // namespace blockmaestro

#endif
