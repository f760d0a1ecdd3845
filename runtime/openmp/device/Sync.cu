// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: barriers, critical sections, locks, and who runs `single`,
// `master` and `masked`.

#include "State.h"

extern "C" __attribute__((device)) int vprintf(const char *, const void *);

namespace blockmaestro::openmp {

#define BM_LOAD(Word)                                                          \
  __scoped_atomic_load_n(Word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_WRKGRP)

/// Of a team that is no multiple of a warp: the hardware's barriers count
/// whole warps.
BM_DEVICE void softwareBarrier(uint32_t Size) {
  const uint32_t Generation = BM_LOAD(&Team.Generation);
  const uint32_t Before = __scoped_atomic_fetch_add(
      &Team.Arrived, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_WRKGRP);
  if (Before + 1 == Size) {
    __scoped_atomic_store_n(&Team.Arrived, 0u, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_WRKGRP);
    __scoped_atomic_store_n(&Team.Generation, Generation + 1, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_WRKGRP);
    return;
  }
  while (BM_LOAD(&Team.Generation) == Generation)
    ;
}

__attribute__((device, always_inline)) void teamBarrier() {
  if (!inTeam())
    return;
  const uint32_t Size = Team.Size;
  if (Size == blockThreads())
    __nvvm_bar_sync(0);
  else if (Size % WarpSize == 0)
    __nvvm_barrier_sync_cnt(1, Size);
  else
    softwareBarrier(Size);
}

BM_DEVICE bool tryLock(uint32_t *Lock) {
  uint32_t Free = 0;
  return __scoped_atomic_compare_exchange_n(Lock, &Free, 1u, false,
                                            __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                            __MEMORY_SCOPE_DEVICE);
}

BM_DEVICE void lock(uint32_t *Lock) {
  while (!tryLock(Lock))
    ;
  __nvvm_membar_gl();
}

BM_DEVICE void unlock(uint32_t *Lock) {
  __nvvm_membar_gl();
  __scoped_atomic_store_n(Lock, 0u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}

} // namespace blockmaestro::openmp

using namespace blockmaestro;
using namespace blockmaestro::openmp;

BM_ENTRY void __kmpc_barrier(void *, int32_t) { teamBarrier(); }
BM_ENTRY void __kmpc_barrier_simple_spmd(void *, int32_t) {
  __nvvm_bar_sync(0);
}
BM_ENTRY int32_t __kmpc_cancel_barrier(void *, int32_t) {
  teamBarrier();
  return 0;
}
/// Cancellation is off, as it is by default.
BM_ENTRY int32_t __kmpc_cancel(void *, int32_t, int32_t) { return 0; }
BM_ENTRY int32_t __kmpc_cancellationpoint(void *, int32_t, int32_t) {
  return 0;
}
BM_ENTRY void __kmpc_flush(void *) { __nvvm_membar_gl(); }

BM_ENTRY int32_t __kmpc_single(void *, int32_t) { return threadNumber() == 0; }
BM_ENTRY void __kmpc_end_single(void *, int32_t) {}
BM_ENTRY int32_t __kmpc_master(void *, int32_t) { return threadNumber() == 0; }
BM_ENTRY void __kmpc_end_master(void *, int32_t) {}
BM_ENTRY int32_t __kmpc_masked(void *, int32_t, int32_t Filter) {
  return int32_t(threadNumber()) == Filter;
}
BM_ENTRY void __kmpc_end_masked(void *, int32_t) {}

BM_ENTRY void __kmpc_critical(void *, int32_t, uint32_t *Name) { lock(Name); }
BM_ENTRY void __kmpc_critical_with_hint(void *, int32_t, uint32_t *Name,
                                        uint32_t) {
  lock(Name);
}
BM_ENTRY void __kmpc_end_critical(void *, int32_t, uint32_t *Name) {
  unlock(Name);
}

BM_ENTRY void omp_init_lock(uint32_t *Lock) { *Lock = 0; }
BM_ENTRY void omp_init_lock_with_hint(uint32_t *Lock, int32_t) { *Lock = 0; }
BM_ENTRY void omp_destroy_lock(uint32_t *) {}
BM_ENTRY void omp_set_lock(uint32_t *Lock) { lock(Lock); }
BM_ENTRY void omp_unset_lock(uint32_t *Lock) { unlock(Lock); }
BM_ENTRY int32_t omp_test_lock(uint32_t *Lock) {
  if (!tryLock(Lock))
    return 0;
  __nvvm_membar_gl();
  return 1;
}

/// The end of a program that says error at(execution) with severity fatal.
BM_CALL void __kmpc_error(void *, int32_t Severity, const char *Message) {
  vprintf("OpenMP error: %s\n", &Message);
  if (Severity == 2)
    __builtin_trap();
}

/// assert of the C library.
extern "C" __attribute__((device, noreturn)) void
__assertfail(const char *, const char *, uint32_t, const char *, size_t);
extern "C" __attribute__((device, noinline, noreturn)) void
__assert_fail(const char *Condition, const char *File, uint32_t Line,
              const char *Function) {
  __assertfail(Condition, File, Line, Function, 1);
}

/// The same for code of which the compiler knows that all threads of the block
/// are its team (passes/openmp/FullTeams.h).
BM_ENTRY void __bm_full_barrier(void *, int32_t) { __nvvm_bar_sync(0); }
BM_ENTRY int32_t __bm_full_single(void *, int32_t) { return thread() == 0; }
BM_ENTRY int32_t __bm_full_master(void *, int32_t) { return thread() == 0; }
BM_ENTRY int32_t __bm_full_masked(void *, int32_t, int32_t Filter) {
  return int32_t(thread()) == Filter;
}
BM_ENTRY int32_t __bm_full_global_thread_num(void *) {
  return int32_t(thread());
}
BM_ENTRY int32_t __bm_full_omp_get_thread_num() { return int32_t(thread()); }
BM_ENTRY int32_t __bm_full_omp_get_num_threads() {
  return int32_t(blockThreads());
}
