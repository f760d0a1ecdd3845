// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the functions behind emulatedCalls(), one for each row of
// Api.def that says Yes or NoEffect, under its name.
// On the data's way: each room has those that need nothing of the rooms after
// it, a file those of one subject.
// Invariants: the front end has drained or fenced before each of them as its
// effect says, and the executors of this device wait in fence(); so nothing
// here waits, and streams are names only.
// Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_CALLS_H
#define BLOCKMAESTRO_RUNTIME_CUDA_EMULATED_CALLS_H

#include <cuda_runtime_api.h>

namespace blockmaestro::emulated {

#define BM_CALL(Return, Name, Parameters, Arguments, Effect, Emulated, Twin,   \
                Remark)                                                        \
  Return Name Parameters;
#include "Api.def"
#undef BM_CALL

} // namespace blockmaestro::emulated

#endif
