// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GraphMemory.h"

#include "EngineState.h"
#include "Graph.h"
#include "GraphState.h"
#include "MemoryState.h"
#include "Streams.h"

#include <algorithm>
#include <utility>

namespace blockmaestro::emulated {

using Guard = std::lock_guard<std::mutex>;

/// The bytes of the areas that count.
template <typename F> size_t GraphMemory::sum(F Counts) const {
  size_t Sum = 0;
  for (const auto &[Address, Each] : Known)
    if (Counts(Each))
      Sum += Each.Bytes;
  return Sum;
}

/// What executable graphs or the program hold.
size_t GraphMemory::used() const {
  return sum(
      [](const Area &Each) { return Each.Live || Each.Executables > 0; });
}

size_t GraphMemory::reserved() const { return used() + sum(isSpare); }

void GraphMemory::noteHigh() {
  UsedHigh = std::max(UsedHigh, used());
  ReservedHigh = std::max(ReservedHigh, reserved());
}

/// Null when the address is of no graph.
GraphMemory::Area *GraphMemory::find(void *Address) {
  auto Found = Known.find(Address);
  return Found == Known.end() || isSpare(Found->second) ? nullptr
                                                        : &Found->second;
}

/// Takes the smallest spare area that is not much too large. While anything is
/// under way it may still be in use by a launch before.
bool GraphMemory::takeSpare(size_t Bytes, void *&Where) {
  Guard Held(Lock);
  Engine *Runs = engineState().Runs.get();
  if (Runs && !Runs->idle())
    return false;
  Area *Best = nullptr;
  for (auto &[Address, Each] : Known)
    if (isSpare(Each) && Each.Bytes >= Bytes && Each.Bytes / 2 <= Bytes &&
        (!Best || Each.Bytes < Best->Bytes)) {
      Best = &Each;
      Where = Address;
    }
  if (Best)
    *Best = {Best->Bytes};
  return Best;
}

cudaError_t GraphMemory::reserve(size_t Bytes, void **Out) {
  if (Bytes == 0)
    return cudaErrorInvalidValue;
  if (takeSpare(Bytes, *Out))
    return cudaSuccess;
  std::map<void *, Area> New;
  New[nullptr].Bytes = Bytes;
  HeapRequest Asked;
  Asked.Bytes = Bytes;
  Asked.Call = "cudaGraphAddMemAllocNode";
  cudaError_t Error = takeMemory(Asked, Out);
  if (Error != cudaSuccess)
    return Error;
  Guard Held(Lock);
  auto Entry = New.extract(New.begin());
  Entry.key() = *Out;
  Known.insert(std::move(Entry));
  return cudaSuccess;
}

void GraphMemory::dropped(void *Address) {
  Guard Held(Lock);
  if (Area *Which = find(Address))
    Which->HasNode = false;
}

cudaError_t GraphMemory::claimFree(void *Address, bool ByOwner) {
  Guard Held(Lock);
  Area *Which = find(Address);
  if (!Which || Which->Freed == FreedBy::Owner ||
      (ByOwner && Which->Freed == FreedBy::Other))
    return cudaErrorInvalidValue;
  Which->Freed = ByOwner ? FreedBy::Owner : FreedBy::Other;
  return cudaSuccess;
}

void GraphMemory::instantiated(const MemorySteps &Steps) {
  Guard Held(Lock);
  for (void *Each : Steps.Allocated)
    if (Area *Which = find(Each))
      ++Which->Executables;
  noteHigh();
}

void GraphMemory::destroyed(const MemorySteps &Steps) {
  Guard Held(Lock);
  for (void *Each : Steps.Allocated)
    if (Area *Which = find(Each))
      --Which->Executables;
}

cudaError_t GraphMemory::launch(const MemorySteps &Steps, bool FreeFirst) {
  Guard Held(Lock);
  auto IsAllocated = [&](void *Address) {
    return std::find(Steps.Allocated.begin(), Steps.Allocated.end(), Address) !=
           Steps.Allocated.end();
  };
  for (void *Each : Steps.Allocated) {
    Area *Which = find(Each);
    if (!Which || (Which->Live && !FreeFirst))
      return cudaErrorInvalidValue;
  }
  for (void *Each : Steps.Freed) {
    Area *Which = find(Each);
    if (!Which || (!Which->Live && !IsAllocated(Each)))
      return cudaErrorInvalidValue;
  }
  for (void *Each : Steps.Allocated)
    find(Each)->Live = true;
  noteHigh();
  for (void *Each : Steps.Freed)
    find(Each)->Live = false;
  return cudaSuccess;
}

bool GraphMemory::free(void *Address, cudaError_t &Out) {
  Guard Held(Lock);
  Area *Which = find(Address);
  if (!Which)
    return false;
  bool Freeable = Which->Live && Which->Freed != FreedBy::Owner;
  Out = Freeable ? cudaSuccess : cudaErrorInvalidValue;
  if (Freeable)
    Which->Live = false;
  return true;
}

void GraphMemory::trim() {
  Guard Held(Lock);
  Engine *Runs = engineState().Runs.get();
  if (Runs && !Runs->idle())
    return;
  for (auto Each = Known.begin(); Each != Known.end();) {
    auto Here = Each++;
    if (!isSpare(Here->second))
      continue;
    (void)memoryState().Heap.release(HeapKind::Device, Here->first);
    Known.erase(Here);
  }
}

cudaError_t GraphMemory::attribute(cudaGraphMemAttributeType Which,
                                   uint64_t &Out) const {
  Guard Held(Lock);
  switch (Which) {
  case cudaGraphMemAttrUsedMemCurrent:
    Out = used();
    return cudaSuccess;
  case cudaGraphMemAttrUsedMemHigh:
    Out = UsedHigh;
    return cudaSuccess;
  case cudaGraphMemAttrReservedMemCurrent:
    Out = reserved();
    return cudaSuccess;
  case cudaGraphMemAttrReservedMemHigh:
    Out = ReservedHigh;
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

cudaError_t GraphMemory::resetHigh(cudaGraphMemAttributeType Which) {
  Guard Held(Lock);
  if (Which == cudaGraphMemAttrUsedMemHigh)
    UsedHigh = 0;
  else if (Which == cudaGraphMemAttrReservedMemHigh)
    ReservedHigh = 0;
  else
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

void GraphMemory::clear() {
  Guard Held(Lock);
  Known.clear();
  UsedHigh = ReservedHigh = 0;
}

cudaError_t takeMemory(const HeapRequest &What, void **Out) {
  DeviceHeap &Heap = memoryState().Heap;
  cudaError_t Error = Heap.allocate(What, Out);
  if (Error != cudaErrorMemoryAllocation)
    return Error;
  cudaError_t Failed = waitForAll();
  graphState().Memory.trim();
  return Failed != cudaSuccess ? Error : Heap.allocate(What, Out);
}

static void addSteps(const Graph &Of, MemorySteps &Out) {
  for (const GraphNode *Each : Of.nodes()) {
    if (auto *Taken = std::get_if<AllocateCommand>(&Each->What))
      Out.Allocated.push_back(Taken->What.dptr);
    if (auto *Given = std::get_if<FreeCommand>(&Each->What))
      Out.Freed.push_back(Given->Address);
    if (Each->Child)
      addSteps(*Each->Child, Out);
  }
}

MemorySteps memorySteps(const Graph &Of) {
  MemorySteps Out;
  addSteps(Of, Out);
  return Out;
}

cudaError_t claimGraphFree(const Graph &Of, void *Address) {
  MemorySteps Own = memorySteps(Of);
  bool ByOwner = std::find(Own.Allocated.begin(), Own.Allocated.end(),
                           Address) != Own.Allocated.end();
  return graphState().Memory.claimFree(Address, ByOwner);
}

} // namespace blockmaestro::emulated
