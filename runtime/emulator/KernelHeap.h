// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the memory that kernels allocate themselves, with malloc and new.
// On the data's way: called by compiled code.
// Invariants: what is allocated stays until it is freed, over any number of
// launches; what describes it lies outside, so a kernel cannot damage it.
// Ownership: the emulator owns one. Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELHEAP_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELHEAP_H

#include "BlockContext.h"

#include <cstdint>
#include <map>
#include <mutex>

namespace blockmaestro {

class AccessObserver;

class KernelHeap {
public:
  static constexpr uint64_t DefaultBytes = 8 << 20;
  static constexpr uint64_t Alignment = 16;

  KernelHeap() = default;
  KernelHeap(const KernelHeap &) = delete;
  KernelHeap &operator=(const KernelHeap &) = delete;
  ~KernelHeap();

  /// Null when the heap has no room.
  void *allocate(uint64_t Bytes);
  /// The bytes that were freed; 0 when nothing was allocated at \p Address.
  uint64_t free(void *Address);
  /// Changes how much there is; false once a kernel has allocated.
  bool setBytes(uint64_t Bytes);

  /// Frees everything and says so to \p Who, if anyone; nothing uses it. How
  /// much there is can be changed again.
  void clear(AccessObserver *Who);

private:
  bool map();

  std::mutex Lock;
  uint8_t *Memory = nullptr;
  uint64_t Bytes = DefaultBytes;
  std::map<uint64_t, uint64_t> Free; ///< Bytes by offset, none adjacent.
  std::map<uint64_t, uint64_t> Used; ///< Bytes by offset.
};

} // namespace blockmaestro

extern "C" {
void *bm_malloc(blockmaestro::BlockContext *Context, uint64_t Bytes);
void bm_free(blockmaestro::BlockContext *Context, void *Address);
}

#endif
