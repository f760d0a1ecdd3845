// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a recording holds, as tables: docs/python.md has their
// columns, which have the names and the numbers of bm-dump's JSON.
// On the data's way: from Recording to Columns.
// Ownership and threads: pure functions; a cursor is one caller's.

#ifndef BLOCKMAESTRO_PYTHON_RECORDINGTABLES_H
#define BLOCKMAESTRO_PYTHON_RECORDINGTABLES_H

#include "Columns.h"

#include "blockmaestro/Recording.h"

#include <memory>

namespace blockmaestro::python {

Table launchesOf(const Recording &Of);
Table copiesOf(const Recording &Of);
Table rangesOf(const Recording &Of);
Table barriersOf(const Recording &Of);
Table waitsOf(const Recording &Of);
Table observationsOf(const Recording &Of);

/// Those between launches, then those from or to a copy.
Table relationsOf(const Recording &Of);
Table piecesOf(const Recording &Of);
Table runsOf(const Recording &Of);

/// Goes once through what a recording has of each block, so many at a time.
template <typename T> class BlockCursor {
public:
  explicit BlockCursor(std::shared_ptr<const Recording> Of);

  /// The next ones, at most \p Most; without rows behind the last.
  Table next(size_t Most);

private:
  const std::shared_ptr<const Recording> Of;
  typename PackedBlocks<T>::Iterator At;
  typename PackedBlocks<T>::Iterator End;
  uint64_t Origin = 0; ///< Of the times of events.
};

extern template class BlockCursor<Event>;
extern template class BlockCursor<RecordedCost>;

} // namespace blockmaestro::python

#endif
