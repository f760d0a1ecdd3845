// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: where the memory of the emulated device comes from: mappings of
// its own, so that a kernel that writes beyond an allocation meets memory of
// the device, as on a GPU, and not the program's heap.
// On the data's way: DeviceHeap takes its memory here.
// Invariants: addresses are aligned to Granule; the lowest place that is large
// enough is taken; between two allocations of a mapping are at least as many
// bytes as the gap. With a gap of 0 allocations of whole granules touch.
// A failure changes nothing. Ownership: owns the mappings.
// Threads: the caller's lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_DEVICEARENA_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_DEVICEARENA_H

#include <cstddef>
#include <cstdint>
#include <map>

namespace blockmaestro {

class DeviceArena {
public:
  static constexpr size_t Granule = 256;

  explicit DeviceArena(size_t Gap)
      : Gap((Gap + Granule - 1) / Granule * Granule) {}
  ~DeviceArena();
  DeviceArena(const DeviceArena &) = delete;
  DeviceArena &operator=(const DeviceArena &) = delete;

  /// Null when the system gives no memory.
  void *allocate(size_t Bytes);
  /// What allocate() gave, once.
  void release(void *Memory);

private:
  using Ranges = std::map<uintptr_t, size_t>; ///< Bytes by address.

  Ranges::iterator findRoom(size_t Bytes);
  Ranges::iterator map(size_t Bytes);
  void join(Ranges::iterator Left);
  void unmap(uintptr_t Base);

  const size_t Gap;
  Ranges Mapped;
  Ranges Free; ///< With the gap behind each allocation that was there.
  Ranges Taken;
};

} // namespace blockmaestro

#endif
