// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: brings a copy of the device module into one form, whatever the
// optimisation level it was made for: calls inlined, variables in registers,
// loops rotated.
// On the data's way: first step of the device analysis.
// Invariants: no access to memory that other blocks can see is removed, moved
// or merged, see Note [Accesses stay]. Threads: one per LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CANONICALIZE_H
#define BLOCKMAESTRO_PASSES_DEVICE_CANONICALIZE_H

namespace llvm {
class Argument;
class Function;
class LoadInst;
class Module;
class Value;
} // namespace llvm

namespace blockmaestro {

class AnalysisManagers;

bool isKernel(const llvm::Function &F);

/// Whether Pointer can only point to a thread's own memory: its stack or its
/// copy of an aggregate parameter.
bool isThreadPrivate(const llvm::Value *Pointer);

/// Whether A is an aggregate passed by value that the kernel never writes, so
/// that what it loads from A is what the launch passed.
bool isConstantAggregate(const llvm::Argument &A);

/// Whether Load, of a canonicalised module, was neither volatile nor atomic in
/// the program.
bool isPlainLoad(const llvm::LoadInst &Load);

/// Rewrites M, a copy made for analysis.
void canonicalize(llvm::Module &M, AnalysisManagers &Known);

} // namespace blockmaestro

#endif
