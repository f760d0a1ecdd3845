// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: every instruction of a kernel that may touch memory, in program
// order, with the pointer it goes through.
// On the data's way: between the canonicalised kernel and the offsets.
// Invariants: an instruction that may touch memory of other blocks is never
// left out; what is not understood has no Pointer or no Bytes, and a Why.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_ACCESSCOLLECTION_H
#define BLOCKMAESTRO_PASSES_DEVICE_ACCESSCOLLECTION_H

#include "Reasons.h"

#include "blockmaestro/Footprint.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace blockmaestro {

struct RawAccess {
  const llvm::Instruction *At = nullptr;
  const llvm::Value *Pointer = nullptr; ///< Null: anywhere.
  AccessKind Kind = AccessKind::Read;
  uint64_t Bytes = 0; ///< 0: any number, or Length of them.
  /// The number of bytes where it is no constant: an integer taken as
  /// unsigned, of At's function. Why then says what to call it otherwise.
  const llvm::Value *Length = nullptr;
  Rejection Why; ///< Only without Pointer or Bytes.
};

/// The accesses of F and of everything it calls.
std::vector<RawAccess> collectAccesses(const llvm::Function &F);

/// Gives F's own accesses to OnAccess, and the calls through pointers or of
/// functions with a body to OnCall, all in program order.
void collectOwnAccesses(
    const llvm::Function &F,
    llvm::function_ref<void(const RawAccess &)> OnAccess,
    llvm::function_ref<void(const llvm::CallBase &)> OnCall);

} // namespace blockmaestro

#endif
