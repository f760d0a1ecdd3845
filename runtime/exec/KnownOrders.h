// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what is known of the orders of works that are of the same kinds,
// as their arguments have come.
// On the data's way: one in each sequence of ChainMemory; asks WorkRelations,
// beside the program.
// Invariants:
//  - An order is given only for works whose arguments are those it was found
//    for, but for works that are free in it, and while nothing has changed by
//    which it may be another.
//  - Nothing is asked for works that have come once. Nothing more is where all
//    that was asked and remembered has been of no use for long.
// Threads: one caller.
//
// Note [Free works]
// ~~~~~~~~~~~~~~~~~
// A program that repeats itself often changes a few arguments each time: the
// number of the step, the row that is written. What is found out for one step
// would not hold for the next. So works that come with other arguments, among
// others that stay the same, become free: they wait for all in front of them,
// and all behind wait for them, whatever their arguments are.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_KNOWNORDERS_H
#define BLOCKMAESTRO_RUNTIME_EXEC_KNOWNORDERS_H

#include "ChainMaker.h"
#include "ChainOrder.h"
#include "HeldWork.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <vector>

namespace blockmaestro {

class KnownOrders {
public:
  /// Who is asked, and how.
  struct Source {
    WorkRelations &By;
    ChainMaker &Maker;
    /// Whether a work leaves no room on the device for others: it gains nothing
    /// by running beside them.
    std::function<bool(const GpuWork &)> Fills;
  };

  /// The order of these works; null: each waits for the one in front, as far as
  /// is known. Every call counts as one time that they have come.
  std::shared_ptr<const ChainOrder> find(std::span<const HeldWork> Works,
                                         const Source &From);

  /// Works in all cases.
  size_t remembered() const;

  /// So many sets of arguments are remembered.
  static constexpr size_t MostCases = 32;
  /// Nothing more is asked or remembered after so many cases without one whose
  /// order was of use; to ask counts as so many.
  static constexpr unsigned MostInVain = 64;
  static constexpr unsigned AskedInVain = 8;

private:
  /// Works as they have come, and what is known of their order.
  struct Case {
    std::vector<HeldWork> Works;
    std::vector<bool> Free;
    unsigned Times = 0; ///< Since a work became free.
    uint64_t UsedAt = 0;
    uint64_t Version = 0; ///< Of the relations, when they were asked.
    bool Asked = false;
    std::future<ChainOrder> Coming;
    std::shared_ptr<const ChainOrder> Found; ///< Null also for a line.

    size_t differing(std::span<const HeldWork> From, size_t Most) const;
    void free(std::span<const HeldWork> ByThese);
    void forgetAnswer();
  };

  bool hasGivenUp() const { return InVain >= MostInVain && Cases.empty(); }
  void giveUpWithoutAny();
  Case *nearest(std::span<const HeldWork> Works, size_t &Differing);
  void remember(std::span<const HeldWork> Works);
  void ask(Case &About, const Source &From);
  void hear(Case &About);

  std::vector<Case> Cases;
  size_t Next = 0; ///< The case that is likely to come.
  uint64_t Now = 0;
  unsigned InVain = 0; ///< Since an order was of use.
};

} // namespace blockmaestro

#endif
