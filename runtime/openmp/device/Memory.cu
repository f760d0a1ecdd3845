// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: memory that the threads of a team share, and OpenMP's allocators,
// which all give memory of the device's heap.

#include "State.h"

extern "C" __attribute__((device)) void *malloc(size_t);
extern "C" __attribute__((device)) void free(void *);

namespace blockmaestro::openmp {

BM_DEVICE bool onStack(const void *Memory) {
  const char *Byte = static_cast<const char *>(Memory);
  return Byte >= Stack && Byte < Stack + StackBytes;
}

BM_DEVICE uint32_t rounded(uint64_t Bytes) { return (Bytes + 15) & ~15ull; }

__attribute__((device, noinline)) void *allocate(uint64_t Bytes) {
  if (thread() != 0 || (nest() & Active) || Bytes > StackBytes ||
      Team.StackTop + rounded(Bytes) > StackBytes)
    return malloc(Bytes);
  void *Memory = Stack + Team.StackTop;
  Team.StackTop += rounded(Bytes);
  return Memory;
}

__attribute__((device, noinline)) void release(void *Memory, uint64_t Bytes) {
  if (onStack(Memory))
    Team.StackTop -= rounded(Bytes);
  else
    free(Memory);
}

} // namespace blockmaestro::openmp

using namespace blockmaestro::openmp;

BM_ENTRY void *__kmpc_alloc_shared(uint64_t Bytes) { return allocate(Bytes); }
BM_ENTRY void __kmpc_free_shared(void *Memory, uint64_t Bytes) {
  release(Memory, Bytes);
}
BM_ENTRY void __kmpc_get_shared_variables(void ***Arguments) {
  *Arguments = Team.Arguments;
}

BM_ENTRY void *__kmpc_alloc(int32_t, size_t Bytes, void *) {
  return malloc(Bytes);
}
BM_ENTRY void __kmpc_free(int32_t, void *Memory, void *) { free(Memory); }
BM_ENTRY void *omp_alloc(size_t Bytes, uintptr_t) { return malloc(Bytes); }
BM_ENTRY void omp_free(void *Memory, uintptr_t) { free(Memory); }
