// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the other forms of every kernel: a pdl variant, which waits for
// the launch in front as a whole, two whose blocks wait for the blocks they
// need: a prelaunch variant and a case of the module's persistent entry, and a
// timed variant (TimedVariants.h).
// On the data's way: runs at the start of the device pipeline, after the
// analysis, and once more at its end; the executors launch what it adds. The
// page is docs/variants.md. Invariants: the kernels that are there stay as they
// are; what is added is deterministic.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_BLOCKVARIANTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_BLOCKVARIANTS_H

#include "blockmaestro/Metadata.h"

namespace llvm {
class Module;
}

namespace blockmaestro {

/// Adds the variants of R's kernels to device module M and names them in R:
/// PdlSymbol, PrelaunchSymbol, PersistentCase and PersistentSymbol, or
/// NoVariantReason where one is missing; and TimedSymbol. Does nothing but give
/// the reason below sm_90.
void addBlockVariants(llvm::Module &M, ModuleRecord &R);

/// Puts into the variants what was kept out of the optimiser's way. At the end
/// of the device pipeline. Returns whether there was something to do.
bool finishBlockVariants(llvm::Module &M);

} // namespace blockmaestro

#endif
