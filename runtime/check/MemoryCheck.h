// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: BLOCKMAESTRO_CHECK=memory: which memory a kernel may touch.
// On the data's way: told of every allocation and release by the emulated
// device, asked for every access by Checks.
// Invariants: areas are disjoint. A released area is remembered, and its
// memory kept, until newer ones fill the quarantine, so that its address means
// nothing else meanwhile.
// Threads: any; one lock, shared by readers.

#ifndef BLOCKMAESTRO_RUNTIME_CHECK_MEMORYCHECK_H
#define BLOCKMAESTRO_RUNTIME_CHECK_MEMORYCHECK_H

#include "blockmaestro/AccessObserver.h"

#include <deque>
#include <map>
#include <shared_mutex>
#include <string>
#include <vector>

namespace blockmaestro {

class MemoryCheck {
public:
  static constexpr uint64_t QuarantineBytes = uint64_t(256) << 20;

  /// \p From says where it comes from: "cudaMalloc", "the variable 'x'".
  void add(uint64_t Base, uint64_t Bytes, const std::string &From);
  /// The area is released; returns the bases of those whose memory may be
  /// given back now, oldest first.
  std::vector<uint64_t> release(uint64_t Base);
  /// The area is gone and its addresses may come again.
  void forget(uint64_t Base);

  /// Ok, or what is wrong with the access.
  Status touches(const ObservedAccess &What) const;

  /// Why \p Base cannot be released by \p Call.
  std::string badRelease(uint64_t Base, const std::string &Call) const;

  /// One sentence for each area that the program allocated and did not
  /// release.
  std::vector<std::string> leaks() const;

private:
  struct Area {
    uint64_t Bytes = 0;
    std::string From;
    bool Released = false;
  };
  using Areas = std::map<uint64_t, Area>;
  Areas::const_iterator atOrBefore(uint64_t Address) const;
  struct Neighbour {
    uint64_t Distance = 0;
    std::string Text;
  };
  Neighbour nearest(uint64_t Address) const;
  std::string why(const ObservedAccess &What) const;

  mutable std::shared_mutex Lock;
  Areas Known;
  std::deque<uint64_t> Quarantine; ///< Oldest first.
  uint64_t Kept = 0;               ///< Bytes in quarantine.
};

} // namespace blockmaestro

#endif
