// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the values of PTX's special registers on the emulated device.
// On the data's way: part of Retarget.
// Invariants: what does not change while a thread runs is read where its
// function begins; clocks are read where the code reads them. `smid` is the
// worker that runs the block.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_SPECIALREGISTERS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_SPECIALREGISTERS_H

#include "ThreadCode.h"

namespace blockmaestro {

/// The value of the special register that \p Call, in a function of \p T,
/// reads; null when it reads none that is known.
llvm::Value *specialRegister(ThreadCode &T, llvm::CallInst &Call);

} // namespace blockmaestro

/// Nanoseconds since the epoch: %globaltimer.
extern "C" uint64_t bm_globaltimer();

#endif
