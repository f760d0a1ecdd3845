// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the host sides of the programs share: numbers from a seed,
// the same on every machine, and loops over all cores.
// Threads: a Random belongs to one; parallelFor starts and joins its own.

#ifndef BLOCKMAESTRO_BENCHMARKS_HOST_H
#define BLOCKMAESTRO_BENCHMARKS_HOST_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

namespace bench {

/// A stream of numbers that only the seed decides (splitmix64).
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}

  uint64_t next() {
    uint64_t Z = (State += 0x9e3779b97f4a7c15u);
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
    return Z ^ (Z >> 31);
  }
  /// At least 0 and less than \p End.
  uint64_t below(uint64_t End) { return next() % End; }
  /// At least \p Low and less than \p High, but for rounding.
  double uniform(double Low, double High) {
    return Low + (High - Low) * (double(next() >> 11) * 0x1p-53);
  }
  /// From the normal distribution with mean 0 and deviation 1.
  double normal() {
    double Radius = std::sqrt(-2 * std::log(1 - uniform(0, 1)));
    return Radius * std::cos(6.283185307179586 * uniform(0, 1));
  }

private:
  uint64_t State;
};

/// \p Count numbers between \p Low and \p High.
template <typename T>
std::vector<T> randomVector(Random &From, size_t Count, double Low,
                            double High) {
  std::vector<T> Result(Count);
  for (T &Each : Result)
    Each = T(float(From.uniform(Low, High)));
  return Result;
}

/// Calls Body(I) for every I from 0 to Count - 1, on all cores, in any order;
/// each I belongs to one thread.
template <typename F> void parallelFor(size_t Count, F Body) {
  size_t Workers = std::max(1u, std::thread::hardware_concurrency());
  Workers = std::min(Workers, Count);
  if (Workers <= 1) {
    for (size_t I = 0; I < Count; ++I)
      Body(I);
    return;
  }
  std::vector<std::thread> Threads;
  for (size_t W = 0; W < Workers; ++W)
    Threads.emplace_back([=, &Body] {
      for (size_t I = W; I < Count; I += Workers)
        Body(I);
    });
  for (std::thread &Each : Threads)
    Each.join();
}

} // namespace bench

#endif
