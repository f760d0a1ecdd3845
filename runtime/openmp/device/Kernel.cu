// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a target region's kernel begins and ends, and what clang asks
// of the machine.

#include "State.h"

namespace blockmaestro::openmp {

__attribute__((shared)) TeamState Team;
__attribute__((shared)) uint8_t Nest[MaxThreads];
__attribute__((shared)) char Stack[StackBytes] __attribute__((aligned(16)));

__attribute__((device)) void endRegion() {
  Team.Microtask = 0;
  Team.Ended = true;
  teamStep();
}

} // namespace blockmaestro::openmp

using namespace blockmaestro;
using namespace blockmaestro::openmp;

/// -1: the thread runs the region. Else it has served the region's `parallel`s
/// to the end, and returns.
BM_ENTRY int32_t __kmpc_target_init(KernelEnvironment *Environment,
                                    LaunchEnvironment *Launch) {
  const bool Spmd = Environment->Mode & KernelEnvironment::Spmd;
  Nest[thread()] = 0;
  Team.Mode = Environment->Mode;
  Team.IsTask = false;
  Team.Ended = false;
  Team.Launch = Launch;
  if (thread() == 0)
    resetTeam();
  if (Environment->Mode == KernelEnvironment::Spmd)
    return -1;
  if (Spmd) {
    __nvvm_bar_sync(0);
    return -1;
  }
  if (thread() == 0)
    return -1;
  while (teamStep())
    ;
  return int32_t(thread());
}

BM_ENTRY void __kmpc_target_deinit() {
  if (Team.Mode == KernelEnvironment::Generic && thread() == 0)
    endRegion();
}

BM_ENTRY int8_t __kmpc_is_spmd_exec_mode() {
  return (Team.Mode & KernelEnvironment::Spmd) != 0;
}

/// Of the state machines that clang makes for a kernel. Ours has run before
/// they begin: they find that the region has ended.
BM_ENTRY bool __kmpc_kernel_parallel(void **Work) {
  *Work = nullptr;
  return false;
}
BM_ENTRY void __kmpc_kernel_end_parallel() {}
BM_ENTRY void __kmpc_barrier_simple_generic(void *, int32_t) {
  if (!Team.Ended)
    __nvvm_barrier_sync(0);
}

BM_ENTRY uint32_t __kmpc_get_hardware_thread_id_in_block() { return thread(); }
BM_ENTRY uint32_t __kmpc_get_hardware_num_threads_in_block() {
  return blockThreads();
}
BM_ENTRY uint32_t __kmpc_get_hardware_num_blocks() { return blocks(); }
BM_ENTRY uint32_t __kmpc_get_warp_size() { return WarpSize; }
BM_ENTRY uint64_t __kmpc_warp_active_thread_mask() {
  return __nvvm_activemask();
}
BM_ENTRY void __kmpc_syncwarp(uint64_t Mask) {
  __nvvm_bar_warp_sync(uint32_t(Mask));
}
