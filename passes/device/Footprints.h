// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the device analysis as a whole, from device IR to what the host
// object will carry about it.
// On the data's way: reads device IR at the start of the pipeline; its result
// goes to the metadata writer.
// Invariants: the result depends on the program only, not on the optimisation
// level; it is the same, byte for byte, every time.
// Ownership and threads: the record is a plain value; one thread per
// LLVMContext.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTS_H
#define BLOCKMAESTRO_PASSES_DEVICE_FOOTPRINTS_H

#include "blockmaestro/Metadata.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace blockmaestro {

/// The kernels and globals of device module M with all their accesses. Fills
/// everything but Bitcode and what names block variants. M is not changed; the
/// work is done on a copy. Relocatable device code may be linked with that of
/// other files. Fails only when M is not valid IR.
llvm::Expected<ModuleRecord> analyzeDeviceModule(const llvm::Module &M,
                                                 bool Relocatable);

/// Reports R, made from M, as optimisation remarks of pass "blockmaestro" on
/// M's kernels: passed (all exact), missed (accesses that are not, one remark
/// for each line and reason, with advice), analysis (the footprint as text). M
/// is not changed.
void emitRemarks(llvm::Module &M, const ModuleRecord &R);

/// The same for kernels that did not get all block variants: missed (it has
/// none), analysis (only the persistent entry cannot run it).
void emitVariantRemarks(llvm::Module &M, const ModuleRecord &R);

} // namespace blockmaestro

#endif
