// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what inline assembly does, as far as its PTX says so: which
// bytes it touches through which operand, and what it asks of the hardware.
// On the data's way: read before the analysis, which replaces what is
// understood by plain loads and stores, and by the checks of block variants.
// Invariants: assembly that may do more than what is said here is not
// Understood. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_PTXASSEMBLY_H
#define BLOCKMAESTRO_PASSES_DEVICE_PTXASSEMBLY_H

#include "blockmaestro/Footprint.h"

#include "llvm/IR/InstrTypes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
} // namespace llvm

namespace blockmaestro {

/// A comparison of an argument of the assembly with another or a number.
struct AssemblyTest {
  llvm::CmpInst::Predicate Compare = llvm::CmpInst::BAD_ICMP_PREDICATE;
  unsigned Left = 0;
  std::optional<unsigned> RightArgument;
  int64_t RightNumber = 0;
};

/// Bytes at an argument of the assembly plus Displacement.
struct AssemblyAccess {
  AccessKind Kind = AccessKind::Read;
  unsigned Address = 0; ///< Argument of the call that holds the address.
  int64_t Displacement = 0;
  uint64_t Bytes = 0; ///< 0: as many as argument Length says.
  unsigned Length = 0;
  bool Sometimes = false; ///< Under an unknown predicate, or fewer bytes.
  std::optional<AssemblyTest> When; ///< Only where this holds.
  bool NonCoherent = false;         ///< May return what was there before.
};

struct AssemblyEffects {
  bool Understood = true; ///< Otherwise it may touch anything.
  std::vector<AssemblyAccess> Accesses;
  bool Barrier = false;       ///< Among the threads of the block.
  bool ReadsIndices = false;  ///< threadIdx and the like, by register.
  bool Exits = false;         ///< May end the thread.
  bool Traps = false;         ///< May end the program.
  bool Clock = false;         ///< Reads a clock or timer.
  bool Grid = false;          ///< Meets other blocks of a cooperative launch.
  bool Cluster = false;       ///< Reaches other blocks of a cluster.
  bool Textures = false;      ///< Reads or writes textures or surfaces.
  bool Descriptor = false;    ///< Reaches memory through a tensor map.
  bool EarlyLaunch = false;   ///< griddepcontrol
  bool SharedBarrier = false; ///< mbarrier
  bool Bulk = false;          ///< Asynchronous bulk copies.
};

/// What the inline assembly that Call executes does.
AssemblyEffects describeAssembly(const llvm::CallBase &Call);

} // namespace blockmaestro

#endif
