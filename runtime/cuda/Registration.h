// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: whether all that a program registers before main has been kept.
// What clang and the host passes write into objects calls Registration.cpp, and
// none of these calls can report a failure.
// On the data's way: registration writes Registry.h; the first call of CUDA
// that opens the front end (Api.cpp) asks here, and fails where something was
// lost. Invariants: what was lost once stays lost. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_REGISTRATION_H
#define BLOCKMAESTRO_RUNTIME_CUDA_REGISTRATION_H

namespace blockmaestro {

/// Whether memory ran out while something was registered.
bool registrationFailed();

} // namespace blockmaestro

#endif
