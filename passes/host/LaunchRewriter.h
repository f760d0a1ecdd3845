// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: kernel launches redirected to the runtime.
// On the data's way: the host object's calls become runtime/cuda's launches.
// A call  cudaLaunchKernel(Stub, Grid..., Block..., Args, Shared, Stream)
// whose Stub is a kernel of this file becomes
//   extern "C" int __blockmaestro_launch(void **Slot, const char *Symbol,
//       const void *Stub, Grid..., Block..., void **Args, size_t Shared,
//       void *Stream);
// Slot points at a word of this object, per kernel, that is null at the start
// and the runtime's to keep what it found for Stub; Symbol is the kernel's name
// in the device code. What the launch means is what Stub stands for, as in
// CUDA. In a program that is not linked with the runtime the call does what it
// did. Invariants: a call whose stub is not a known kernel stays as it is, and
// so do launches on the per-thread default stream (cudaLaunchKernel_ptsz).
// Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_HOST_LAUNCHREWRITER_H
#define BLOCKMAESTRO_PASSES_HOST_LAUNCHREWRITER_H

namespace llvm {
class Module;
} // namespace llvm

namespace blockmaestro {

/// Returns the number of calls rewritten.
unsigned rewriteLaunches(llvm::Module &M);

} // namespace blockmaestro

#endif
