// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the interface through which the emulated device tells what every
// thread of a kernel touches, before it does.
// On the data's way: from the emulator, whose compiled code reports each
// access, to the checks (runtime/check).
// Invariants:
//  - Memory of the thread's own (its stack) and the launch's arguments are not
//    reported.
//  - Every access of the source is reported, also one whose result is never
//    used; but one that the same thread has made before may not be.
//  - Two accesses of one block are ordered by a barrier when their
//    BlockRounds differ; of one warp also when their WarpRounds differ.
//  - Synchronizing accesses are atomics and volatile ones.
// Ownership: the observer outlives the emulator's use of it.
// Threads: any; blocks of one launch report from several threads at once.

#ifndef BLOCKMAESTRO_ACCESSOBSERVER_H
#define BLOCKMAESTRO_ACCESSOBSERVER_H

#include "blockmaestro/Launch.h"
#include "blockmaestro/Status.h"

#include <cstdint>
#include <string>

namespace blockmaestro {

/// What a thread does to memory, as a set of bits.
enum AccessBits : uint32_t {
  AccessReads = 1,
  AccessWrites = 2,
  AccessSynchronizes = 4, ///< Atomic or volatile.
};

enum class AccessSpace : uint8_t {
  Global,
  Shared,       ///< In the block's shared memory.
  OutsideShared ///< Meant for it, but not in it.
};

struct ObservedAccess {
  const Launch *What = nullptr;
  uint64_t Block = 0;  ///< Linear.
  uint32_t Thread = 0; ///< Linear.
  uint32_t BlockRound = 0;
  uint32_t WarpRound = 0;
  uint64_t Address = 0;
  uint64_t Bytes = 0;
  uint32_t Alignment = 1; ///< What the instruction needs.
  uint32_t Bits = 0;      ///< AccessBits.
  AccessSpace Space = AccessSpace::Global;
  const char *Where = ""; ///< The source line, "file.cu:12"; may be empty.
};

class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  /// Ok when the thread may go on; otherwise what the kernel dies of.
  virtual Status touches(const ObservedAccess &What) = 0;
  /// The thread of the block has executed a fence of the device or the system.
  virtual void fences(const Launch &What, uint64_t Block, uint32_t Thread) = 0;
  /// The block has come to its end, and all it touches has been told.
  virtual void ends(const Launch &What, uint64_t Block) = 0;
  /// Device memory that no call of the program allocates: a device variable, or
  /// what a kernel allocated; Bytes 0 when it is gone. Constant: nothing writes
  /// it while the program runs.
  virtual void memory(const std::string &Name, uint64_t Address, uint64_t Bytes,
                      bool Constant = false) = 0;
};

} // namespace blockmaestro

#endif
