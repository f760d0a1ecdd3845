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

Kernel generate(uint32_t Seed);
LaunchCase randomLaunch(const Kernel &K, Random &R);

unsigned idiomCount();
const char *idiomName(unsigned Idiom);

} // namespace blockmaestro::soundness

#endif
