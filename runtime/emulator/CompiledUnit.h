// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: one compiled module as it is linked and as it is kept on disk:
// host code, and everything about it that the emulator needs, so that neither
// IR nor passes are needed a second time.
// On the data's way: from KernelCompiler or DiskCache to KernelCache.
// Invariants: the encoding is self-contained and decoding checks every length;
// DiskCache checks that the bytes are those that were written.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILEDUNIT_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_COMPILEDUNIT_H

#include "KernelForm.h"
#include "TracedCode.h"

#include "blockmaestro/Event.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockmaestro {

/// What the emulator knows of a kernel besides its code.
struct KernelFacts {
  KernelForm Form = KernelForm::ThreadLoop;
  std::vector<std::string> Sites; ///< See SourceSites.
  uint64_t StaticShared = 0;
  uint32_t ArgumentBytes = 0;
  uint64_t StackBytes = 0; ///< Of a thread's local variables, where known.
  bool DeepStack = false;  ///< Calls may nest to a depth that is not known.
  bool MayWait = false;    ///< Has loops that wait for other blocks.
  /// Where in static shared memory what cooperative groups keep there lies,
  /// which is zero when a block begins; ~0 without.
  uint32_t ReservedShared = ~0u;
  /// How many threads in x the block function may run as one block, of several
  /// that are neighbours; 0 if it runs single blocks only.
  uint32_t StripThreads = 0;
  std::vector<BlockCost> Weights; ///< Empty when visits are not counted.
  std::shared_ptr<const TracedCode> Traced; ///< Null when warps are not.
};

struct DefinedVariable {
  std::string Name;
  uint64_t Bytes = 0;
  bool Constant = false; ///< Nothing writes it.
  bool operator==(const DefinedVariable &) const = default;
};

struct CompiledUnit {
  std::string Object; ///< A relocatable object of the host.
  /// Functions and variables of other units that it refers to.
  std::vector<std::string> Needs;
  std::vector<DefinedVariable> Variables;
  KernelFacts Facts; ///< Of a kernel.
};

std::string encode(const CompiledUnit &Unit);
/// Nothing when \p Bytes are not what encode() makes.
std::optional<CompiledUnit> decode(std::string_view Bytes);

} // namespace blockmaestro

#endif
