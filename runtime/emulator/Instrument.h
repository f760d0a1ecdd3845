// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes the code of a thread tell what it touches, before it does.
// On the data's way: the step `checks` of KernelCache; what it emits calls
// AccessCalls.
// Invariants: what provably is a variable of the thread's own, a constant of
// the module or the launch's context is left out; AccessCalls leaves out the
// rest of the thread's stack and the launch's arguments. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_INSTRUMENT_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_INSTRUMENT_H

#include "ThreadCode.h"

namespace blockmaestro {

void instrumentAccesses(ThreadCode &T);

} // namespace blockmaestro

#endif
