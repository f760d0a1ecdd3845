// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory pools: who may take how much memory in the order of
// streams, and what is kept about it.
// On the data's way: cudaMallocAsync and its kin (PoolCalls.cpp) -> here; the
// bytes are the heap's.
// Invariants: there is always a default pool and a current one. A pool that was
// destroyed lives on, without a handle, until all its memory is released.
// Memory that is released goes back to the system at once, so that a pool
// reserves what it uses.
// Threads: any; one lock.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_POOLS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_MEMORY_POOLS_H

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace blockmaestro::emulated {

struct Pool {
  uint64_t Most = UINT64_MAX; ///< Bytes; 2^64 - 1: as many as there are.
  uint64_t Used = 0;
  uint64_t UsedHigh = 0;
  uint64_t ReservedHigh = 0;
  uint64_t ReleaseThreshold = 0;
  int ReuseFollowEvents = 1;
  int ReuseOpportunistic = 1;
  int ReuseInternal = 1;
  bool Destroyed = false;
};

class Pools {
public:
  Pools();

  cudaMemPool_t defaultPool() const { return Default; }
  cudaMemPool_t currentPool() const;
  bool setCurrent(cudaMemPool_t To);
  bool exists(cudaMemPool_t Which) const;

  cudaMemPool_t create(uint64_t Most);
  /// False when there is no such pool or it is the default one.
  bool destroy(cudaMemPool_t Which);

  /// Counts bytes to a pool; cudaErrorInvalidValue when there is none,
  /// cudaErrorMemoryAllocation when it may not have so many.
  cudaError_t take(cudaMemPool_t Which, uint64_t Bytes);
  /// Nothing happens for memory of no pool, which is null.
  void giveBack(cudaMemPool_t Which, uint64_t Bytes);

  cudaError_t get(cudaMemPool_t Which, cudaMemPoolAttr What, void *Out) const;
  cudaError_t set(cudaMemPool_t Which, cudaMemPoolAttr What, const void *To);

  /// At cudaDeviceReset, when the heap forgets everything.
  void clear();

private:
  Pool *find(cudaMemPool_t Which) const;

  mutable std::mutex Lock;
  std::map<cudaMemPool_t, std::unique_ptr<Pool>> Known;
  cudaMemPool_t Default = nullptr;
  cudaMemPool_t Current = nullptr;
};

} // namespace blockmaestro::emulated

#endif
