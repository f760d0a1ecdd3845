// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what main gives GoalBenchmark.cpp.

#ifndef BLOCKMAESTRO_BENCHMARKS_MICRO_GOALBENCHMARK_H
#define BLOCKMAESTRO_BENCHMARKS_MICRO_GOALBENCHMARK_H

#include "blockmaestro/Metadata.h"

namespace blockmaestro {

/// Adds the benchmark of the blocked LU whose kernels From has; From must stay.
void registerLU(const ModuleRecord &From);

} // namespace blockmaestro

#endif
