// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the symbols of a footprint stand for at one launch: a
// number, or something that ranges within the launch, with its bounds.
// On the data's way: inside Evaluate, once per launch, before its accesses.
// Invariants: bounds hold over all threads, blocks and iterations, guards
// aside. A record whose symbols refer to each other in a circle gives symbols
// of no known range. Ownership: refers to the launch it was made from.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_LAUNCH_SYMBOLVALUES_H
#define BLOCKMAESTRO_RUNTIME_LAUNCH_SYMBOLVALUES_H

#include "Affine.h"

#include "blockmaestro/Footprint.h"
#include "blockmaestro/Launch.h"

#include <array>
#include <cstdint>
#include <vector>

namespace blockmaestro {

/// The blocks of a launch that are looked at, by dimension.
using BlockBox = std::array<Interval, 3>;

BlockBox allBlocks(Dim3 Grid);
BlockBox oneBlock(Dim3 Block);

/// What a symbol stands for at one launch.
struct SymbolUse {
  Interval Range;                ///< All its values; a number has one.
  const char *Unknown = nullptr; ///< Why it has no range.
  /// Every access that uses it is widened to its allocation: it is, or is
  /// computed from, a quotient or power with no value at this launch.
  bool Invalid = false;
  bool Never = false;  ///< Inside a loop that has no iterations.
  bool Ranged = false; ///< A value, or computed from one.

  bool number() const { return !Unknown && Range.single(); }
};

class SymbolValues {
public:
  explicit SymbolValues(const Launch &What)
      : SymbolValues(What, allBlocks(What.Grid)) {}
  SymbolValues(const Launch &What, const BlockBox &Blocks);

  /// What blockIdx ranges over.
  const BlockBox &blocks() const { return Blocks; }

  /// A loop that has no iterations is taken to have one: that it has none may
  /// rest on what is asked here.
  const SymbolUse &meaningOf(uint16_t Symbol) const { return Symbols[Symbol]; }

  /// Bounds of Value over the launch, affine or not. Null when it worked, else
  /// why not.
  const char *range(const Polynomial &Value, WideInterval &Out) const;

  /// No symbol is Invalid, Never or Ranged.
  bool ordinary() const { return !Any.Invalid && !Any.Never && !Any.Ranged; }

  /// Adds what the symbols of Value are to In: Invalid, Never and Ranged.
  void addUse(const Polynomial &Value, SymbolUse &In) const;

private:
  class Resolver;
  BlockBox Blocks;
  std::vector<SymbolUse> Symbols;
  SymbolUse Any; ///< What some symbol is of what addUse() adds.
};

namespace reasons {
inline constexpr const char *Overflows =
    "the index arithmetic leaves 64 bits with the numbers of this launch";
inline constexpr const char *NotAffine =
    "two indices (thread, block or loop) are multiplied with each other";
inline constexpr const char *NoSymbol =
    "a scalar it depends on is not inside the kernel's arguments";
} // namespace reasons

} // namespace blockmaestro

#endif
