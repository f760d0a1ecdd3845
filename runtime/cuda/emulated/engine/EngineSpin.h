// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: waiting for a moment without sleeping, for what is likely to
// come sooner than a sleeping thread would wake up.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINESPIN_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_ENGINE_ENGINESPIN_H

#include <chrono>
#include <thread>

namespace blockmaestro {

/// Looks until it is so or the moment is over. Not on a machine of one core,
/// where nothing can happen meanwhile.
template <typename Condition>
void spinUntil(std::chrono::microseconds Moment, Condition IsSo) {
  using Clock = std::chrono::steady_clock;
  constexpr int LooksPerTime = 16;
  static const bool Alone = std::thread::hardware_concurrency() < 2;
  if (Alone)
    return;
  const Clock::time_point End = Clock::now() + Moment;
  do
    for (int Look = 0; Look < LooksPerTime; ++Look) {
      if (IsSo())
        return;
      __builtin_ia32_pause();
    }
  while (Clock::now() < End);
}

} // namespace blockmaestro

#endif
