// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what becomes of a call in an inspection function: OpenMP's calls
// as a team of one thread makes them, and those of tasks as ours.
// On the data's way: asked by Inspection for each call that it does not inline.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_OPENMP_REGIONCALLS_H
#define BLOCKMAESTRO_PASSES_OPENMP_REGIONCALLS_H

#include "TaskSites.h"

namespace blockmaestro {

/// The code that a call of libomp's runs, where it is a call that runs code in
/// a team: then Call has been replaced by one of the code.
llvm::CallInst *replaceFork(llvm::CallInst &Call);

enum class CallFate {
  Gone, ///< Call has been replaced, or was not needed.
  Kept, ///< May stay as it is.
  Other ///< Nothing is known of it.
};

/// What the program has where clang writes a call of this name of libomp's that
/// is not replaced; empty where that is not known.
std::string constructOf(llvm::StringRef Name);

/// Replaces Call, which calls no function that is defined but a task's entry.
CallFate replaceCall(llvm::CallInst &Call, const TaskSites &Sites);

} // namespace blockmaestro

#endif
