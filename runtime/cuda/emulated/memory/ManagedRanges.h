// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the program has said about managed memory, page by page.
// It changes nothing here but can be asked for.
// On the data's way: cudaMemAdvise, cudaMemPrefetchAsync -> here ->
// cudaMemRangeGetAttribute. Invariants: pieces are disjoint and whole pages; a
// page in no piece is as it was allocated. Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_MANAGEDRANGES_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_MANAGEDRANGES_H

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

namespace blockmaestro::emulated {

/// A place of memory as CUDA numbers devices: cudaCpuDeviceId is the host,
/// cudaInvalidDeviceId none.
struct Advice {
  bool ReadMostly = false;
  int Preferred = cudaInvalidDeviceId;
  int LastPrefetch = cudaInvalidDeviceId;
  bool ByDevice = false; ///< The device accesses it often.
  bool ByHost = false;

  bool operator==(const Advice &) const = default;
};

class ManagedRanges {
public:
  using Change = std::function<void(Advice &)>;
  /// Changes what is known of the pages that the bytes are in.
  void update(const void *Address, size_t Bytes, const Change &How);
  /// They are as newly allocated.
  void forget(const void *Address, size_t Bytes);
  /// Calls \p Each for every piece of the pages, also for unknown ones.
  void visit(const void *Address, size_t Bytes,
             const std::function<void(const Advice &)> &Each) const;
  void clear();

private:
  struct Piece {
    uintptr_t End = 0;
    Advice Said;
  };
  /// Makes a piece begin at \p Where, if one reaches over it.
  void split(uintptr_t Where);

  mutable std::mutex Lock;
  std::map<uintptr_t, Piece> Pieces;
};

} // namespace blockmaestro::emulated

#endif
