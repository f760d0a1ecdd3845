// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Jobs.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace blockmaestro::sim {

void inParallel(size_t Count, unsigned Jobs,
                const std::function<void(size_t)> &Do) {
  if (Jobs == 0)
    Jobs = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<size_t> Next = 0;
  const auto Work = [&] {
    for (size_t I = Next++; I < Count; I = Next++)
      Do(I);
  };
  std::vector<std::thread> Others;
  for (size_t I = 1; I < std::min<size_t>(Jobs, Count); ++I)
    Others.emplace_back(Work);
  Work();
  for (std::thread &Each : Others)
    Each.join();
}

} // namespace blockmaestro::sim
