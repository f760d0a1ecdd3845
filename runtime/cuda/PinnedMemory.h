// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory of the host that the program has allocated pinned, for
// this device: copies of it may be done as long as it is there.
// On the data's way: kept by Runtime, asked where a copy may be held back.
// Invariants: an allocation has a number that no other ever has, though it may
// get another's address. Memory that was registered is none of this.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_PINNEDMEMORY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_PINNEDMEMORY_H

#include <cstdint>
#include <iterator>
#include <map>

namespace blockmaestro {

class PinnedMemory {
public:
  void add(uint64_t Base, uint64_t Bytes) { ByBase[Base] = {Bytes, ++Last}; }
  void remove(uint64_t Base) { ByBase.erase(Base); }
  void clear() { ByBase.clear(); }

  /// The number of the allocation that has all these bytes; 0: none has.
  uint64_t holding(uint64_t Address, uint64_t Bytes) const {
    auto Behind = ByBase.upper_bound(Address);
    if (Behind == ByBase.begin())
      return 0;
    const auto &[Base, Block] = *std::prev(Behind);
    const uint64_t Offset = Address - Base;
    return Offset < Block.Bytes && Bytes <= Block.Bytes - Offset ? Block.Number
                                                                 : 0;
  }

private:
  struct Allocated {
    uint64_t Bytes = 0;
    uint64_t Number = 0;
  };
  std::map<uint64_t, Allocated> ByBase;
  uint64_t Last = 0; ///< Number.
};

} // namespace blockmaestro

#endif
