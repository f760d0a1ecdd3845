// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceArena.h"

#include <algorithm>
#include <iterator>
#include <sys/mman.h>
#include <utility>

namespace blockmaestro {

/// Of most mappings. A larger one holds one allocation and goes with it.
static constexpr size_t MappingBytes = size_t(64) << 20;

DeviceArena::~DeviceArena() {
  for (const auto &[Base, Bytes] : Mapped)
    munmap(reinterpret_cast<void *>(Base), Bytes);
}

DeviceArena::Ranges::iterator DeviceArena::findRoom(size_t Bytes) {
  return std::find_if(Free.begin(), Free.end(), [Bytes](const auto &Range) {
    return Range.second >= Bytes;
  });
}

/// A new mapping with room for Bytes; the free range in it, or the end.
DeviceArena::Ranges::iterator DeviceArena::map(size_t Bytes) {
  const size_t Whole = std::max(MappingBytes, Bytes + Gap);
  Ranges Range, Mapping;
  Range.emplace(0, Whole - Gap);
  Mapping.emplace(0, Whole);
  void *Memory = mmap(nullptr, Whole, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Memory == MAP_FAILED)
    return Free.end();
  auto New = Range.extract(Range.begin()),
       Its = Mapping.extract(Mapping.begin());
  Its.key() = reinterpret_cast<uintptr_t>(Memory);
  New.key() = Its.key() + Gap;
  Mapped.insert(std::move(Its));
  return Free.insert(std::move(New)).position;
}

void *DeviceArena::allocate(size_t Bytes) {
  if (Bytes > SIZE_MAX / 2)
    return nullptr;
  const size_t Needed = (Bytes + Granule - 1) / Granule * Granule + Gap;
  Ranges Mine;
  Mine.emplace(0, Needed);
  auto Room = findRoom(Needed);
  if (Room == Free.end())
    Room = map(Needed);
  if (Room == Free.end())
    return nullptr;
  auto Taking = Mine.extract(Mine.begin());
  auto Rest = Free.extract(Room);
  const uintptr_t Base = Taking.key() = Rest.key();
  Rest.key() += Needed;
  Rest.mapped() -= Needed;
  if (Rest.mapped() != 0)
    Free.insert(std::move(Rest));
  Taken.insert(std::move(Taking));
  return reinterpret_cast<void *>(Base);
}

/// Makes one range of Left and the next one where they touch in one mapping.
void DeviceArena::join(Ranges::iterator Left) {
  const auto Right = std::next(Left);
  if (Right == Free.end() || Left->first + Left->second != Right->first ||
      Mapped.count(Right->first - Gap) != 0)
    return;
  Left->second += Right->second;
  Free.erase(Right);
}

/// Gives back the mapping that begins at Base and is free from the gap on.
void DeviceArena::unmap(uintptr_t Base) {
  const auto Gone = Mapped.find(Base);
  munmap(reinterpret_cast<void *>(Base), Gone->second);
  Mapped.erase(Gone);
}

void DeviceArena::release(void *Memory) {
  auto Node = Taken.extract(reinterpret_cast<uintptr_t>(Memory));
  auto At = Free.insert(std::move(Node)).position;
  join(At);
  if (At != Free.begin()) {
    At = std::prev(At);
    join(At);
    if (At->first + At->second <= reinterpret_cast<uintptr_t>(Memory))
      ++At;
  }
  const auto In = Mapped.find(At->first - Gap);
  if (In == Mapped.end() || In->second != At->second + Gap ||
      In->second == MappingBytes)
    return;
  Free.erase(At);
  unmap(In->first);
}

} // namespace blockmaestro
