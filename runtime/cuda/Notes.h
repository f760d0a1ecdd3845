// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what was widened, refused or passed through, and why, counted per
// kernel: the text of BLOCKMAESTRO_EXPLAIN=1.
// Invariants: the text depends on what was noted, not on the order.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_NOTES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_NOTES_H

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace blockmaestro {

class Notes {
public:
  using Printer = void (*)(const std::string &Sentence);
  /// Print gets every failure of a kernel as it happens, under the notes' lock;
  /// may be null.
  explicit Notes(Printer Print = nullptr) : Print(Print) {}

  /// About is a kernel's name, or empty for the program as a whole.
  void add(const std::string &About, const std::string &Why);
  /// What a kernel died of, or why it cannot run; also printed, the first time.
  void addFailure(const std::string &Why);
  /// One line per kernel and reason, sorted; empty when there are none.
  std::string text() const;

private:
  const Printer Print;
  mutable std::mutex Lock;
  std::map<std::pair<std::string, std::string>, uint64_t> Counts;
};

} // namespace blockmaestro

#endif
