// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: a `parallel` in device code as clang writes it: a call with its
// microtask and a list of what the microtask gets.
// On the data's way: read by all that changes device code of OpenMP.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_PARALLELCALLS_H
#define BLOCKMAESTRO_PASSES_OPENMP_PARALLELCALLS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class Argument;
class CallInst;
class Function;
class Value;
} // namespace llvm

namespace blockmaestro {

inline constexpr llvm::StringLiteral ParallelName = "__kmpc_parallel_60";

/// Arguments of it.
enum ParallelArgument : unsigned {
  IfArgument = 2,
  SizeArgument = 3,
  MicrotaskArgument = 5,
  NumberArgument = 6,
  ListArgument = 7,
  CountArgument = 8
};

bool isParallel(const llvm::Value &V);
/// Null where it is not known.
llvm::Function *microtaskOf(const llvm::CallInst &Parallel);

/// What is stored anywhere in the function into an element of Parallel's list,
/// and the microtask's argument that it may become.
struct PassedValue {
  llvm::Value *Given = nullptr;
  llvm::Argument *Becomes = nullptr;
};
/// Nothing where the list is used in another way, or the microtask is not
/// known.
std::optional<llvm::SmallVector<PassedValue>>
passedValues(const llvm::CallInst &Parallel);

/// Whether Memory is only filled, and the list of `parallel`s.
bool isList(llvm::AllocaInst &Memory);

/// How much memory behind Pointer its users read, where that is known and all
/// that they do; microtasks to which it is passed included.
std::optional<uint64_t> bytesReadOnly(llvm::Value &Pointer);

/// Whether all users of Pointer only read memory behind it.
bool isReadOnly(llvm::Value &Pointer);

} // namespace blockmaestro

#endif
