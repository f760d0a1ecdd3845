// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how many bytes a relation takes: in the recording, as Table I of
// the BlockMaestro paper would, and as a plain list.
// On the data's way: from a recording to `bm-dump encoding --paper` and to the
// storage table of benchmarks/. docs/encoding.md has the formulas.
// Invariants: what the recording takes is what its reader found there, not
// worked out again.
// Threads: one.

#ifndef BLOCKMAESTRO_TOOLS_BM_DUMP_STORAGE_H
#define BLOCKMAESTRO_TOOLS_BM_DUMP_STORAGE_H

#include "Edges.h"

#include "blockmaestro/Recording.h"

#include <cstdint>

namespace blockmaestro {

/// One relation, or the sum of several.
struct StorageBytes {
  uint64_t Stored = 0; ///< In the recording.
  uint64_t Form = 0;   ///< Its form by itself, as if nothing were shared.
  uint64_t Paper = 0;
  uint64_t List = 0;
};

/// Degrees over this become a full relation in the paper's tables.
inline constexpr uint64_t PaperDegree = 64;

/// The relations of one program, one after the other.
class Storage {
public:
  StorageBytes add(const RecordedRelation &What, Dim3 ConsumerGrid);
  const StorageBytes &total() const { return Total; }
  /// Forms that none before had.
  uint64_t forms() const { return Forms; }

private:
  StorageBytes Total;
  uint64_t Forms = 0;
};

/// Bytes of the relation written out: an offset for each consumer block and one
/// past the last, and a block number for each pair.
uint64_t listBytes(uint64_t Consumers, uint64_t Edges);

/// Bytes by Table I, rounded up, for a relation of so many blocks.
uint64_t paperBytes(const PatternFacts &Of, uint64_t Producers,
                    uint64_t Consumers);

} // namespace blockmaestro

#endif
