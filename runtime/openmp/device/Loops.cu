// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how iterations come to threads and teams. Bounds are inclusive,
// as clang's, and steps are 1: clang counts iterations.

#include "State.h"

namespace blockmaestro::openmp {

/// clang's numbers of schedules, without what it says of order.
enum Schedule : int32_t {
  StaticChunk = 33,
  Static = 34,
  Dynamic = 35,
  Guided = 36,
  Runtime = 37,
  Auto = 38,
  StaticSimd = 45, ///< Chunks are multiples of the vector's width.
  OrderedFirst = 65,
  OrderedLast = 70,
  TeamsChunk = 91,
  Teams = 92,
  TeamsAndThreads = 93 ///< Chunk by chunk, to all threads of all teams.
};

BM_DEVICE int32_t plain(int32_t Schedule) {
  constexpr int32_t Modifiers = (1 << 29) | (1 << 30);
  const int32_t Kind = Schedule & ~Modifiers;
  return Kind >= OrderedFirst && Kind <= OrderedLast ? Kind - 32 : Kind;
}

template <typename T> struct Unsigned;
template <> struct Unsigned<int32_t> {
  using Type = uint32_t;
};
template <> struct Unsigned<uint32_t> {
  using Type = uint32_t;
};
template <> struct Unsigned<int64_t> {
  using Type = uint64_t;
};
template <> struct Unsigned<uint64_t> {
  using Type = uint64_t;
};

/// One's part of a loop: [*Lower, *Upper], and then again each *Stride further.
template <typename T> struct Part {
  int32_t *IsLast;
  T *Lower, *Upper, *Stride;
};

/// Chunks in turn: One of Count gets chunk One, One + Count, ...
template <typename T>
BM_DEVICE void byChunks(Part<T> P, T Chunk, uint32_t One, uint32_t Count) {
  using U = typename Unsigned<T>::Type;
  const U Lower = U(*P.Lower), Upper = U(*P.Upper), Size = U(Chunk);
  *P.Lower = T(Lower + U(One) * Size);
  *P.Upper = T(Lower + U(One) * Size + Size - 1);
  *P.Stride = T(U(Count) * Size);
  *P.IsLast = (Upper - Lower) / Size % Count == One;
}

/// One piece each, of nearly the same size.
template <typename T>
BM_DEVICE void byPieces(Part<T> P, uint32_t One, uint32_t Count) {
  using U = typename Unsigned<T>::Type;
  const U Lower = U(*P.Lower), Trip = U(*P.Upper) - Lower + 1;
  const U Size = Trip / Count, Rest = Trip % Count;
  const U Start = U(One) * Size + (One < Rest ? U(One) : Rest);
  const U Mine = Size + (One < Rest);
  *P.IsLast = Mine && Start + Mine == Trip;
  *P.Lower = T(Lower + Start);
  *P.Upper = T(Lower + Start + Mine - 1);
  *P.Stride = T(Trip);
}

template <typename T>
BM_DEVICE void byChunksOrPieces(Part<T> P, T Chunk, uint32_t One,
                                uint32_t Count) {
  if (Chunk > 0)
    byChunks(P, Chunk, One, Count);
  else
    byPieces(P, One, Count);
}

/// A piece each, made larger to a multiple of Width, a power of two.
template <typename T>
BM_DEVICE void byVectors(Part<T> P, T Width, uint32_t One, uint32_t Count) {
  using U = typename Unsigned<T>::Type;
  if (Width <= 0)
    return byPieces(P, One, Count);
  const U Upper = U(*P.Upper), Trip = Upper - U(*P.Lower) + 1;
  const U Piece = Trip / Count + (Trip % Count != 0);
  byChunks(P, T((Piece + U(Width) - 1) / U(Width) * U(Width)), One, Count);
}

/// To thread One of a team of Count.
template <typename T>
BM_DEVICE void divide(int32_t Schedule, Part<T> P, T Chunk, uint32_t One,
                      uint32_t Count) {
  switch (plain(Schedule)) {
  case TeamsChunk:
    return byChunksOrPieces(P, Chunk, block(), blocks());
  case Teams:
    return byPieces(P, block(), blocks());
  case TeamsAndThreads:
    return byChunksOrPieces(P, Chunk, block() * Count + One, blocks() * Count);
  case Static:
    return byPieces(P, One, Count);
  case StaticSimd:
    return byVectors(P, Chunk, One, Count);
  default:
    return byChunksOrPieces(P, Chunk, One, Count);
  }
}

/// What schedule(runtime) and auto are; where chunks are given out by number,
/// Chunk is what it is for a piece each.
BM_DEVICE void resolve(int32_t &Schedule, uint64_t &Chunk, uint64_t Trip) {
  constexpr int32_t Kinds[] = {Static, Static, Dynamic, Guided, Static};
  if (Schedule == Runtime) {
    const uint32_t Kind = uint32_t(Team.Schedule) & 7;
    Schedule = Kinds[Kind < 5 ? Kind : 0];
    Chunk = Team.ScheduleChunk > 0 ? uint64_t(Team.ScheduleChunk) : 0;
  }
  const bool IsStatic = Schedule != Dynamic && Schedule != Guided;
  if (IsStatic && (Schedule != StaticChunk || Chunk == 0)) {
    if (Schedule != Static || Chunk == 0)
      Chunk = (Trip + Team.Size - 1) / Team.Size;
    Schedule = StaticChunk;
  }
  Chunk = Chunk < 1 ? 1 : Chunk > Trip && Trip ? Trip : Chunk;
}

/// Begins a loop whose chunks are asked for. A thread alone gets the whole loop
/// at once: its bounds are already where the first chunk's come.
__attribute__((device, noinline)) void
beginLoop(int32_t Schedule, uint64_t Trip, uint64_t Chunk) {
  if (inTeam()) {
    teamBarrier();
    if (thread() == 0) {
      resolve(Schedule, Chunk, Trip);
      Team.Loop = {0, Trip, Chunk, Schedule};
    }
    teamBarrier();
  }
  Nest[thread()] |= PendingLoop;
}

/// The size of the next chunk when Left iterations are left.
BM_DEVICE uint64_t guidedChunk(uint64_t Left) {
  const uint64_t Share = Left / (2 * uint64_t(Team.Size));
  return Share > Team.Loop.Chunk ? Share : Team.Loop.Chunk;
}

/// Takes the next chunk that nobody has: its start, or Trip or more.
BM_DEVICE uint64_t takeChunk(uint64_t &Size) {
  uint64_t *Next = &Team.Loop.Next;
  Size = Team.Loop.Chunk;
  if (Team.Loop.Schedule != Guided)
    return __scoped_atomic_fetch_add(Next, Size, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_WRKGRP);
  uint64_t Start =
      __scoped_atomic_load_n(Next, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP);
  while (Start < Team.Loop.Trip) {
    Size = guidedChunk(Team.Loop.Trip - Start);
    if (__scoped_atomic_compare_exchange_n(Next, &Start, Start + Size, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                           __MEMORY_SCOPE_WRKGRP))
      break;
  }
  return Start;
}

/// The start and size of the calling thread's next chunk; Round is the
/// thread's own, where chunks come in turn. False: there is none.
__attribute__((device, noinline)) bool
nextChunk(uint64_t &Start, uint64_t &Size, uint64_t &Round) {
  const bool IsFirst = nest() & PendingLoop;
  Nest[thread()] &= uint8_t(~PendingLoop);
  const uint64_t Trip = Team.Loop.Trip;
  if (Team.Loop.Schedule == StaticChunk) {
    Round = IsFirst ? 0 : Round + 1;
    Size = Team.Loop.Chunk;
    Start = (Round * Team.Size + thread()) * Size;
  } else {
    Start = takeChunk(Size);
  }
  if (Start >= Trip)
    return false;
  Size = Size < Trip - Start ? Size : Trip - Start;
  return true;
}

/// The whole loop to a thread alone, once.
BM_DEVICE bool wholeLoop() {
  const bool IsFirst = nest() & PendingLoop;
  Nest[thread()] &= uint8_t(~PendingLoop);
  return IsFirst;
}

/// Bounds of the loop are in Lower and Upper at the first call. The thread's
/// Stride, which clang does not use here, keeps where its rounds are.
template <typename T> BM_DEVICE int32_t advance(Part<T> P, T First) {
  if (!inTeam()) {
    *P.IsLast = 1;
    return wholeLoop();
  }
  uint64_t Start, Size, Round = uint64_t(*P.Stride);
  if (!nextChunk(Start, Size, Round))
    return 0;
  *P.Stride = T(Round);
  *P.Lower = T(First + T(Start));
  *P.Upper = T(First + T(Start + Size - 1));
  *P.IsLast = Start + Size == Team.Loop.Trip;
  return 1;
}

} // namespace blockmaestro::openmp

