// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what memory holds before the first launch of a generated program,
// and the hash of what it holds at the end.
// On the data's way: the interpreter and the generated programs include it, so
// that both do the same. Includes nothing of the project but Contents.h.

#ifndef BLOCKMAESTRO_TEST_BARRIERS_BARRIERMEMORY_H
#define BLOCKMAESTRO_TEST_BARRIERS_BARRIERMEMORY_H

#include "../../soundness/Contents.h"

#include <cstdint>
#include <vector>

namespace blockmaestro::barriers {

/// Memories of a program: three buffers with halos, the halves of the exchange
/// area, and the words that no kernel writes.
enum Memory : unsigned {
  FirstBuffer,
  Half0 = 3,
  Half1,
  UniformMemory,
  Memories
};

using Words = std::vector<uint32_t>;

inline Words contents(uint32_t Seed, unsigned Memory, size_t Size) {
  Words Out(Size);
  for (size_t I = 0; I < Size; ++I)
    Out[I] = uint32_t(soundness::contentsAt(Seed, Memory, int64_t(I),
                                            Memory != UniformMemory, false));
  return Out;
}

inline uint64_t hashed(uint64_t Sum, const Words &Of) {
  for (uint32_t Word : Of) {
    Sum = (Sum ^ Word) * 1099511628211u;
    Sum ^= Sum >> 29;
  }
  return Sum;
}

} // namespace blockmaestro::barriers

#endif
