// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: random kernels, made of the idioms CUDA programs use and of
// arbitrary arithmetic, and random launches of them.
// On the data's way: tests only. Invariants: the same seed gives the same
// kernel and launches. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_GENERATE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_GENERATE_H

#include "Interpret.h"
#include "Program.h"

#include <random>

namespace blockmaestro::soundness {

using Random = std::mt19937;

/// With \p Affine of affine idioms only.
Kernel generate(uint32_t Seed, bool Affine = false);
LaunchCase randomLaunch(const Kernel &K, Random &R);
/// Of that grid and these blocks.
LaunchCase randomLaunch(const Kernel &K, Dim3 Grid, Dim3 Block, Random &R);

unsigned idiomCount();
const char *idiomName(unsigned Idiom);

} // namespace blockmaestro::soundness

#endif
