// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which works of a chain wait for which, and who finds that out.
// On the data's way: WorkRelations is asked by Chained and Streams, and
// answered by runtime/cuda, which knows what launches touch; a ChainOrder goes
// on to the GpuPort as the edges of a graph. Threads: a ChainOrder is a value;
// see WorkRelations.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_CHAINORDER_H
#define BLOCKMAESTRO_RUNTIME_EXEC_CHAINORDER_H

#include "Executor.h"
#include "GpuWork.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace blockmaestro {

struct ChainOrder {
  /// The works that each work waits for: earlier ones, ascending, without those
  /// that others of them wait for.
  std::vector<std::vector<uint32_t>> Behind;

  /// Each work waits for the one in front of it.
  static ChainOrder line(size_t Works);
  /// Of works that need others to have run, one bit each; at most MostWorks.
  static ChainOrder among(std::span<const uint64_t> Needs);
  static constexpr size_t MostWorks = 64;

  /// Works on the longest way from one to the next.
  size_t length() const;
  bool operator==(const ChainOrder &) const = default;
};

class WorkRelations {
public:
  virtual ~WorkRelations() = default;

  /// Another number after every change by which an order may change.
  virtual uint64_t version() const = 0;

  using OrderFinder = std::function<ChainOrder()>;
  /// What finds the order of works of one stream. Those that are InPlace wait
  /// for all in front, and all behind wait for them, whatever their arguments
  /// are. It runs once, on any thread, and has copied what it needs of the
  /// works.
  virtual OrderFinder orderOf(std::span<const GpuWork> Works,
                              const std::vector<bool> &InPlace) = 0;

  /// Of each work, what its blocks wait for in the few launches in front, which
  /// are known by their places among the works; older ones have completed. A
  /// copy or fill waits for all, and all for it. Nothing where the order of the
  /// stream has to be kept.
  using Needs = std::vector<std::vector<Dependence>>;
  using NeedsFinder = std::function<Needs()>;
  /// What finds them; as above.
  virtual NeedsFinder needsOf(std::span<const GpuWork> Works) = 0;

  /// Appends what decides what a work touches, and whether it keeps its place:
  /// until version() changes nothing else of a work does.
  virtual void describe(const GpuWork &, std::vector<uint64_t> &) {}
  /// What a work touches, to be held against others.
  class Touched {
  public:
    virtual ~Touched() = default;
    /// A bit or more for each piece of memory that is read, and written: of one
    /// version, two works meet only where one writes what the other has a bit
    /// of.
    uint64_t Reads = ~uint64_t(0);
    uint64_t Writes = ~uint64_t(0);
  };
  /// Null where the work has to keep its place between all others, or nobody
  /// knows. For the calling thread alone, as meet().
  virtual std::unique_ptr<Touched> touchedBy(const GpuWork &) {
    return nullptr;
  }
  /// Whether one of the two may touch a byte that the other writes.
  virtual bool meet(Touched &, Touched &) { return true; }
  /// Kernels go away: nothing is known of them.
  virtual void forgetKernels() {}
};

} // namespace blockmaestro

#endif
