// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"
#include "Capture.h"
#include "GraphState.h"
#include "MemoryState.h"
#include "Streams.h"

namespace blockmaestro::emulated {

namespace {

/// Bytes counted to a pool, until the memory is there.
struct Share {
  cudaMemPool_t Of;
  uint64_t Bytes;
  bool Kept = false;
  ~Share() {
    if (!Kept)
      memoryState().Pools.giveBack(Of, Bytes);
  }
};

/// Memory that is about to be released, until the release is under way.
struct Retirement {
  DeviceHeap &Heap;
  void *Address;
  bool UnderWay = false;
  ~Retirement() {
    if (!UnderWay)
      Heap.keepRetired(Address);
  }
};

} // namespace

/// Memory of a pool. It can be used at once, so in the order of any stream.
static cudaError_t takeFrom(cudaMemPool_t From, size_t Bytes, void **Address,
                            const char *Call) {
  *Address = nullptr;
  cudaError_t Error = memoryState().Pools.take(From, Bytes);
  if (Error == cudaErrorMemoryAllocation && waitForAll() == cudaSuccess)
    Error = memoryState().Pools.take(From, Bytes);
  if (Error != cudaSuccess || Bytes == 0)
    return Error;
  Share Taken{From, Bytes};
  HeapRequest What;
  What.Bytes = Bytes;
  What.Call = Call;
  What.Pool = From;
  Error = takeMemory(What, Address);
  Taken.Kept = Error == cudaSuccess;
  return Error;
}

cudaError_t cudaMallocFromPoolAsync(void **Address, size_t Bytes,
                                    cudaMemPool_t From, cudaStream_t Stream) {
  if (!Address || !memoryState().Pools.exists(From))
    return cudaErrorInvalidValue;
  cudaError_t Captured = cudaSuccess;
  if (capturesAllocation(Stream, Bytes, Address, Captured))
    return Captured;
  cudaError_t Error = checkStream(Stream);
  return Error != cudaSuccess
             ? Error
             : takeFrom(From, Bytes, Address, "cudaMallocAsync");
}

cudaError_t cudaMallocAsync(void **Address, size_t Bytes, cudaStream_t Stream) {
  return emulated::cudaMallocFromPoolAsync(
      Address, Bytes, memoryState().Pools.currentPool(), Stream);
}

/// The memory can be released once, whatever the stream still has to do.
cudaError_t cudaFreeAsync(void *Address, cudaStream_t Stream) {
  cudaError_t Out = cudaSuccess;
  if (!Address)
    return cudaErrorInvalidValue;
  if (capturesInstead(Stream, FreeCommand{Address}, Out))
    return Out;
  Out = checkStream(Stream);
  if (Out != cudaSuccess || graphState().Memory.free(Address, Out))
    return Out;
  DeviceHeap &Heap = memoryState().Heap;
  std::optional<HeapArea> Old = Heap.find(Address);
  Work Next;
  Next.AfterFailure = true;
  if (Old)
    Next.Short = [&Heap, Address, Area = *Old] {
      if (Heap.releaseRetired(Address, Area.Id))
        memoryState().Pools.giveBack(Area.Pool, Area.Bytes);
      return Status();
    };
  Out = Heap.retire(Address, "cudaFreeAsync");
  if (Out != cudaSuccess)
    return Out;
  Retirement Half{Heap, Address};
  Out = enqueue(Stream, std::move(Next));
  Half.UnderWay = Out == cudaSuccess;
  return Out;
}

} // namespace blockmaestro::emulated
