// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the line about a region of tasks in BLOCKMAESTRO_TASK_REPORT.
// On the data's way: Inspection -> here -> benchmarks/juggler.
// Invariants: a line is a JSON object and is written at once. Threads: any.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_REGIONREPORT_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_REGIONREPORT_H

#include "Inspection.h"
#include "WorkerLoad.h"

#include <string>

namespace blockmaestro::openmp {

/// Region: its symbol. Load: of its last graph.
std::string reportLine(const std::string &Region, const InspectionCounts &Of,
                       const WorkerLoad &Load);

/// Adds the line to the file.
Status addReport(const std::string &Path, const std::string &Line);

} // namespace blockmaestro::openmp

#endif
