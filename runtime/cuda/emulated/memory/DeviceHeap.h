// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the memory the emulated device may touch: host memory that the
// program got from cudaMalloc and its kin, or has registered.
// On the data's way: the calls of Memory.cpp, HostMemory.cpp, Managed.cpp and
// Pools.cpp -> here; copies and queries ask it.
// Invariants: areas are disjoint; allocated ones are 256-byte aligned, and
// those of the device together stay below the capacity. A failure changes
// nothing. Ownership: the heap owns what it allocated, not what is registered.
// Threads: any; one lock, under which the listener is not called.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_DEVICEHEAP_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_DEVICEHEAP_H

#include "DeviceArena.h"
#include "HeapListener.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace blockmaestro {

enum class HeapKind : uint8_t { Device, Host, Managed, Registered };

/// One allocation, or one piece of registered memory.
struct HeapArea {
  uintptr_t Base = 0;
  size_t Bytes = 0;
  HeapKind Kind = HeapKind::Device;
  unsigned Flags = 0;           ///< As given to the call that made it.
  cudaMemPool_t Pool = nullptr; ///< Where it was taken from, if from one.
  bool Retiring = false;        ///< Is released in the order of a stream.
  uint64_t Id = 0;              ///< Never given twice.
};

/// What is asked of the heap; Call is the name for messages.
struct HeapRequest {
  HeapKind Kind = HeapKind::Device;
  size_t Bytes = 0;
  const char *Call = "cudaMalloc";
  unsigned Flags = 0;
  cudaMemPool_t Pool = nullptr;
};

class DeviceHeap {
public:
  /// With Gap bytes between two allocations, see DeviceArena.h.
  explicit DeviceHeap(size_t Capacity, size_t Gap = 0)
      : Capacity(Capacity), Arena(Gap) {}
  ~DeviceHeap() { clear(); }
  DeviceHeap(const DeviceHeap &) = delete;
  DeviceHeap &operator=(const DeviceHeap &) = delete;

  /// Is told of every change from now on; null: nobody.
  void listen(HeapListener *To);

  /// As cudaMalloc: no bytes give success and a null pointer.
  cudaError_t allocate(const HeapRequest &What, void **Out);
  cudaError_t allocate(HeapKind Kind, size_t Bytes, void **Out) {
    HeapRequest What;
    What.Kind = Kind;
    What.Bytes = Bytes;
    return allocate(What, Out);
  }
  /// As cudaHostRegister.
  cudaError_t add(void *Address, size_t Bytes, unsigned Flags);

  /// As cudaFree: null is success, a pointer that is no allocation of this kind
  /// is an error. Managed memory is of the device here.
  cudaError_t release(HeapKind Kind, void *Address,
                      const char *Call = "cudaFree");
  /// The first half of a release in stream order: it cannot be released twice.
  cudaError_t retire(void *Address, const char *Call);
  /// The second: gives back what was retired; false when it is gone already.
  bool releaseRetired(void *Address, uint64_t Id);
  /// Takes the first half back.
  void keepRetired(void *Address);
  /// Gives back memory that the listener kept.
  void reclaim(uint64_t Base);

  /// The area this address is in.
  std::optional<HeapArea> find(const void *Address) const;
  /// Whether all the bytes are inside one area.
  bool holds(const void *Address, size_t Bytes) const;
  /// Whether the address is in an area that ends before the bytes do.
  bool overruns(const void *Address, size_t Bytes) const;
  /// Whether any of the bytes is inside an area.
  bool meets(const void *Address, size_t Bytes) const;
  /// Whether only the device may touch it, or it is memory of the host.
  bool isDeviceOnly(const void *Address) const;
  bool isHost(const void *Address) const;

  size_t free() const;
  size_t capacity() const { return Capacity; }
  void clear();

private:
  using Areas = std::map<uintptr_t, HeapArea>;
  static bool counts(HeapKind Kind) {
    return Kind == HeapKind::Device || Kind == HeapKind::Managed;
  }
  Areas::const_iterator at(uintptr_t Address) const;
  HeapListener *insert(Areas::node_type Node);
  cudaError_t badRelease(void *Address, const char *Call);
  cudaError_t giveBack(Areas::node_type Node, HeapListener *To,
                       const char *Call);

  const size_t Capacity;
  DeviceArena Arena;
  size_t Used = 0;
  uint64_t LastId = 0;
  Areas Known;
  HeapListener *Listener = nullptr;
  mutable std::mutex Lock;
};

} // namespace blockmaestro

#endif
