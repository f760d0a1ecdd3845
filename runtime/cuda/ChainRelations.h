// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which works of a chain may run beside each other on a GPU, by
// the bytes that their launches, copies and fills touch; and which of their
// blocks.
// On the data's way: asked by Chained and Streams; an order evaluates and
// relates as Window does, but only whether works meet; needs are Window's.
// Invariants:
//  - Two works run beside each other only if neither touches a byte that the
//    other writes, and only in memory that nothing but the device sees: what
//    the host may watch is written in the order of the stream.
//  - So do launches only that print nothing, never end the program, and whose
//    blocks do not wait for each other: the order of lines stays, and so do the
//    blocks that need to be on the device together.
// Ownership: the map outlives it, and is copied.
// Threads: all under the caller's lock; what orderOf() and needsOf() give runs
// on any thread.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_CHAINRELATIONS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_CHAINRELATIONS_H

#include "Allocations.h"
#include "ChainOrder.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace blockmaestro {

class ChainRelations final : public WorkRelations {
public:
  explicit ChainRelations(const AllocationMap &Memory) : Memory(Memory) {}

  uint64_t version() const override { return Memory.version(); }
  OrderFinder orderOf(std::span<const GpuWork> Works,
                      const std::vector<bool> &InPlace) override;
  NeedsFinder needsOf(std::span<const GpuWork> Works) override;
  void describe(const GpuWork &What, std::vector<uint64_t> &Key) override;
  std::unique_ptr<Touched> touchedBy(const GpuWork &What) override;
  bool meet(Touched &Earlier, Touched &Later) override;
  void forgetKernels() override { Inputs.clear(); }

private:
  /// Bytes of an argument that decide what a launch touches.
  struct ArgumentBytes {
    uint32_t Parameter; ///< Its number.
    uint32_t Offset;    ///< Within that.
    uint32_t Count;     ///< At most 8.
  };
  std::shared_ptr<const AllocationMap> copied();
  const std::vector<ArgumentBytes> &inputsOf(const KernelRecord &Kernel);

  const AllocationMap &Memory;
  std::shared_ptr<const AllocationMap> Copied; ///< As Memory last was.
  std::unordered_map<const KernelRecord *, std::vector<ArgumentBytes>> Inputs;
};

} // namespace blockmaestro

#endif
