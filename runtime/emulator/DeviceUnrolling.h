// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: how compilers for GPUs unroll loops whose number of iterations is
// known only when they begin.
// On the data's way: behind DevicePasses where costs are counted: which reads
// are under way together depends on it.
//
// Note [Two unrollers]: clang unrolls what stays small, by eight at most
// (DeviceInfo), unless counting the iterations would take a division. ptxas
// unrolls by four what is one basic block without atomics; of what clang has
// unrolled, only what is in another loop or has an iteration in any case. That
// is what ptxas 13.0 made of 39 loops, but for three.
//
// Invariants: loops in which threads wait for each other stay as they are.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEUNROLLING_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEUNROLLING_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Makes several iterations one; those left over follow one by one.
void unrollForDevice(llvm::Module &M);

} // namespace blockmaestro

#endif
