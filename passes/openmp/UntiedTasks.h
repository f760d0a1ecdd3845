// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes untied tasks of the device tied ones. clang cuts the code
// of an untied task into parts at its scheduling points: each part makes the
// task anew, with the number of the next part in it, and returns. Here a part
// goes on with the next one.
// On the data's way: first of all for device code, as clang writes it.
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_UNTIEDTASKS_H
#define BLOCKMAESTRO_PASSES_OPENMP_UNTIEDTASKS_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Fails where an untied task is cut in another way.
llvm::Error tieTasks(llvm::Module &M);

} // namespace blockmaestro

#endif
