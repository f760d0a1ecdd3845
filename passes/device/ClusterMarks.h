// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the clusters that kernels are declared with (__cluster_dims__).
// clang 22 reads the attribute and emits nothing for it on NVPTX; what the
// driver defines __cluster_dims__ as leaves an annotation too.
// On the data's way: first of all on device code; the back end and the kernel's
// record go by the attribute that this makes of the annotation.
// Threads: one module.

#ifndef BLOCKMAESTRO_PASSES_DEVICE_CLUSTERMARKS_H
#define BLOCKMAESTRO_PASSES_DEVICE_CLUSTERMARKS_H

#include <array>
#include <cstdint>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace blockmaestro {

/// Gives the kernels of \p M that have the annotation NVPTX's attribute.
void markClusters(llvm::Module &M);

/// The extents of the cluster that \p Kernel requires, or zeros.
std::array<uint32_t, 3> clusterOf(const llvm::Function &Kernel);

} // namespace blockmaestro

#endif
