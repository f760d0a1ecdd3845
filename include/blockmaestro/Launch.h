// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one kernel launch as issued by the program, all numbers known.
// On the data's way: made by runtime/cuda from the launch call, read by
// evaluation, executors and the recording.
// Invariants: Arguments has Kernel->ArgumentBytes bytes, laid out by
// Kernel->Parameters; Id counts kernel launches from 0 in the order issued.
// Ownership: Kernel outlives every Launch. Threads: immutable once issued.

#ifndef BLOCKMAESTRO_LAUNCH_H
#define BLOCKMAESTRO_LAUNCH_H

#include "blockmaestro/Metadata.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace blockmaestro {

struct Dim3 {
  uint32_t X = 1;
  uint32_t Y = 1;
  uint32_t Z = 1;

  uint32_t operator[](unsigned Dimension) const {
    return Dimension == 0 ? X : Dimension == 1 ? Y : Z;
  }
  uint64_t count() const { return uint64_t(X) * Y * Z; }
};

inline bool operator==(Dim3 A, Dim3 B) {
  return A.X == B.X && A.Y == B.Y && A.Z == B.Z;
}
inline bool operator!=(Dim3 A, Dim3 B) { return !(A == B); }

/// Blocks are numbered x fastest: (z * Grid.Y + y) * Grid.X + x.
inline Dim3 blockOf(uint64_t Linear, Dim3 Grid) {
  return {uint32_t(Linear % Grid.X), uint32_t(Linear / Grid.X % Grid.Y),
          uint32_t(Linear / Grid.X / Grid.Y)};
}
inline uint64_t linearOf(Dim3 Block, Dim3 Grid) {
  return (uint64_t(Block.Z) * Grid.Y + Block.Y) * Grid.X + Block.X;
}

struct Launch {
  uint64_t Id = 0;
  const KernelRecord *Kernel = nullptr;
  Dim3 Grid;
  Dim3 Block;
  uint32_t DynamicSharedBytes = 0;
  bool Cooperative = false; ///< All blocks must be under way together.
  /// No block waits for another but for what that holds for a while, as a lock.
  bool Independent = false;
  /// The extents of a cluster, whose blocks must be under way together; they
  /// divide those of the grid.
  Dim3 Cluster;
  std::vector<uint8_t> Arguments;
  /// What messages call a block besides its number; null: nothing.
  std::function<std::string(uint64_t Block)> BlockName;
};

/// Arguments laid out as the kernel wants them; From has a pointer for each of
/// its parameters.
inline std::vector<uint8_t> packedArguments(const KernelRecord &Kernel,
                                            void *const *From) {
  std::vector<uint8_t> Out(Kernel.ArgumentBytes);
  for (size_t I = 0; I < Kernel.Parameters.size(); ++I)
    std::memcpy(Out.data() + Kernel.Parameters[I].Offset, From[I],
                Kernel.Parameters[I].Bytes);
  return Out;
}

/// ", task 3 (a.cpp:12)", or nothing.
inline std::string nameOfBlock(const Launch &Of, uint64_t Block) {
  return Of.BlockName ? ", " + Of.BlockName(Block) : "";
}

/// A device allocation as the runtime knows it.
struct Allocation {
  uint64_t Base = 0;
  uint64_t Bytes = 0;
};

} // namespace blockmaestro

#endif
