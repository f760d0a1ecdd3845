// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the records of the program that was recorded: footprints and
// variants of its kernels, and the lines of its sources.
// On the data's way: from a compiled file, and the sources that it names, to
// the kernels of a report.
// Invariants: a kernel is found by the name that a recording has; of several
// the first.
// Ownership: owns the records; kernels that are handed out live as long.
// Threads: immutable once read.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_PROGRAMRECORDS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_PROGRAMRECORDS_H

#include "blockmaestro/Metadata.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <map>
#include <string>
#include <vector>

namespace blockmaestro {

struct FoundKernel {
  const ModuleRecord *Module = nullptr;
  const KernelRecord *Kernel = nullptr; ///< Null where there is none.
};

struct ProgramRecords {
  std::string File;    ///< Empty where there are no records.
  std::string Problem; ///< Why; empty where there are, or nobody asked.
  std::vector<ModuleRecord> Modules;
  std::map<std::string, FoundKernel> Kernels;

  FoundKernel find(const std::string &Name) const;
};

/// Of the file that is given, which must have some; else of the program that a
/// recording names, if it has.
llvm::Expected<ProgramRecords> readProgram(llvm::StringRef Given,
                                           llvm::StringRef Recorded);

/// The lines around the accesses of these kernels, as a list of files; those
/// that are not found in the sources' folder, or the program's, are left out.
void writeSources(llvm::json::OStream &Out,
                  llvm::ArrayRef<const KernelRecord *> Kernels,
                  llvm::StringRef ProgramFile);

} // namespace blockmaestro

#endif
