// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how a name that CUDA 13 no longer has is marked.
// On the data's way: in front of the toolkit's driver_types.h, in which the
// drivers put members of cudaDeviceProp so marked, and of the headers beside
// this one.
// Invariants: without -fblockmaestro-cuda-compat a use is an error that names
// the flag, with it a warning (-Wdeprecated-declarations) that names the
// replacement; once for each use, by the compilation of the side that runs it.
// The drivers tell the sides; __CUDA_ARCH__ does not in front of user code:
// clang's headers define it for both.

#ifndef BLOCKMAESTRO_REMOVED_MARK_H
#define BLOCKMAESTRO_REMOVED_MARK_H

#ifdef BLOCKMAESTRO_CUDA_COMPAT
#define BLOCKMAESTRO_MARK(Instead)                                             \
  __attribute__((deprecated("CUDA 13 has it no longer; use " Instead)))
#else
#define BLOCKMAESTRO_MARK(Instead)                                             \
  __attribute__((unavailable("CUDA 13 has it no longer; use " Instead          \
                             ", or compile with "                              \
                             "-fblockmaestro-cuda-compat")))
#endif

#ifdef BLOCKMAESTRO_DEVICE_SIDE
#define BLOCKMAESTRO_REMOVED(Instead)
#define BLOCKMAESTRO_REMOVED_ON_DEVICE(Instead) BLOCKMAESTRO_MARK(Instead)
#else
#define BLOCKMAESTRO_REMOVED(Instead) BLOCKMAESTRO_MARK(Instead)
#define BLOCKMAESTRO_REMOVED_ON_DEVICE(Instead)
#endif

#endif
