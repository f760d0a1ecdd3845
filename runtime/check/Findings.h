// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the checks have found in the user's program, each kind of
// finding at each place once, and how often.
// On the data's way: filled by the checks; read by the front end, which prints.
// Invariants: at most Most findings are kept, the rest is only counted.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_FINDINGS_H
#define BLOCKMAESTRO_RUNTIME_CHECK_FINDINGS_H

#include "blockmaestro/AccessObserver.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace blockmaestro {

class Findings {
public:
  static constexpr size_t Most = 100;

  /// Every finding that is new and among the first goes to \p Show.
  explicit Findings(std::function<void(const std::string &)> Show)
      : Show(std::move(Show)) {}

  /// \p Key tells apart what is worth saying twice.
  void add(const std::string &Key, const std::string &Text);
  uint64_t count() const;
  /// One line for the end of the program; empty without findings.
  std::string summary() const;

private:
  std::function<void(const std::string &)> Show;
  mutable std::mutex Lock;
  std::set<std::string> Known;
  uint64_t Count = 0;
};

/// "block (1,0,0), thread (37,0,0) of kernel 'k' at a.cu:12"
std::string placeOf(const ObservedAccess &What);
/// "block (1,0,0), thread (37,0,0)"
std::string threadOf(const Launch &What, uint64_t Block, uint32_t Thread);
std::string hexadecimal(uint64_t Address);

} // namespace blockmaestro

#endif
