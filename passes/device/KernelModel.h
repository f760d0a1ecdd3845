// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the launch and the hardware give a kernel: its parameters
// and shared memory, and which IR values are such numbers or pointers.
// On the data's way: read by every later step of the device analysis.
// Invariants: works on a canonicalised kernel. Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_KERNELMODEL_H
#define BLOCKMAESTRO_PASSES_DEVICE_KERNELMODEL_H

#include "Reasons.h"

#include "blockmaestro/Metadata.h"

#include <optional>
#include <vector>

namespace llvm {
class Argument;
class Function;
class LoadInst;
class Module;
class Value;
} // namespace llvm

namespace blockmaestro {

/// Fills symbol, name, parameters, shared memory and features of kernel F; the
/// features of its original (see Features.h) are the caller's to add.
void describeKernel(const llvm::Function &F, KernelRecord &Record);

/// Whether F is one of the kernels that run all tasks of a file
/// (runtime/openmp/device/TaskKernels.cu).
bool runsTasks(const llvm::Function &F);

/// The variables of M that accesses may be rooted at, in module order.
std::vector<GlobalRecord> describeGlobals(const llvm::Module &M);

/// The symbol V stands for: an index register, an integer argument, or an
/// integer inside an aggregate argument. None for anything else.
std::optional<Symbol> launchValue(const llvm::Value *V);

/// What a pointer's underlying object is.
struct Object {
  enum class Kind {
    Ignored, ///< No memory of another block: stack, shared, constants.
    Known,   ///< Base is set.
    Unknown, ///< Why is set.
  };
  Kind What = Kind::Unknown;
  Root Base;
  Rejection Why;
};

/// A load of a pointer from an aggregate that the launch passed, at an index
/// that is not constant: the pointers it may be.
struct PointerChoice {
  const llvm::Argument *From = nullptr; ///< Null: no such load.
  std::vector<uint64_t> Offsets;        ///< In From: where a pointer may be.
};

/// By the place of a pointer in the aggregate alone, whatever type it has
/// there: a union or an integer may hide one.
PointerChoice pointerChoice(const llvm::LoadInst &Load);

/// The object that the pointer at Offset in aggregate A, or A itself, points
/// to.
Object argumentObject(const llvm::Argument &A, uint64_t Offset);

/// A pointer that may be one of more than these is not followed.
inline constexpr size_t MostPointers = 16;

bool sameRoot(const Root &A, const Root &B);

/// The address of a pointer argument, or of a pointer at a constant place in an
/// aggregate argument, as a number of the launch; none for anything else.
std::optional<Symbol> launchAddress(const llvm::Value *V);

Object classifyObject(const llvm::Value *V);

/// Every object Pointer may point into, without repeats and without ignored
/// ones; one Unknown is returned alone.
std::vector<Object> objectsOf(const llvm::Value *Pointer);

} // namespace blockmaestro

#endif
