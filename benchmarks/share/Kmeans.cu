// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Work.h"

#define main program
namespace kmeans {
#include "../kmeans/kmeans.cu"
} // namespace kmeans
#undef main

Work kmeansWork() {
  const int N = 1000000, Features = 32, Clusters = 8;
  auto Inverted = randomArray<float>(size_t(N) * Features, 0, 1);
  auto Centre = randomArray<float>(Clusters * Features, 0, 1);
  auto Member = emptyArray<int>(N);
  return workOf<int>("kmeans", Member, [=](cudaStream_t On) {
    kmeans::assign<<<(N + 255) / 256, 256, 0, On>>>(
        N, Features, Clusters, *Inverted, *Centre, *Member);
  });
}
