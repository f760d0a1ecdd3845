// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the bytes of one or many ranges that follow one another by a
// rule: a tile of a matrix is a section of each of its rows, which iterators of
// depend clauses name one by one.
// On the data's way: TaskGraph -> here -> LastUses.
// Invariants: no row goes beyond the end of the address space; rows may meet.
// Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_BYTEROWS_H
#define BLOCKMAESTRO_RUNTIME_TASKS_BYTEROWS_H

#include <cstdint>

namespace blockmaestro {

/// Row I has the bytes from First + I * FirstStep up to and with
/// Last + I * LastStep, modulo 2^64.
struct ByteRows {
  uint64_t First = 0;
  uint64_t Last = 0;
  uint64_t FirstStep = 0; ///< 0 where there is one row, as LastStep.
  uint64_t LastStep = 0;
  uint32_t Count = 1;

  uint64_t firstOf(uint32_t Row) const { return First + Row * FirstStep; }
  uint64_t lastOf(uint32_t Row) const { return Last + Row * LastStep; }

  bool operator==(const ByteRows &) const = default;
};

} // namespace blockmaestro

#endif
