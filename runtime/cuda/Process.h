// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the one front end of a process, opened by the first CUDA call:
// options read, device chosen, everything registered handed over; and closed
// when the program ends.
// Invariants:
//  - Opening happens once. When it fails every call returns the same error.
//  - Nothing is destroyed at the end: programs may call from their static
//    destructors. After the end launches fail, other calls still work.
//  - Prints to stderr only for a wrong option, for a library whose kernels
//    cannot run, for code that another CUDA runtime has, for a kernel that died
//    and, under BLOCKMAESTRO_EXPLAIN=1, at the end.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_PROCESS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_PROCESS_H

#include "Registry.h"
#include "Runtime.h"

namespace blockmaestro {

/// What start-up code of the program has registered so far.
Registry &processRegistry();

/// The front end, opened if need be; null, and the error, when it cannot be.
Runtime *openRuntime(cudaError_t &Error);
/// The front end if it is open.
Runtime *runtimeIfOpen();

/// Remembers records whose fat binary this thread registers next, and sees to
/// it that the program is told, by its end, of those whose did not come.
void announceRecords(const void *Data, size_t Bytes);

/// Says which libraries the program has loaded whose kernels the device cannot
/// run, each once.
void nameClosedLibraries();

/// Keeps for BLOCKMAESTRO_EXPLAIN=1 why a kernel did not run as it could have.
void noteReason(const std::string &About, const std::string &Why);

/// Says on stderr, once, what of a library cannot be done.
void sayFailure(const std::string &Why);

/// Takes a module back that the program unregisters at its end.
void unregisterModule(RegisteredModule *Module);

} // namespace blockmaestro

#endif
