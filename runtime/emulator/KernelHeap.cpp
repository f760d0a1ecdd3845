// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelHeap.h"

#include "Faults.h"
#include "ThreadScheduler.h"

#include "blockmaestro/AccessObserver.h"

#include <new>
#include <sys/mman.h>
#include <utility>

namespace blockmaestro {

KernelHeap::~KernelHeap() { clear(nullptr); }

void KernelHeap::clear(AccessObserver *Who) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (!Memory)
    return;
  if (Who)
    for (const auto &[Offset, Size] : Used)
      Who->memory("", uint64_t(Memory) + Offset, 0);
  munmap(Memory, Bytes);
  Memory = nullptr;
  Free.clear();
  Used.clear();
}

/// Gets the memory at the first allocation.
bool KernelHeap::map() {
  if (Memory)
    return true;
  void *Got = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Got == MAP_FAILED)
    return false;
  Memory = static_cast<uint8_t *>(Got);
  Free[0] = Bytes;
  return true;
}

bool KernelHeap::setBytes(uint64_t Wanted) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Memory)
    return Wanted == Bytes;
  Bytes = Wanted;
  return true;
}

void *KernelHeap::allocate(uint64_t Wanted) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Wanted == 0 || Wanted > Bytes || !map())
    return nullptr;
  Wanted = (Wanted + Alignment - 1) / Alignment * Alignment;
  for (auto Range = Free.begin(); Range != Free.end(); ++Range) {
    auto [Offset, Room] = *Range;
    if (Room < Wanted)
      continue;
    Used[Offset] = Wanted;
    auto Taken = Free.extract(Range);
    if (Room > Wanted) {
      Taken.key() = Offset + Wanted;
      Taken.mapped() = Room - Wanted;
      Free.insert(std::move(Taken));
    }
    return Memory + Offset;
  }
  return nullptr;
}

uint64_t KernelHeap::free(void *Address) {
  std::lock_guard<std::mutex> Guard(Lock);
  auto Found = Used.find(uint64_t(static_cast<uint8_t *>(Address) - Memory));
  if (!Memory || Found == Used.end())
    return 0;
  uint64_t Size = Found->second;
  auto Range = Free.insert(Used.extract(Found)).position;
  auto After = std::next(Range);
  if (After != Free.end() && Range->first + Range->second == After->first) {
    Range->second += After->second;
    Free.erase(After);
  }
  if (Range != Free.begin()) {
    auto Before = std::prev(Range);
    if (Before->first + Before->second == Range->first) {
      Before->second += Range->second;
      Free.erase(Range);
    }
  }
  return Size;
}

} // namespace blockmaestro

using namespace blockmaestro;

extern "C" {

void *bm_malloc(BlockContext *Context, uint64_t Bytes) {
  try {
    void *Address = Context->Heap->allocate(Bytes);
    if (Address && Context->Observer)
      Context->Observer->memory("", uint64_t(Address), Bytes);
    return Address;
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

BM_SWITCHES void bm_free(BlockContext *Context, void *Address) {
  if (!Address)
    return;
  if (Context->Heap->free(Address)) {
    if (Context->Observer)
      Context->Observer->memory("", uint64_t(Address), 0);
    return;
  }
  Fault What;
  What.Kind = FaultKind::IllegalAddress;
  What.Usual = "freed what malloc() did not give, or gave it back twice:";
  What.Address = uint64_t(Address);
  if (Context->Scheduler)
    What.Thread = Context->Scheduler->current();
  giveUp(std::move(What));
}
}
