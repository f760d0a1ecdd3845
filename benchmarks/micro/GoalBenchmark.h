// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what main gives GoalBenchmark.cpp.

#ifndef BLOCKMAESTRO_BENCHMARKS_MICRO_GOALBENCHMARK_H
#define BLOCKMAESTRO_BENCHMARKS_MICRO_GOALBENCHMARK_H

#include "blockmaestro/Metadata.h"

#include <vector>

namespace blockmaestro {

/// Adds the benchmarks of launches of the kernels that From, which must stay,
/// has of the stencil and the blocked LU. False when it has neither.
bool registerCompiled(const std::vector<ModuleRecord> &From);

} // namespace blockmaestro

#endif
