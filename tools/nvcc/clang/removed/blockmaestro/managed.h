// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: __managed__ as BlockMaestro's passes take it: a variable of the
// device in a section of its own (passes/ManagedVariables.h).
// On the data's way: behind the toolkit's cuda_runtime_api.h, where the passes
// are loaded; without them clang refuses what uses such a variable.

#ifndef BLOCKMAESTRO_MANAGED_H
#define BLOCKMAESTRO_MANAGED_H
#if defined(BLOCKMAESTRO_PASSES) && defined(__CUDACC__)
#undef __managed__
#define __managed__ __attribute__((device, section(".blockmaestro.managed")))
#endif
#endif
