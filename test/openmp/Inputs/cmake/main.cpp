// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Regions of a C++ file and of a C file in an archive, which run on the device.

#include <cmath>
#include <cstdio>
#include <omp.h>

extern "C" int part(int *Values, int Count);

int main() {
  int Values[4] = {1, 2, 3, 4}, Far = 0, Threads = 0;
  double Root = 2;
  const int PartFar = part(Values, 4);
#pragma omp target map(from : Far) map(tofrom : Root)
  {
    Far = !omp_is_initial_device();
    Root = std::sqrt(Root) * std::sin(Root);
  }
#pragma omp parallel num_threads(2)
#pragma omp single
  Threads = omp_get_num_threads();
  std::printf("%d %d %d %.4f %d\n", Values[3], PartFar, Far, Root, Threads);
}
