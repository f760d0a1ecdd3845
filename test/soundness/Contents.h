// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the integers of a table hold, the ones a random kernel makes
// indices and conditions of.
// On the data's way: tests only; the interpreter reads it, a generated program
// fills the table's memory with it, so that both go the same way. Includes
// nothing of the project. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_CONTENTS_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_CONTENTS_H

#include <cstdint>

namespace blockmaestro::soundness {

inline uint64_t mix(uint64_t Value) {
  Value += 0x9e3779b97f4a7c15;
  Value = (Value ^ Value >> 30) * 0xbf58476d1ce4e5b9;
  Value = (Value ^ Value >> 27) * 0x94d049bb133111eb;
  return Value ^ Value >> 31;
}

/// The integer at Offset bytes from where the array's pointer points, of which
/// its type takes the low bits: any bits where Wild, else a small number.
inline int64_t contentsAt(uint32_t Seed, uint32_t Array, int64_t Offset,
                          bool Wild, bool Signed) {
  const uint64_t Hash = mix(Seed ^ mix(Array) ^ mix(uint64_t(Offset) * 31 + 7));
  if (Wild)
    return int64_t(Hash);
  return int64_t(Hash % 40) - (Signed && Hash % 5 == 0 ? 4 : 0);
}

} // namespace blockmaestro::soundness

#endif
