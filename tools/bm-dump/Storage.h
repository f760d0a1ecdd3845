// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many bytes a relation takes: as we keep it, as Table I of the
// BlockMaestro paper would, and as a plain list.
// On the data's way: from a recording to `bm-dump encoding --paper` and to the
// storage table of benchmarks/. docs/encoding.md has the formulas.
// Invariants: a form that two relations of one program share is kept once.
// Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_STORAGE_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_STORAGE_H

#include "Edges.h"

#include <cstdint>
#include <set>
#include <vector>

namespace blockmaestro {

/// One relation, or the sum of several.
struct StorageBytes {
  uint64_t Kept = 0;   ///< Packed, and the reference to it.
  uint64_t Packed = 0; ///< Alone, as if nothing were shared.
  uint64_t Paper = 0;
  uint64_t List = 0;
};

/// Degrees over this become a full relation in the paper's tables.
inline constexpr uint64_t PaperDegree = 64;

/// The relations of one program, one after the other.
class Storage {
public:
  StorageBytes add(const EncodingView &Of);
  const StorageBytes &total() const { return Total; }
  /// Different packed forms so far.
  size_t forms() const { return Forms.size(); }

private:
  StorageBytes Total;
  std::set<std::vector<uint8_t>> Forms;
};

/// Bytes of the relation written out: an offset for each consumer block and one
/// past the last, and a block number for each pair.
uint64_t listBytes(uint64_t Consumers, uint64_t Edges);

/// Bytes by Table I, rounded up, for a relation of so many blocks.
uint64_t paperBytes(const PatternFacts &Of, uint64_t Producers,
                    uint64_t Consumers);

} // namespace blockmaestro

#endif
