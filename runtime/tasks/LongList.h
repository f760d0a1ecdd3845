// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: appending to lists that are short, or of many thousand entries. A
// list that is no longer short gets room for these at once: addresses, which
// cost nothing until they are used, where doubling has the host bring new pages
// and copy old ones again and again.
// On the data's way: inside TaskGraph.
// Ownership: none. Threads: one caller.

#ifndef BLOCKMAESTRO_RUNTIME_TASKS_LONGLIST_H
#define BLOCKMAESTRO_RUNTIME_TASKS_LONGLIST_H

#include <cstddef>
#include <vector>

namespace blockmaestro {

inline constexpr size_t LongEntries = size_t(1) << 16;

template <typename T> void appendToLong(std::vector<T> &To, const T &Last) {
  constexpr size_t Short = 128;
  if (To.size() == Short && To.capacity() < LongEntries)
    To.reserve(LongEntries);
  To.push_back(Last);
}

/// Has the host bring the pages of so many entries of an empty list now.
template <typename T> void bringLong(std::vector<T> &To, size_t Entries) {
  To.reserve(LongEntries);
  To.resize(Entries);
  To.clear();
}

} // namespace blockmaestro

#endif
