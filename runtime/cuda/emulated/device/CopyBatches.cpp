// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Several copies by one call: all are checked before the first begins.

#include "Arrays.h"
#include "Calls.h"
#include "Capture.h"
#include "CommandOf.h"
#include "Commands.h"
#include "Copies.h"
#include "MemoryState.h"
#include "Streams.h"

#include <vector>

namespace blockmaestro::emulated {
namespace {

bool isOrder(cudaMemcpySrcAccessOrder Order) {
  return Order >= cudaMemcpySrcAccessOrderStream &&
         Order <= cudaMemcpySrcAccessOrderAny;
}

bool areFlags(unsigned Flags) {
  return (Flags & ~unsigned(cudaMemcpyFlagPreferOverlapWithCompute)) == 0;
}

/// Whether every copy has attributes, and they are ones CUDA knows.
bool areAttributes(const cudaMemcpyAttributes *Attributes, const size_t *Starts,
                   size_t Entries, size_t Count) {
  if (!Attributes || !Starts || Entries == 0 || Entries > Count ||
      Starts[0] != 0)
    return false;
  for (size_t I = 0; I < Entries; ++I)
    if (!isOrder(Attributes[I].srcAccessOrder) ||
        !areFlags(Attributes[I].flags) ||
        (I > 0 && (Starts[I] <= Starts[I - 1] || Starts[I] >= Count)))
      return false;
  return true;
}

/// Neither the legacy stream nor a captured one can do them.
cudaError_t checkStreamOf(cudaStream_t Stream) {
  if (!Stream || Stream == cudaStreamLegacy)
    return cudaErrorInvalidValue;
  cudaError_t Out = cudaSuccess;
  return refusesCapture(Stream, Out) ? Out : checkStream(Stream);
}

/// Every copy is right before one is begun.
cudaError_t copyAll(const std::vector<CopyCommand> &All, cudaStream_t Stream) {
  for (const CopyCommand &Each : All) {
    Work Unused;
    cudaError_t Error = workOf(Each, Unused);
    if (Error != cudaSuccess)
      return Error;
  }
  for (const CopyCommand &Each : All) {
    cudaError_t Error = perform({Each, Stream, Asker::AsyncCall});
    if (Error != cudaSuccess)
      return Error;
  }
  return cudaSuccess;
}

/// One side of a copy of boxes.
struct Side {
  cudaPitchedPtr Plain = {};
  cudaArray_t Array = nullptr;
  cudaPos Start = {};
};

/// The bytes of what lengths count: an element of an array that takes part, or
/// else a byte.
size_t unitOf(const cudaMemcpy3DBatchOp &What) {
  for (const cudaMemcpy3DOperand &Each : {What.dst, What.src})
    if (Each.type == cudaMemcpyOperandTypeArray)
      if (const auto Found = memoryState().Arrays.find(Each.op.array.array))
        return Found->Format.bytes();
  return 1;
}

/// A length of 0 stands for that of the copy.
cudaError_t placeOf(const cudaMemcpy3DOperand &What, cudaExtent Size,
                    size_t Unit, Side &Out) {
  if (What.type == cudaMemcpyOperandTypeArray) {
    const auto &Of = What.op.array;
    Out.Array = Of.array;
    Out.Start = {Of.offset.x, Of.offset.y, Of.offset.z};
    return Out.Array ? cudaSuccess : cudaErrorInvalidValue;
  }
  if (What.type != cudaMemcpyOperandTypePointer)
    return cudaErrorInvalidValue;
  const auto &Of = What.op.ptr;
  Out.Plain = {Of.ptr, (Of.rowLength ? Of.rowLength : Size.width) * Unit,
               Size.width * Unit,
               Of.layerHeight ? Of.layerHeight : Size.height};
  return cudaSuccess;
}

cudaError_t boxesOf(const cudaMemcpy3DBatchOp &What, cudaMemcpy3DParms &Out) {
  bool Empty = What.extent.width == 0 || What.extent.height == 0 ||
               What.extent.depth == 0;
  if (Empty || !isOrder(What.srcAccessOrder) || !areFlags(What.flags))
    return cudaErrorInvalidValue;
  const size_t Unit = unitOf(What);
  Side To, From;
  cudaError_t Error = placeOf(What.dst, What.extent, Unit, To);
  if (Error == cudaSuccess)
    Error = placeOf(What.src, What.extent, Unit, From);
  Out = {From.Array, From.Start, From.Plain,  To.Array,
         To.Start,   To.Plain,   What.extent, cudaMemcpyDefault};
  return Error;
}

} // namespace

cudaError_t cudaMemcpyBatchAsync(void *const *Dsts, const void *const *Srcs,
                                 const size_t *Sizes, size_t Count,
                                 cudaMemcpyAttributes *Attributes,
                                 size_t *Starts, size_t NumAttributes,
                                 cudaStream_t Stream) {
  if (!Dsts || !Srcs || !Sizes || Count == 0 ||
      !areAttributes(Attributes, Starts, NumAttributes, Count))
    return cudaErrorInvalidValue;
  cudaError_t Error = checkStreamOf(Stream);
  if (Error != cudaSuccess)
    return Error;
  std::vector<CopyCommand> All;
  for (size_t I = 0; I < Count; ++I)
    All.push_back({linearCopy(Dsts[I], Srcs[I], Sizes[I], cudaMemcpyDefault)});
  return copyAll(All, Stream);
}

cudaError_t cudaMemcpy3DBatchAsync(size_t Count, cudaMemcpy3DBatchOp *List,
                                   unsigned long long Flags,
                                   cudaStream_t Stream) {
  if (!List || Count == 0 || Flags != 0)
    return cudaErrorInvalidValue;
  cudaError_t Error = checkStreamOf(Stream);
  std::vector<CopyCommand> All(Count);
  for (size_t I = 0; Error == cudaSuccess && I < Count; ++I)
    Error = boxesOf(List[I], All[I].What);
  return Error != cudaSuccess ? Error : copyAll(All, Stream);
}

} // namespace blockmaestro::emulated
