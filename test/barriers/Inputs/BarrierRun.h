// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a generated program of barriers includes instead of CUDA's
// headers, and the calls that BarrierRun.cu answers.

#ifndef BLOCKMAESTRO_TEST_BARRIERS_BARRIERRUN_H
#define BLOCKMAESTRO_TEST_BARRIERS_BARRIERRUN_H

#include "../../soundness/Inputs/SequenceProgram.h"

/// What a function of a kernel takes and gives back.
struct State {
  unsigned v0, v1, v2, v3, r;
};

/// Memory as BarrierMemory.h says.
void begin(unsigned seed, unsigned cells);
/// Where the first cell that is written is, behind the halo.
unsigned *buffer(unsigned which);
unsigned *half(unsigned which);
const unsigned *uniform();
/// Compares the hash of all memory, and says how the program ended.
void end(unsigned long long expected);

/// A program that main() finds.
struct Registered {
  Registered(unsigned seed, void (*run)());
};

#endif
