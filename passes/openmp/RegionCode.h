// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes the device code of target regions, as clang writes it, code
// that needs nothing else: optimized as OpenMP's, with the tasks that thread
// blocks run by kind, and with the device runtime in it.
// On the data's way: first of all that is done to device code.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_REGIONCODE_H
#define BLOCKMAESTRO_PASSES_OPENMP_REGIONCODE_H

#include "TaskLayout.h"

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Whether M is the device code of target regions.
bool isRegionCode(const llvm::Module &M);

/// Completes DeviceCode by the files in Folder. The layout of its tasks, none
/// where no region creates any; with their footprints where they are
/// WithRecords.
llvm::Expected<FileLayout> completeRegionCode(llvm::Module &DeviceCode,
                                              llvm::StringRef Folder,
                                              bool WithRecords);

} // namespace blockmaestro

#endif
