// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `parallel`. See Note [Teams].

#include "Microtask.h"

/// Written by the compiler: calls the module's microtask of that number with as
/// many arguments as it has.
extern "C" __attribute__((device)) void
__bm_omp_call_microtask(uint32_t Number, void **Arguments, int32_t *Thread,
                        int32_t *Bound);

namespace blockmaestro::openmp {

/// The calling thread alone, as a team of one.
BM_DEVICE void callAlone(void *Microtask, void **Arguments, uint64_t Count) {
  const uint8_t Before = nest();
  Nest[thread()] = deeper(Before, 0);
  callMicrotask(Microtask, Arguments, Count);
  Nest[thread()] = Before;
}

/// The threads of a team of all of the block's, or of its first ones.
BM_DEVICE uint32_t sizeOfTeam(int32_t Clause, uint32_t Requested) {
  const uint32_t Limit = blockThreads();
  const uint32_t Wanted = Clause > 0 ? uint32_t(Clause) : Requested;
  return Wanted && Wanted < Limit ? Wanted : Limit;
}

__attribute__((device, noinline)) bool teamStep() {
  __nvvm_barrier_sync(0);
  __nvvm_bar_warp_sync(warpMask(blockThreads()));
  if (!Team.Microtask)
    return false;
  if (thread() < Team.Size) {
    const uint8_t Before = nest();
    Nest[thread()] = InTeam | Active | Team.ActiveLevel;
    int32_t Number = int32_t(thread()), Bound = 0;
    __bm_omp_call_microtask(Team.Microtask, Team.Arguments, &Number, &Bound);
    Nest[thread()] = Before;
  }
  __nvvm_barrier_sync(0);
  return true;
}

/// Thread 0 of a generic region. The arguments are in its local memory, so
/// they are copied to where all threads see them.
BM_DEVICE void fork(uint32_t Microtask, void **Arguments, uint64_t Count,
                    uint32_t Size) {
  const uint64_t Bytes = Count * sizeof(void *);
  void **Copy = Count ? static_cast<void **>(allocate(Bytes)) : nullptr;
  for (uint64_t I = 0; I < Count; ++I)
    Copy[I] = Arguments[I];
  Team.Microtask = Microtask;
  Team.Arguments = Copy;
  Team.Size = Size;
  Team.ActiveLevel = level(deeper(nest(), 0));
  Team.Arrived = 0;
  Team.Generation = 0;
  teamStep();
  if (Copy)
    release(Copy, Bytes);
}

/// All threads of an SPMD region.
BM_DEVICE void callTogether(void *Microtask, void **Arguments, uint64_t Count,
                            uint32_t Size) {
  const uint8_t Before = nest();
  Team.Size = Size;
  Team.ActiveLevel = level(deeper(Before, 0));
  if (Size != blockThreads()) {
    Team.Arrived = 0;
    Team.Generation = 0;
    __nvvm_bar_sync(0);
  }
  if (thread() < Size) {
    Nest[thread()] = deeper(Before, Size == 1 ? 0 : InTeam | Active);
    callMicrotask(Microtask, Arguments, Count);
    Nest[thread()] = Before;
  }
  __nvvm_bar_sync(0);
}

} // namespace blockmaestro::openmp

using namespace blockmaestro;
using namespace blockmaestro::openmp;

/// `parallel`: If and Threads are its clauses, Threads -1 where there is none.
/// In the place of clang's wrapper of the microtask the compiler puts its
/// number.
BM_ENTRY void __kmpc_parallel_60(void *, int32_t, int32_t If, int32_t Threads,
                                 int32_t, void *Microtask, void *Number,
                                 void **Arguments, int64_t Count, int32_t) {
  if (nest() & Active)
    return callAlone(Microtask, Arguments, Count);
  if (Team.Mode == KernelEnvironment::Spmd)
    return callTogether(Microtask, Arguments, Count,
                        If ? sizeOfTeam(Threads, 0) : 1);
  const uint32_t Size = If ? sizeOfTeam(Threads, Team.RequestedThreads) : 1;
  if (Team.Mode & KernelEnvironment::Spmd)
    return callTogether(Microtask, Arguments, Count, Size);
  if (Size == 1)
    return callAlone(Microtask, Arguments, Count);
  fork(uint32_t(reinterpret_cast<uintptr_t>(Number)), Arguments, Count, Size);
}

/// The same where the compiler knows that all threads of the block call it, in
/// no other `parallel`, and that it has no clauses (passes/openmp/FullTeams.h).
BM_ENTRY void __bm_full_parallel_60(void *, int32_t, int32_t, int32_t, int32_t,
                                    void *Microtask, void *, void **Arguments,
                                    int64_t Count, int32_t) {
  callTogether(Microtask, Arguments, Count, blockThreads());
}

BM_ENTRY int32_t __kmpc_global_thread_num(void *) {
  return int32_t(threadNumber());
}
BM_ENTRY uint16_t __kmpc_parallel_level(void *, uint32_t) {
  return uint16_t(level(nest()));
}
BM_ENTRY void __kmpc_push_proc_bind(void *, int32_t, int32_t) {}
