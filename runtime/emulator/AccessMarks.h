// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: makes counted code tell of every access to memory.
// On the data's way: beside Costs, between KernelSource and Retarget, which
// turns the markers into calls of bm_touch (Transactions).
// Invariants: markers say the access's number and kind, which iterations of the
// loops around it this is, where it goes and how far. Neighbours that a GPU's
// compiler makes one wide access of have one marker. Accesses to a thread's own
// memory and to parameters have none.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_ACCESSMARKS_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_ACCESSMARKS_H

namespace llvm {
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace blockmaestro {

/// `void(i32 site, i64 key, ptr address, i64 bytes)`.
inline constexpr const char *TouchMarker = "bm.touched";

/// The metadata that accesses have which become one access, the same node for
/// all of them; the first has the marker.
inline constexpr const char *WholeMark = "bm.whole";

/// The metadata of what an instruction of PTX loads or stores, the same node
/// for all elements of a vector. To those who compile PTX it is a plain access,
/// also where the assembly is volatile to those who compile what is around it.
inline constexpr const char *PtxMark = "bm.ptx";

/// Whether \p I is a load or store that compilers for GPUs may move and join.
bool isPlain(const llvm::Instruction &I);

/// Whether \p Pointer is to memory that no other thread has: local variables,
/// parameters, constants.
bool isPrivate(const llvm::Value *Pointer);

/// Puts markers before the accesses in \p M.
void markAccesses(llvm::Module &M);

} // namespace blockmaestro

#endif
