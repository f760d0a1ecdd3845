// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <omp.h>

int part(int *Values, int Count) {
  int Far = 0;
#pragma omp target map(tofrom : Values[0 : Count]) map(from : Far)
  {
    Far = !omp_is_initial_device();
    for (int I = 0; I < Count; ++I)
      Values[I] += I;
  }
  return Far;
}
