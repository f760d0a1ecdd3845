// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceHeap.h"

#include <cstdlib>
#include <iterator>

namespace blockmaestro {

static constexpr size_t Alignment = 256;

cudaError_t DeviceHeap::allocate(HeapKind Kind, size_t Bytes, void **Out) {
  if (!Out)
    return cudaErrorInvalidValue;
  *Out = nullptr;
  if (Bytes == 0)
    return cudaSuccess;
  std::lock_guard<std::mutex> Guard(Lock);
  if (Bytes > Capacity - Used)
    return cudaErrorMemoryAllocation;
  size_t Rounded = (Bytes + Alignment - 1) / Alignment * Alignment;
  void *Address = std::aligned_alloc(Alignment, Rounded);
  if (!Address)
    return cudaErrorMemoryAllocation;
  Areas[reinterpret_cast<uintptr_t>(Address)] = {Bytes, Kind};
  Used += Bytes;
  *Out = Address;
  return cudaSuccess;
}

cudaError_t DeviceHeap::release(HeapKind Kind, void *Address) {
  if (!Address)
    return cudaSuccess;
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Areas.find(reinterpret_cast<uintptr_t>(Address));
  if (Found == Areas.end() || Found->second.Kind != Kind)
    return cudaErrorInvalidValue;
  Used -= Found->second.Bytes;
  Areas.erase(Found);
  std::free(Address);
  return cudaSuccess;
}

/// How many bytes of an allocation follow Address, itself included; 0 when it
/// is in none.
size_t DeviceHeap::bytesAfter(const void *Address) const {
  std::lock_guard<std::mutex> Guard(Lock);
  uintptr_t Where = reinterpret_cast<uintptr_t>(Address);
  auto Next = Areas.upper_bound(Where);
  if (Next == Areas.begin())
    return 0;
  const auto &[Base, Found] = *std::prev(Next);
  return Where - Base < Found.Bytes ? Found.Bytes - (Where - Base) : 0;
}

bool DeviceHeap::holds(const void *Address, size_t Bytes) const {
  size_t Left = bytesAfter(Address);
  return Left > 0 && Bytes <= Left;
}

bool DeviceHeap::overruns(const void *Address, size_t Bytes) const {
  size_t Left = bytesAfter(Address);
  return Left > 0 && Bytes > Left;
}

size_t DeviceHeap::free() const {
  std::lock_guard<std::mutex> Guard(Lock);
  return Capacity - Used;
}

void DeviceHeap::clear() {
  std::lock_guard<std::mutex> Guard(Lock);
  for (const auto &[Base, Each] : Areas)
    std::free(reinterpret_cast<void *>(Base));
  Areas.clear();
  Used = 0;
}

} // namespace blockmaestro
