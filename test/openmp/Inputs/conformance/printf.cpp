// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// printf in a region.

#include "check.h"

int main() {
#pragma omp target
  printf("%d %s %.1f\n", 7, "words", 2.5);
  return finish();
}
