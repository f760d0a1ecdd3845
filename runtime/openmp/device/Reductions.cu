// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: reductions over the threads of a team and over teams. clang makes
// the functions that combine two threads' values, and that move them.

#include "State.h"

namespace blockmaestro::openmp {

/// Combines the values with those of the lane that is Offset further. Way 0:
/// all lanes; 1: lanes below Offset, the others take the further lane's.
using ShuffleReduce = void (*)(void *Values, int16_t Lane, int16_t Offset,
                               int16_t Way);
/// The values of the first lane of Warps warps go to the first threads.
using GatherWarps = void (*)(void *Values, int32_t Warps);
/// Between a thread's values and a place of the buffer.
using MoveGlobal = void (*)(void *Buffer, int32_t Place, void *Values);

/// The values of the first Count lanes of a warp, all of which call, come
/// together in its first one.
BM_DEVICE void reduceWarp(void *Values, ShuffleReduce Reduce, uint32_t Count) {
  const int16_t Lane = int16_t(thread() % WarpSize);
  const int16_t Way = Count == WarpSize ? 0 : 1;
  for (uint32_t Left = Count; Left > 1; Left = (Left + 1) / 2)
    Reduce(Values, Lane, int16_t(Left / 2), Way);
}

/// All threads of a team of Size; the result is thread 0's.
BM_DEVICE void reduceTeam(void *Values, ShuffleReduce Reduce,
                          GatherWarps Gather, uint32_t Size) {
  const uint32_t Warp = thread() / WarpSize;
  const uint32_t Left = Size - Warp * WarpSize;
  reduceWarp(Values, Reduce, Left < WarpSize ? Left : WarpSize);
  if (Size <= WarpSize)
    return;
  const uint32_t Warps = (Size + WarpSize - 1) / WarpSize;
  Gather(Values, int32_t(Warps));
  if (Warp == 0)
    reduceWarp(Values, Reduce, Warps);
}

BM_DEVICE uint32_t shuffleMask() {
  return warpMask(inTeam() ? Team.Size : blockThreads());
}

struct GlobalReduction {
  void *Buffer;
  MoveGlobal Store, Load, Combine;
};

/// Thread 0 of a team leaves its values; true if it is the last.
BM_DEVICE bool leaveValues(const GlobalReduction &R, void *Values) {
  R.Store(R.Buffer, int32_t(block()), Values);
  __nvvm_membar_gl();
  const uint32_t Done = __scoped_atomic_fetch_add(
      &Team.Launch->TeamsDone, 1u, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  if (Done + 1 != blocks())
    return false;
  Team.Launch->TeamsDone = 0;
  return true;
}

/// The values of teams First, First + Step, ...
BM_DEVICE void combineTeams(const GlobalReduction &R, void *Values,
                            uint32_t First, uint32_t Step) {
  __nvvm_membar_gl();
  R.Load(R.Buffer, int32_t(First), Values);
  for (uint32_t I = First + Step; I < blocks(); I += Step)
    R.Combine(R.Buffer, int32_t(I), Values);
}

/// Of the last team's threads, as many as have values: whole warps, or a few
/// lanes of one. They are made a team, for the barriers in Gather.
BM_DEVICE int32_t reduceTeams(const GlobalReduction &R, void *Values,
                              ShuffleReduce Reduce, GatherWarps Gather) {
  if (thread() == 0)
    Team.IsLastTeam = leaveValues(R, Values);
  const uint32_t Most = blocks() < blockThreads() ? blocks() : blockThreads();
  const uint32_t Size = Most < WarpSize ? Most : Most & ~(WarpSize - 1);
  Team.Size = Size;
  __nvvm_bar_sync(0);
  if (!Team.IsLastTeam || thread() >= Size)
    return 0;
  const uint8_t Before = nest();
  Nest[thread()] = deeper(Before, InTeam | Active);
  combineTeams(R, Values, thread(), Size);
  reduceTeam(Values, Reduce, Gather, Size);
  Nest[thread()] = Before;
  return thread() == 0;
}

} // namespace blockmaestro::openmp

using namespace blockmaestro;
using namespace blockmaestro::openmp;

BM_ENTRY int32_t __kmpc_shuffle_int32(int32_t Value, int16_t Delta, int16_t) {
  return __nvvm_shfl_sync_down_i32(shuffleMask(), Value, Delta, WarpSize - 1);
}

BM_ENTRY int64_t __kmpc_shuffle_int64(int64_t Value, int16_t Delta, int16_t) {
  const uint32_t Mask = shuffleMask();
  const uint32_t Low = uint32_t(
      __nvvm_shfl_sync_down_i32(Mask, int32_t(Value), Delta, WarpSize - 1));
  const uint32_t High = uint32_t(__nvvm_shfl_sync_down_i32(
      Mask, int32_t(Value >> 32), Delta, WarpSize - 1));
  return int64_t(uint64_t(High) << 32 | Low);
}

/// 1 for the thread that has the result.
BM_ENTRY int32_t __kmpc_nvptx_parallel_reduce_nowait_v2(void *, uint64_t,
                                                        void *Values,
                                                        ShuffleReduce Reduce,
                                                        GatherWarps Gather) {
  const uint32_t Size = teamSize();
  if (Size == 1)
    return 1;
  reduceTeam(Values, Reduce, Gather, Size);
  return thread() == 0;
}

BM_ENTRY void *__kmpc_reduction_get_fixed_buffer() {
  return Team.Launch->ReductionBuffer;
}

BM_ENTRY int32_t __kmpc_nvptx_teams_reduce_nowait_v2(
    void *, void *Buffer, uint32_t, uint64_t, void *Values,
    ShuffleReduce Reduce, GatherWarps Gather, MoveGlobal Store, MoveGlobal,
    MoveGlobal Load, MoveGlobal Combine) {
  if (blocks() == 1)
    return thread() == 0;
  const GlobalReduction R = {Buffer, Store, Load, Combine};
  if (Team.Mode & KernelEnvironment::Spmd)
    return reduceTeams(R, Values, Reduce, Gather);
  if (!leaveValues(R, Values))
    return 0;
  combineTeams(R, Values, 0, 1);
  return 1;
}
