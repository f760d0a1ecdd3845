// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the device runtime of OpenMP knows of a block, a team of
// OpenMP threads, and of each of its threads. Device code only.
// On the data's way: set by Kernel.cu and Parallel.cu, read by all others.
// Invariants:
//  - A thread writes its own byte of Nest only. What is in Team is written by
//    thread 0 between barriers, or by all threads alike.
//  - Team.Size and ActiveLevel hold for threads whose byte has InTeam.
// See Note [Teams] for how threads become a team.

// Note [Teams]
// A region runs in one of two ways. SPMD: all threads of the block run its
// code, and `parallel` is a call of the microtask by each of them, behind
// which they meet. The team's size is written by all threads, alike, and a
// thread reads it only after it has written it, so that no barrier is needed
// in front. Generic: thread 0 runs the code outside of `parallel`, and the
// others wait in teamStep(). At a `parallel` thread 0 says in Team what is to
// be called and goes to teamStep() too: a function that is never inlined, so
// that all threads of warp 0 come to the same barrier, the same call and the
// same instructions behind it; elsewhere their shuffles and barriers would not
// be the same instruction. So thread 0 takes part as OpenMP's thread 0, no
// warp is set aside for it, and `parallel` costs two barriers.
// A `parallel` inside of a team's is run by the thread that meets it alone.
// Microtasks are numbered, and called by a switch that the compiler writes
// (passes/openmp/DeviceRuntime.h), not through their addresses: the emulated
// device has shared variables only in functions that are called by name, and a
// GPU's assembler then knows what each needs.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_STATE_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_DEVICE_STATE_H

#include "LaunchEnvironment.h"

#include <stddef.h>
#include <stdint.h>

#define BM_DEVICE static inline __attribute__((device, always_inline))
/// What clang or the program calls.
#define BM_ENTRY extern "C" __attribute__((device, always_inline))
/// The same, where its code is long and called from many places.
#define BM_CALL extern "C" __attribute__((device, noinline))

namespace blockmaestro::openmp {

inline constexpr uint32_t WarpSize = 32;
inline constexpr uint32_t MaxThreads = 1024;
inline constexpr uint32_t StackBytes = 2048;

/// Bits of a thread's byte in Nest; the rest counts the levels of `parallel`.
enum NestBits : uint8_t {
  InTeam = 0x80,      ///< The innermost `parallel` is the team's.
  Active = 0x40,      ///< Some `parallel` around is the team's.
  Final = 0x20,       ///< In a final task.
  PendingLoop = 0x10, ///< A loop by dispatch has begun and given no chunk.
  LevelMask = 0x0f    ///< Stays at 15 when deeper.
};

/// A loop whose chunks are given out one by one; positions count from 0.
struct TeamLoop {
  uint64_t Next;
  uint64_t Trip;
  uint64_t Chunk;
  int32_t Schedule;
};

struct TeamState {
  uint32_t Microtask; ///< What teamStep() calls; 0: the region has ended.
  void **Arguments;
  uint32_t Size;
  uint32_t ActiveLevel;
  uint32_t RequestedThreads; ///< omp_set_num_threads; 0: none.
  uint32_t Mode;             ///< Of KernelEnvironment; 0: a task of a graph.
  bool IsTask;               ///< One team, whatever the grid is.
  bool Ended;                ///< The generic region has.
  uint32_t StackTop;
  uint32_t Arrived;    ///< Of softwareBarrier().
  uint32_t Generation; ///< Of softwareBarrier().
  int32_t Schedule;    ///< omp_set_schedule.
  int32_t ScheduleChunk;
  bool IsLastTeam;
  LaunchEnvironment *Launch;
  TeamLoop Loop;
};

#define BM_SHARED extern __attribute__((shared))
BM_SHARED TeamState Team;
BM_SHARED uint8_t Nest[MaxThreads];
/// Of thread 0, outside of `parallel`.
BM_SHARED char Stack[StackBytes] __attribute__((aligned(16)));

BM_DEVICE uint32_t thread() { return __nvvm_read_ptx_sreg_tid_x(); }
BM_DEVICE uint32_t blockThreads() { return __nvvm_read_ptx_sreg_ntid_x(); }
BM_DEVICE uint32_t block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
BM_DEVICE uint32_t blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

BM_DEVICE uint8_t nest() { return Nest[thread()]; }
BM_DEVICE bool inTeam() { return nest() & InTeam; }
BM_DEVICE uint32_t threadNumber() { return inTeam() ? thread() : 0; }
BM_DEVICE uint32_t teamSize() { return inTeam() ? Team.Size : 1; }
BM_DEVICE uint32_t level(uint8_t Byte) { return Byte & LevelMask; }

/// The byte of a thread that enters a `parallel`, with InTeam and Active or
/// without.
BM_DEVICE uint8_t deeper(uint8_t Byte, uint8_t Bits) {
  uint32_t Level = level(Byte) < LevelMask ? level(Byte) + 1 : LevelMask;
  return (Byte & (Active | Final)) | Bits | Level;
}

/// Of the first Threads of the block, the lanes of the calling thread's warp.
BM_DEVICE uint32_t warpMask(uint32_t Threads) {
  uint32_t Left = Threads - (thread() & ~(WarpSize - 1));
  return Left >= WarpSize ? ~0u : (1u << Left) - 1;
}

/// Memory that all threads of the block reach: of the shared stack where
/// thread 0 asks outside of `parallel`, else of the heap. Aligned to 16 bytes;
/// given back in the opposite order.
__attribute__((device)) void *allocate(uint64_t Bytes);
__attribute__((device)) void release(void *Memory, uint64_t Bytes);

/// All threads of the calling thread's team meet, if it is in one.
__attribute__((device)) void teamBarrier();

/// Waits for the next `parallel` of thread 0 and takes part; thread 0 calls it
/// to begin one. False: the region has ended.
__attribute__((device)) bool teamStep();

/// Thread 0 of a generic region: lets the others go.
__attribute__((device)) void endRegion();

/// What no thread but thread 0 reads before a barrier.
BM_DEVICE void resetTeam() {
  Team.RequestedThreads = 0;
  Team.StackTop = 0;
  Team.Schedule = 1;
  Team.ScheduleChunk = 0;
}

} // namespace blockmaestro::openmp

#endif
