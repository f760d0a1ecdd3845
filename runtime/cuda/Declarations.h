// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what a program declares of its next launch (annotate.h), and what
// that says of the launch's accesses.
// On the data's way: blockmaestro_reads and _writes -> the launch call takes
// the thread's declaration -> Runtime -> Window.
// Invariants: a declaration is whole: one call that fails drops all of it.
// Accesses whose coordinates are known are never changed.
// Threads: one declaration each, without a destructor, since launches come
// from static destructors too.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_DECLARATIONS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_DECLARATIONS_H

#include "Allocations.h"

#include "blockmaestro/BlockAccess.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace blockmaestro {

struct DeclaredRange {
  AccessKind Kind = AccessKind::Read;
  Allocation Where;
};

struct Declaration {
  static constexpr size_t Most = 64; ///< BLOCKMAESTRO_MOST_RANGES

  bool Made = false;
  bool Broken = false; ///< By a call that failed.
  size_t Count = 0;
  std::array<DeclaredRange, Most> Ranges;
};

/// One of the results in annotate.h.
int declare(AccessKind Kind, const void *Address, size_t Bytes);
void forgetDeclaration();
/// What this thread has declared since the last time; null when nothing.
std::unique_ptr<const Declaration> takeDeclaration();

/// The declared ranges in place of the accesses of which only an allocation is
/// known, or nothing.
LaunchAccesses declaredAccesses(LaunchAccesses Evaluated,
                                const Declaration &Declared,
                                const AllocationMap &Known);

} // namespace blockmaestro

#endif
