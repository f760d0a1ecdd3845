// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: which share of a multiprocessor the launches of two streams get,
// found out by timing the same run of launches with each division.
// On the data's way: asked and told by Share; knows neither kernels nor GPUs.
// Invariants: the division by the hardware comes first and is the answer unless
// another is faster by more than a thirtieth; equal times give equal answers.
// Ownership and threads: a value.

#ifndef BLOCKMAESTRO_RUNTIME_EXEC_SHARECHOICE_H
#define BLOCKMAESTRO_RUNTIME_EXEC_SHARECHOICE_H

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace blockmaestro {

/// How two streams divide a multiprocessor.
struct Division {
  /// Of a quarter of a multiprocessor, for the first stream; 0: the hardware
  /// divides.
  uint32_t Quarters = 0;
  /// The second stream has workers too, on the rest; otherwise its blocks are
  /// placed by the hardware.
  bool Both = false;
};

class ShareChoice {
public:
  static constexpr std::array<Division, 7> All = {{{0, false},
                                                   {2, false},
                                                   {1, false},
                                                   {3, false},
                                                   {2, true},
                                                   {1, true},
                                                   {3, true}}};
  /// How often each division is timed before one is chosen.
  static constexpr unsigned Trials = 3;
  /// After so many runs the chosen division is held against the hardware's.
  static constexpr unsigned Review = 16;

  /// The place in All of the division for the next run.
  size_t next() const;
  bool settled() const { return Seen >= Trials * All.size(); }
  /// A run with this division took so long.
  void saw(size_t Which, std::chrono::nanoseconds Span);
  /// The shortest run with a division; zero: there was none.
  std::chrono::nanoseconds least(size_t Which) const { return Least[Which]; }

private:
  void settle();

  std::array<std::chrono::nanoseconds, All.size()> Least{};
  unsigned Seen = 0; ///< Of runs before one was chosen.
  size_t Chosen = 0;
  std::chrono::nanoseconds Recent{0}; ///< Shortest since the last review.
  unsigned SinceReview = 0;
};

} // namespace blockmaestro

#endif
