// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: warp operations without a mask: those of the lanes that are
// there. On the data's way: behind clang's own intrinsics. Invariants: shuffles
// are templates, so that a program's own functions of these names win.

#ifndef BLOCKMAESTRO_REMOVED_WARP_OPERATIONS_H
#define BLOCKMAESTRO_REMOVED_WARP_OPERATIONS_H

#include <blockmaestro/removed_mark.h>

#define BLOCKMAESTRO_SHUFFLE(Name, Lane, Type)                                 \
  template <int = 0>                                                           \
  BLOCKMAESTRO_REMOVED_ON_DEVICE(#Name "_sync")                                \
  __device__ inline Type Name(Type Value, Lane Which, int Width = 32) {        \
    return Name##_sync(__activemask(), Value, Which, Width);                   \
  }
#define BLOCKMAESTRO_SHUFFLES(Name, Lane)                                      \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, int)                                        \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, unsigned)                                   \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, long)                                       \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, unsigned long)                              \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, long long)                                  \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, unsigned long long)                         \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, float)                                      \
  BLOCKMAESTRO_SHUFFLE(Name, Lane, double)
#ifdef BLOCKMAESTRO_CUDA_COMPAT
#define BLOCKMAESTRO_VOTE(Name, Result)                                        \
  BLOCKMAESTRO_REMOVED_ON_DEVICE(#Name "_sync")                                \
  __device__ inline Result Name(int Predicate) {                               \
    return Name##_sync(__activemask(), Predicate);                             \
  }
#else
#define BLOCKMAESTRO_VOTE(Name, Result)                                        \
  BLOCKMAESTRO_REMOVED_ON_DEVICE(#Name "_sync")                                \
  __device__ Result Name(int Predicate);
#endif

BLOCKMAESTRO_SHUFFLES(__shfl, int)
BLOCKMAESTRO_SHUFFLES(__shfl_up, unsigned)
BLOCKMAESTRO_SHUFFLES(__shfl_down, unsigned)
BLOCKMAESTRO_SHUFFLES(__shfl_xor, int)
extern "C" {
BLOCKMAESTRO_VOTE(__any, int)
BLOCKMAESTRO_VOTE(__all, int)
BLOCKMAESTRO_VOTE(__ballot, unsigned)
}

#undef BLOCKMAESTRO_SHUFFLE
#undef BLOCKMAESTRO_SHUFFLES
#undef BLOCKMAESTRO_VOTE

#endif
