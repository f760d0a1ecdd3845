// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device's library: printf, malloc, free, assert and traps,
// from calls in device code to host calls (Printf, KernelHeap, Faults). On the
// data's way: after Retarget, in every form. Invariants: afterwards no call of
// the device's library and no trap is left. Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICELIBRARY_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICELIBRARY_H

namespace blockmaestro {

struct ThreadCode;

void lowerLibrary(ThreadCode &T);

} // namespace blockmaestro

#endif
