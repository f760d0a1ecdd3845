// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from the code of one thread to the code of one block,
// `void Name(ptr Context)`, for kernels whose threads meet at block barriers or
// not at all.
// On the data's way: after Retarget; the module is then optimised and compiled.
// The body is simplified while its barriers are still calls, then cut into
// regions (RegionPlan), each of which becomes a loop over the threads
// (Regions). The code of one block shape is made for that shape only: its loops
// have known trip counts.
// Threads: one module.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKFUNCTION_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_BLOCKFUNCTION_H

#include <cstdint>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace blockmaestro {

/// The threads of a block, where all launches of a block function have the
/// same.
struct BlockShape {
  uint32_t Extent[3] = {0, 0, 0};

  bool known() const { return Extent[0] != 0; }
  uint32_t threads() const { return Extent[0] * Extent[1] * Extent[2]; }
};

/// Adds the block function \p Name around the thread's code \p Body, which is
/// used up. Launched with another shape than \p Shape, where that is known, it
/// is wrong. How many threads in x it may run as one block, of several that are
/// neighbours: see KernelFacts::StripThreads.
uint32_t makeBlockFunction(llvm::Function &Body, const std::string &Name,
                           BlockShape Shape = {});

/// The same for a body whose lanes do things together, and a shape that is
/// known, in launches of less than LargestLine threads in x. False where lanes
/// may not come together; \p Body is then of no use any more.
bool makeBlockFunctionOfWarps(llvm::Function &Body, const std::string &Name,
                              BlockShape Shape);

/// So many threads in x can be told apart by an int.
inline constexpr uint64_t LargestLine = uint64_t(1) << 31;

} // namespace blockmaestro

#endif
