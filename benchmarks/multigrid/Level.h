// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a grid of multigrid.cu in device memory.

#ifndef BLOCKMAESTRO_BENCHMARKS_MULTIGRID_LEVEL_H
#define BLOCKMAESTRO_BENCHMARKS_MULTIGRID_LEVEL_H

#include "../common/Device.h"

namespace bench {

/// How much of a Jacobi step a sweep makes.
inline constexpr float Damping = 0.8f;

/// One grid: U is the solution, Right the right side, Spare a sweep's result
/// or the residual.
struct Level {
  int N;
  Array<float> U, Right, Spare;

  explicit Level(int N)
      : N(N), U(size_t(N) * N), Right(size_t(N) * N), Spare(size_t(N) * N) {}
};

} // namespace bench

#endif
