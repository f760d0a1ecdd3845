// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the list items of a construct, one by one, with what the
// program's mappers make of them.
// On the data's way: arguments of clang's calls -> here -> DeviceData.
// Invariants: items are in the order in which data is entered; leaving goes the
// other way. An item is counted on entry if and only if it is on leaving.
// Ownership: borrows what the program passes. Threads: plain values; mappers
// run on the thread that asks.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_MAPITEMS_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_MAPITEMS_H

#include "ClangInterface.h"
#include "Mappings.h"

#include <string>
#include <vector>

namespace blockmaestro::openmp {

/// Arrays of Count elements each; Names and Mappers may be null.
struct MapList {
  uint32_t Count = 0;
  void **Bases = nullptr;
  void **Begins = nullptr;
  const int64_t *Sizes = nullptr;
  const int64_t *Types = nullptr;
  void **Names = nullptr;
  void **Mappers = nullptr;
};

struct MapItem {
  HostAddress Base = 0;
  HostAddress Begin = 0;
  uint64_t Bytes = 0; ///< Of a strided section the number of dimensions.
  uint64_t Type = 0;
  const char *Source = nullptr; ///< What parseSource() reads; may be null.
  bool Counted = false;         ///< Not part of another item.
  bool HoldsMembers = false;    ///< The items behind it are parts of it.
  void **Returned = nullptr;    ///< Where the program finds the device's base.

  /// As in the source; empty where not known. Asked for where it is told: names
  /// would take most of the time of a region whose data is there.
  std::string name() const;
};

/// What the items of List are.
std::vector<MapItem> itemsOf(const MapList &List);

/// What a mapper of the program pushes.
struct MapperComponents {
  std::vector<void *> Bases;
  std::vector<void *> Begins;
  std::vector<int64_t> Sizes;
  std::vector<int64_t> Types;
  std::vector<void *> Names;
};

/// The parts of ";name;file;line;column;;" or ";file;function;line;column;;".
struct SourceText {
  std::string First;
  std::string Second;
  std::string Line;
};
SourceText parseSource(const char *Text);

} // namespace blockmaestro::openmp

#endif
