// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device memory a program holds, as the runtime saw it being
// allocated, and the addresses of its device globals.
// On the data's way: kept by runtime/cuda, read by Evaluate.
// Invariants: the allocations are disjoint; one that overlaps older ones
// replaces them. A global that two modules define at different addresses is
// ambiguous and not found. Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_ALLOCATIONS_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_ALLOCATIONS_H

#include "blockmaestro/Launch.h"

#include <cstdint>
#include <map>
#include <string>

namespace blockmaestro {

/// Where a pointer may point. C++ lets a pointer be one past the end of an
/// allocation, which may be the first byte of another; programs also count from
/// one, with a pointer a little before the start. Each null where there is
/// none.
struct Neighbourhood {
  const Allocation *Inside = nullptr; ///< Contains the address.
  const Allocation *Ending = nullptr; ///< Ends right before the address.
  const Allocation *Behind = nullptr; ///< Begins a little above the address.
  /// So do others, which it may point into as well.
  bool Crowded = false;

  /// Of these, the one that offsets are counted from.
  const Allocation *first() const {
    return Inside ? Inside : Ending ? Ending : Behind;
  }
};

class AllocationMap {
public:
  /// A pointer so far before an allocation may be meant to point into it.
  static constexpr uint64_t NearBytes = 64;

  /// One of no bytes is not kept. Own: nothing but the device sees it.
  void add(const Allocation &What, bool Own = false);
  /// False when no allocation starts at Base.
  bool remove(uint64_t Base);
  /// The allocation that contains Address, or null. Valid until the next add,
  /// remove or clear.
  const Allocation *find(uint64_t Address) const;
  /// Whether an allocation that nothing but the device sees has all these
  /// bytes.
  bool owns(uint64_t Address, uint64_t Bytes) const;
  /// Valid as long.
  Neighbourhood around(uint64_t Address) const;

  /// Makes a device global known, by its mangled name, and its memory.
  void addGlobal(const std::string &Symbol, const Allocation &What,
                 bool Own = false);
  const Allocation *findGlobal(const std::string &Symbol) const;

  void clear();

  /// Another number after every change; equal numbers of one map mean that
  /// every answer is the same.
  uint64_t version() const { return Version; }

private:
  struct Known : Allocation {
    bool Own = false;
  };
  const Known *holding(uint64_t Address) const;

  std::map<uint64_t, Known> ByBase;
  std::map<std::string, Allocation> Globals; ///< No bytes: ambiguous.
  uint64_t Version = 0;
};

} // namespace blockmaestro

#endif
