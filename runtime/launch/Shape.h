// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one way of touching memory, wherever the memory lies: the
// accesses of a launch with its allocations as numbers; and what of a launch
// its accesses depend on.
// On the data's way: inside Window, between evaluate and the memos.
// Invariants:
//  - Where names each allocation once, in the order of first use; all accesses
//    but those to everything lie in one of them.
//  - Launches of equal launchKey have accesses that differ in the bases of the
//    allocations alone, and the same allocations are the same in both; so have
//    accesses of equal accessKey. See Note [What a launch depends on].
// Ownership: values. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_SHAPE_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_SHAPE_H

#include "AllocationUseIndex.h"
#include "Allocations.h"
#include "Memo.h"

#include "blockmaestro/BlockAccess.h"
#include "blockmaestro/Launch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace blockmaestro {

/// The parts of a kernel's arguments that evaluate() reads.
struct KernelInputs {
  explicit KernelInputs(const KernelRecord &Kernel);

  struct Bytes {
    uint32_t Offset;
    uint32_t Count;
  };
  std::vector<Bytes> Scalars;
  std::vector<uint32_t> Pointers; ///< Offsets.
  std::vector<std::string> Globals;
};

struct Shape {
  /// Of the allocation of each access; Nowhere for one to everything.
  static constexpr uint32_t Nowhere = ~uint32_t(0);
  /// In keys, of a null pointer: not only in no allocation that is known.
  static constexpr uint32_t Null = Nowhere - 1;

  uint64_t Number = 0;
  /// Where it was seen first.
  std::shared_ptr<const LaunchAccesses> Touched;
  std::vector<Allocation> Where;
  std::vector<MemoryUse> Uses; ///< Of Where.
  std::vector<uint32_t> AllocationOf;
  /// From the lowest to the highest byte of each access, from the base of its
  /// allocation; no block touches anything outside of it.
  struct Span {
    int64_t Low = 0;
    int64_t High = 0;
  };
  std::vector<Span> Spans;
  MemoryUse Everywhere; ///< By accesses to everything.
};

/// Fills Key and the allocations, each once.
void launchKey(const Launch &What, const KernelInputs &Inputs,
               const AllocationMap &Known, Words &Key,
               std::vector<Allocation> &Where);

/// Fills Key and the allocations, each once.
void accessKey(const LaunchAccesses &Touched, Words &Key,
               std::vector<Allocation> &Where);

/// The shape of Touched, whose allocations accessKey found to be Where.
std::shared_ptr<const Shape>
makeShape(std::shared_ptr<const LaunchAccesses> Touched,
          const std::vector<Allocation> &Where, uint64_t Number);

/// Whether a byte may be touched by both and written by one, each with its
/// allocations at Where: false only when none is.
bool mayMeet(const Shape &A, const std::vector<Allocation> &WhereA,
             const Shape &B, const std::vector<Allocation> &WhereB);

/// The accesses of Like where its allocations begin at Bases.
std::shared_ptr<const LaunchAccesses>
accessesAt(const Shape &Like, const std::vector<Allocation> &Where);

} // namespace blockmaestro

#endif
