// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: numbers by which the code of two files can be told to be the
// same.
// On the data's way: made of device IR, compared by runtime/cuda, where a
// program has several kernels or inline functions of one name.
// Invariants: equal numbers other than 0 mean code that computes the same from
// the same memory. 0 means that the code uses memory of its own file, so that
// it is not that of another file whatever it looks like. Names of the file's
// own functions, the order of its definitions and its debug information do not
// count. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CODEIDENTITY_H
#define BLOCKMAESTRO_PASSES_DEVICE_CODEIDENTITY_H

#include "blockmaestro/Metadata.h"

#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Of Kernel with everything it reaches in its module. What it shares with
/// other files of relocatable code, variables and functions, counts by name.
uint64_t codeOf(const llvm::Function &Kernel, bool Relocatable);

/// The functions and constants of M, relocatable device code, that M's kernels
/// reach and that other files may define as well, in the order of the module.
std::vector<SharedCode> sharedCode(const llvm::Module &M);

} // namespace blockmaestro

#endif
