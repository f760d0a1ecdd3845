// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether a kernel can have block variants, and if not, why.
// On the data's way: asked by BlockVariants before it adds kernels to the
// device module; the reasons end in KernelRecord::NoVariantReason.
// Invariants: an empty answer means that the variant computes what the kernel
// computes, whatever the order in which blocks of its launches run; what is
// not understood gets a reason. The module is not changed.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_VARIANTCHECKS_H
#define BLOCKMAESTRO_PASSES_DEVICE_VARIANTCHECKS_H

#include "blockmaestro/Metadata.h"

#include <string>

namespace llvm {
class Function;
}

namespace blockmaestro {

/// Why no copy of Kernel, described by Record, that starts before earlier
/// launches have completed, can take its place; empty when one can.
std::string whyNoCopy(const llvm::Function &Kernel, const KernelRecord &Record);

/// Why blocks of such a copy cannot wait for single blocks of earlier launches
/// and say when they are done; empty when they can.
std::string whyNoPrelaunch(const llvm::Function &Kernel,
                           const KernelRecord &Record);

/// Why a worker cannot run blocks of Kernel in its loop, given that a prelaunch
/// variant is possible; empty when it can.
std::string whyNoPersistent(const llvm::Function &Kernel,
                            const KernelRecord &Record);

/// Index register R of the block (0 to 11: thread, block size, block, grid
/// size, each x y z, as in runtime/device/Gate.h) that the intrinsic of this
/// name reads, or -1.
int indexRegister(const std::string &Intrinsic);

} // namespace blockmaestro

#endif
