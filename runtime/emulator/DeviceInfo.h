// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what LLVM's passes ask a target, answered as clang's target for
// NVIDIA's GPUs does.
// On the data's way: given to the passes over code that is counted.
// Invariants: only what decides how loops are unrolled and how wide counters
// are. Threads: one module at a time.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEINFO_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_DEVICEINFO_H

#include "llvm/Analysis/TargetTransformInfo.h"

namespace blockmaestro {

llvm::TargetIRAnalysis deviceInfo();

} // namespace blockmaestro

#endif
