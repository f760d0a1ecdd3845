// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskRecords.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace blockmaestro::openmp {

void TaskRecords::addSlab(uint32_t Size) {
  const size_t Each = sizeof(Head) + (size_t(1) << (Size + SmallestBits));
  const size_t Count = std::max<size_t>(SlabBytes / Each, 1);
  Slabs.push_back({std::make_unique_for_overwrite<std::byte[]>(Count * Each),
                   Count * Each});
  for (size_t I = Count; I-- > 0;)
    Free[Size].push_back(
        reinterpret_cast<Head *>(Slabs.back().Memory.get() + I * Each));
}

void *TaskRecords::take(uint32_t Kind, size_t Bytes) {
  const size_t Rounded = std::max(Bytes, size_t(1) << SmallestBits) - 1;
  const auto Size = uint32_t(std::bit_width(Rounded)) - SmallestBits;
  if (Free[Size].empty())
    addSlab(Size);
  Head *Out = Free[Size].back();
  Free[Size].pop_back();
  *Out = {Kind, Size};
  return std::memset(Out + 1, 0, Bytes);
}

void TaskRecords::give(void *Record) {
  Free[headOf(Record)->Size].push_back(headOf(Record));
}

bool TaskRecords::has(const void *Where) const {
  for (const Slab &Each : Slabs)
    if (size_t(static_cast<const std::byte *>(Where) - Each.Memory.get()) <
        Each.Bytes)
      return true;
  return false;
}

} // namespace blockmaestro::openmp
