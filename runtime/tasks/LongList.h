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

template <typename T> void appendToLong(std::vector<T> &To, const T &Last) {
  constexpr size_t Short = 128, Long = size_t(1) << 16;
  if (To.size() == Short && To.capacity() < Long)
    To.reserve(Long);
  To.push_back(Last);
}

} // namespace blockmaestro

#endif
