// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the emulated device's memory: host memory that the program got
// from cudaMalloc and its kin.
// Invariants: allocations are disjoint and 256-byte aligned; together they stay
// below the capacity. Ownership: the heap owns what it allocated.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICEHEAP_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_DEVICEHEAP_H

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace blockmaestro {

enum class HeapKind : uint8_t { Device, Host };

class DeviceHeap {
public:
  explicit DeviceHeap(size_t Capacity) : Capacity(Capacity) {}
  ~DeviceHeap() { clear(); }
  DeviceHeap(const DeviceHeap &) = delete;
  DeviceHeap &operator=(const DeviceHeap &) = delete;

  /// As cudaMalloc: no bytes give success and a null pointer.
  cudaError_t allocate(HeapKind Kind, size_t Bytes, void **Out);
  /// As cudaFree: null is success, a pointer that is no allocation of this kind
  /// is an error.
  cudaError_t release(HeapKind Kind, void *Address);
  /// Whether all the bytes are inside one allocation.
  bool holds(const void *Address, size_t Bytes) const;
  /// Whether the address is in an allocation that ends before the bytes do.
  bool overruns(const void *Address, size_t Bytes) const;
  size_t free() const;
  size_t capacity() const { return Capacity; }
  void clear();

private:
  struct Area {
    size_t Bytes;
    HeapKind Kind;
  };
  size_t bytesAfter(const void *Address) const;

  const size_t Capacity;
  size_t Used = 0;
  std::map<uintptr_t, Area> Areas;
  mutable std::mutex Lock;
};

} // namespace blockmaestro

#endif
