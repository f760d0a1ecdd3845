// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-sim --sweep`: the Python package's sweep of many simulations.
// On the data's way: hands a file over to `python3 -m blockmaestro sweep`,
// which takes this process's place. docs/python.md describes the file. Threads:
// none.

#ifndef BLOCKMAESTRO_TOOLS_BM_SIM_SWEEP_H
#define BLOCKMAESTRO_TOOLS_BM_SIM_SWEEP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace blockmaestro {

/// Comes back only with what is wrong.
llvm::Error runSweep(llvm::StringRef File);

} // namespace blockmaestro

#endif
