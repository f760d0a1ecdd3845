// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what bm-report was asked for.
// On the data's way: from the command line to everything else of bm-report.
// docs/bm-report.md lists the options.
// Ownership and threads: plain value and pure functions.

#ifndef BLOCKMAESTRO_TOOLS_BM_REPORT_OPTIONS_H
#define BLOCKMAESTRO_TOOLS_BM_REPORT_OPTIONS_H

#include "LaunchRange.h"
#include "Scheduler.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockmaestro {

struct Options {
  std::vector<std::string> Files;
  std::string Output;  ///< Empty: by the first file's name.
  std::string Program; ///< Empty: what each recording names.
  std::string Title;   ///< Empty: by the files' names.
  std::string Machine = "titanx-pascal";
  std::vector<std::string> MachineKeys;   ///< key=value, in the order given.
  std::vector<sim::Scheduler> Schedulers; ///< As given.
  LaunchRange Launches;
  uint64_t MostBlocks = 200000;
  bool Json = false;
  bool Help = false;
  bool Version = false;
};

llvm::Expected<Options> readOptions(llvm::ArrayRef<const char *> Arguments);

} // namespace blockmaestro

#endif
