// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: finds kernels whose blocks may wait for other blocks of their
// launch: barriers of the whole grid made by hand, flags handed from block to
// block, locks.
// On the data's way: the feature BlockWait, for which a kernel gets no
// variants: they may hold fewer blocks on the machine at a time than the
// program relies on.
// Invariants: a loop that waits and is not found may hang a variant; one that
// is found and does not wait keeps the kernel's plain form.
// Threads: no state.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_WAITLOOPS_H
#define BLOCKMAESTRO_PASSES_DEVICE_WAITLOOPS_H

namespace llvm {
class Function;
}

namespace blockmaestro {

/// Whether Kernel, canonicalised, or a function that it still calls has a loop
/// that goes on until another block has written something. See Note [Waiting]
/// in the source.
bool mayWaitForBlocks(const llvm::Function &Kernel);

} // namespace blockmaestro

#endif
