/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What it is: how a program says which memory its next kernel launch touches,
 * where the compiler cannot know: kernels it did not see, addresses that are
 * computed from memory. For C89 and up and C++; docs/annotate.md tells more.
 *
 *   blockmaestro_reads(in, n * sizeof(float));
 *   blockmaestro_writes(out, n * sizeof(float));
 *   scatter<<<blocks, threads>>>(in, out, index, n);
 *
 * What the declaration covers: the next launch of the calling thread, whatever
 * its stream. A launch takes all that was declared since the one before.
 * Contract: a declaration is whole or not made. Every byte that the launch may
 * touch through accesses the compiler does not know the addresses of must be
 * in a declared range; what the compiler does know stays as it knows it.
 * BLOCKMAESTRO_CHECK=footprints finds accesses that are nowhere declared.
 * Threads: any; each has its own. Nothing is allocated, nothing is kept of the
 * pointers but their values.
 *
 * A program that is not linked with BlockMaestro still links and runs: the
 * functions are weak, and calls of functions that are not there do nothing.
 * Where weak functions are not to be had, define BLOCKMAESTRO_ANNOTATE_OFF
 * before including this file: nothing is called at all then.
 */

#ifndef BLOCKMAESTRO_ANNOTATE_H
#define BLOCKMAESTRO_ANNOTATE_H

#include <stddef.h>

/* What a call returns. Whatever is not BLOCKMAESTRO_DECLARED drops the whole
 * declaration, and the next launch counts as one that declared nothing. */
#define BLOCKMAESTRO_DECLARED 0
/* A null pointer and more than no bytes. */
#define BLOCKMAESTRO_NULL_RANGE 1
/* The range goes beyond the end of the address space. */
#define BLOCKMAESTRO_RANGE_WRAPS 2
/* More than BLOCKMAESTRO_MOST_RANGES for one launch. */
#define BLOCKMAESTRO_TOO_MANY_RANGES 3

#define BLOCKMAESTRO_MOST_RANGES 64

#ifdef BLOCKMAESTRO_ANNOTATE_OFF

#define blockmaestro_reads(address, bytes)                                     \
  ((void)(address), (void)(bytes), BLOCKMAESTRO_DECLARED)
#define blockmaestro_writes(address, bytes)                                    \
  ((void)(address), (void)(bytes), BLOCKMAESTRO_DECLARED)
#define blockmaestro_forget() ((void)0)

#else

#ifdef __cplusplus
extern "C" {
#endif

/* The next launch of this thread may read, or may write, the bytes from address
 * on; what it does both to, also atomically, is declared twice. No bytes at all
 * are a range too: a launch for which only those are declared touches nothing
 * that the compiler does not know of. */
__attribute__((weak)) int blockmaestro_reads(const void *Address, size_t Bytes);
__attribute__((weak)) int blockmaestro_writes(const void *Address,
                                              size_t Bytes);

/* Drops what this thread has declared for its next launch. */
__attribute__((weak)) void blockmaestro_forget(void);

#ifdef __cplusplus
}
#endif

#ifndef BLOCKMAESTRO_ANNOTATE_DEFINE
#define blockmaestro_reads(address, bytes)                                     \
  (blockmaestro_reads ? blockmaestro_reads(address, bytes)                     \
                      : BLOCKMAESTRO_DECLARED)
#define blockmaestro_writes(address, bytes)                                    \
  (blockmaestro_writes ? blockmaestro_writes(address, bytes)                   \
                       : BLOCKMAESTRO_DECLARED)
#define blockmaestro_forget()                                                  \
  (blockmaestro_forget ? blockmaestro_forget() : (void)0)
#endif

#endif

#endif
