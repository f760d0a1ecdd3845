// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: records inside a host object: one constant in the section
// `.blockmaestro` and a constructor that tells the runtime about it.
// On the data's way: from the handover to runtime/launch and bm-dump.
// Invariants: the constructor runs before any constructor of the program that
// does not ask for a priority below 101, so before any launch. Threads: one per
// module.

#ifndef BLOCKMAESTRO_PASSES_HOST_EMBED_H
#define BLOCKMAESTRO_PASSES_HOST_EMBED_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Adds the constant and the constructor, which calls
///   extern "C" void __blockmaestro_register(const void *Data, size_t Bytes)
/// if the program is linked with the runtime.
llvm::GlobalVariable *embedRecords(llvm::Module &M,
                                   llvm::ArrayRef<uint8_t> Records);

} // namespace blockmaestro

#endif
