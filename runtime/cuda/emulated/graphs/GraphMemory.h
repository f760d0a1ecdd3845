// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory that nodes of graphs allocate. Its address is known as
// soon as the node is there, so the bytes are taken from the heap then.
// On the data's way: nodes reserve, executable graphs say when they come and
// go and when they are launched, cudaFree and cudaFreeAsync ask here first.
// Invariants: an address belongs to one node; its bytes are spare when neither
// its graph, nor an executable graph, nor the program (which has not freed it
// since a launch) holds it any more, and go back to the heap by a trim.
// Threads: any; one lock of its own.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHMEMORY_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_GRAPHS_GRAPHMEMORY_H

#include "DeviceHeap.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace blockmaestro::emulated {

class Graph;

/// What a graph and its child graphs allocate and free, in the order run.
struct MemorySteps {
  std::vector<void *> Allocated;
  std::vector<void *> Freed;
};

class GraphMemory {
public:
  /// For a node that allocates. The graph holds it until dropped().
  cudaError_t reserve(size_t Bytes, void **Out);
  void dropped(void *Address);

  /// Whether a node of the graph Owner may free it; and that one does now.
  cudaError_t claimFree(void *Address, bool ByOwner);

  void instantiated(const MemorySteps &Steps);
  void destroyed(const MemorySteps &Steps);
  /// Before a launch: cudaErrorInvalidValue when something allocated is still
  /// there, or something freed is not. Otherwise it is launched.
  cudaError_t launch(const MemorySteps &Steps, bool FreeFirst);

  /// Whether the address is of a graph; Out is what freeing it says.
  bool free(void *Address, cudaError_t &Out);

  /// Gives what is spare back to the heap, if nothing is under way.
  void trim();
  cudaError_t attribute(cudaGraphMemAttributeType Which, uint64_t &Out) const;
  cudaError_t resetHigh(cudaGraphMemAttributeType Which);
  /// At cudaDeviceReset, when the heap forgets everything.
  void clear();

private:
  enum class FreedBy { Nobody, Owner, Other };
  struct Area {
    size_t Bytes = 0;
    FreedBy Freed = FreedBy::Nobody;
    bool HasNode = true;
    bool Live = false; ///< Launched, and not freed since.
    unsigned Executables = 0;
  };
  /// Held by nobody: kept for the next that asks, until a trim.
  static bool isSpare(const Area &What) {
    return !What.HasNode && !What.Live && What.Executables == 0;
  }
  Area *find(void *Address);
  bool takeSpare(size_t Bytes, void *&Where);
  template <typename F> size_t sum(F Counts) const;
  size_t used() const;
  size_t reserved() const;
  void noteHigh();

  mutable std::mutex Lock;
  std::map<void *, Area> Known;
  size_t UsedHigh = 0;
  size_t ReservedHigh = 0;
};

/// Memory of the heap. Where none is left, waits for the memory whose release
/// is under way in the order of streams, and tries once more.
cudaError_t takeMemory(const HeapRequest &What, void **Out);

/// A node of this graph is about to free it: cudaErrorInvalidValue when no
/// graph allocates it, or another node frees it.
cudaError_t claimGraphFree(const Graph &Of, void *Address);

/// What a graph allocates and frees, with its child graphs.
MemorySteps memorySteps(const Graph &Of);

} // namespace blockmaestro::emulated

#endif
