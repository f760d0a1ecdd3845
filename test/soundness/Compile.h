// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: from kernels of ours to their records, through clang, the device
// analysis, the metadata writer and the metadata reader.
// On the data's way: tests only; the plugin's view, at the start of the
// pipeline. Threads: no state.

#ifndef BLOCKMAESTRO_TEST_SOUNDNESS_COMPILE_H
#define BLOCKMAESTRO_TEST_SOUNDNESS_COMPILE_H

#include "Program.h"

#include "blockmaestro/Metadata.h"

#include <map>

namespace blockmaestro::soundness {

struct Compiled {
  std::map<std::string, KernelRecord> Records; ///< By symbol.
  std::string Failure;                         ///< Empty when it worked.
  double ClangSeconds = 0;
  double AnalysisSeconds = 0;
};

/// The records of the kernels. Those of relocatable code are compiled by
/// themselves. Sets the Lines of the kernels,
/// which the records' locations name.
Compiled compile(std::vector<Kernel> &Kernels, unsigned OptimisationLevel);

/// The record of K, or null.
const KernelRecord *findRecord(const Compiled &From, const Kernel &K);

} // namespace blockmaestro::soundness

#endif
