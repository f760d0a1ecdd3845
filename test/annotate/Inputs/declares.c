/* Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls everything in annotate.h, and prints what the calls return. */

#include <blockmaestro/annotate.h>

#include <stdio.h>

int main(void) {
  static char bytes[64];
  int i, last = 0;
  printf("%d", blockmaestro_reads(bytes, sizeof(bytes)));
  printf(" %d", blockmaestro_writes(bytes + 8, 8));
  printf(" %d", blockmaestro_reads(NULL, 0));
  printf(" %d", blockmaestro_reads(NULL, 1));
  printf(" %d", blockmaestro_writes(bytes, (size_t)-1));
  blockmaestro_forget();
  for (i = 0; i < BLOCKMAESTRO_MOST_RANGES; ++i)
    last += blockmaestro_writes(bytes + i, 1);
  printf(" %d", last);
  printf(" %d\n", blockmaestro_reads(bytes, 1));
  blockmaestro_forget();
  return 0;
}
