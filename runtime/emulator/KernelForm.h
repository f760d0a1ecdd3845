// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the three ways the emulator runs the code of a kernel.
// On the data's way: chosen by KernelCache once the kernel's code is inlined,
// read by everything that generates code after that, kept in CompiledKernel.
// Invariants: the thread's code is `void bm.body(ptr Context, i32 x, i32 y,
// i32 z)` in every form; functions that are called and not inlined take the
// same four parameters first.
// Threads: values.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELFORM_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_KERNELFORM_H

#include <cstdint>

namespace llvm {
class CallInst;
class Function;
} // namespace llvm

namespace blockmaestro {

struct BlockContext;

enum class KernelForm : uint8_t {
  /// Nothing waits: three loops around the thread's code, one call per block.
  ThreadLoop,
  /// Threads wait at barriers of the whole block only, or in operations of
  /// whole warps to which the lanes come together, and everything is inlined:
  /// loops over the threads from barrier to barrier, one call per block.
  Regions,
  /// Everything else, local memory of a size known only at run time included:
  /// the emulator calls the thread's code once for every thread, on a stack of
  /// its own.
  Fibers,
};

/// What a kernel of form ThreadLoop or Regions exports.
using BlockFunctionType = void (*)(BlockContext *);
/// What a kernel of form Fibers exports.
using ThreadFunctionType = void (*)(BlockContext *, uint32_t X, uint32_t Y,
                                    uint32_t Z);

/// Whether a thread goes on behind \p Call only when others have come as far,
/// or later.
bool mayWait(const llvm::CallInst &Call);

/// The cheapest form in which the kernel \p Root can run, once its module has
/// been inlined; with operations of warps Regions is only a hope.
KernelForm formOf(const llvm::Function &Root);

} // namespace blockmaestro

#endif