using namespace blockmaestro::openmp;

/// Where the team's loop begins, of each thread's own knowledge: all write the
/// same.
__attribute__((shared)) static int64_t FirstIteration;

#define BM_LOOPS(Suffix, T, S)                                                 \
  BM_ENTRY void __kmpc_for_static_init_##Suffix(                               \
      void *, int32_t, int32_t Schedule, int32_t *IsLast, T *Lower, T *Upper,  \
      T *Stride, S, S Chunk) {                                                 \
    divide<T>(Schedule, {IsLast, Lower, Upper, Stride}, T(Chunk),              \
              threadNumber(), teamSize());                                     \
  }                                                                            \
  BM_ENTRY void __bm_full_for_static_init_##Suffix(                            \
      void *, int32_t, int32_t Schedule, int32_t *IsLast, T *Lower, T *Upper,  \
      T *Stride, S, S Chunk) {                                                 \
    divide<T>(Schedule, {IsLast, Lower, Upper, Stride}, T(Chunk), thread(),    \
              blockThreads());                                                 \
  }                                                                            \
  BM_ENTRY void __kmpc_distribute_static_init_##Suffix(                        \
      void *, int32_t, int32_t Schedule, int32_t *IsLast, T *Lower, T *Upper,  \
      T *Stride, S, S Chunk) {                                                 \
    divide<T>(Schedule, {IsLast, Lower, Upper, Stride}, T(Chunk),              \
              threadNumber(), teamSize());                                     \
  }                                                                            \
  BM_ENTRY void __kmpc_dispatch_init_##Suffix(                                 \
      void *, int32_t, int32_t Schedule, T Lower, T Upper, S, S Chunk) {       \
    using U = Unsigned<T>::Type;                                               \
    beginLoop(plain(Schedule),                                                 \
              Upper < Lower ? 0 : uint64_t(U(Upper) - U(Lower)) + 1,           \
              Chunk > 0 ? uint64_t(Chunk) : 0);                                \
    if (inTeam())                                                              \
      FirstIteration = int64_t(Lower);                                         \
  }                                                                            \
  BM_ENTRY int32_t __kmpc_dispatch_next_##Suffix(                              \
      void *, int32_t, int32_t *IsLast, T *Lower, T *Upper, T *Stride) {       \
    return advance<T>({IsLast, Lower, Upper, Stride}, T(FirstIteration));      \
  }                                                                            \
  BM_ENTRY void __kmpc_dispatch_fini_##Suffix(void *, int32_t) {}

BM_LOOPS(4, int32_t, int32_t)
BM_LOOPS(4u, uint32_t, int32_t)
BM_LOOPS(8, int64_t, int64_t)
BM_LOOPS(8u, uint64_t, int64_t)

BM_ENTRY void __kmpc_for_static_fini(void *, int32_t) {}
BM_ENTRY void __kmpc_distribute_static_fini(void *, int32_t) {}
BM_ENTRY void __kmpc_dispatch_deinit(void *, int32_t) {}
