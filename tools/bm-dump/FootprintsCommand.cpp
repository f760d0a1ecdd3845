// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump footprints`: what -fblockmaestro-dump=footprints shows
// while compiling, from the compiled file.

#include "Commands.h"
#include "FootprintText.h"
#include "RecordJson.h"
#include "RecordsCommand.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

void showFootprintsText(ArrayRef<ModuleRecord> Records) {
  for (const ModuleRecord &Module : Records) {
    outs() << "module " << Module.Source << " for " << Module.Architecture
           << '\n';
    for (const KernelRecord &Kernel : Module.Kernels)
      outs() << toText(Kernel);
  }
}

void showFootprintsJson(ArrayRef<ModuleRecord> Records) {
  json::Array Kernels;
  for (const ModuleRecord &Module : Records)
    for (const KernelRecord &Kernel : Module.Kernels)
      Kernels.push_back(toJson(Kernel, Module));
  printJson(json::Object{{"kernels", std::move(Kernels)}});
}

} // namespace

int runFootprints(const DumpOptions &Given) {
  return showRecords({showFootprintsText, showFootprintsJson}, Given);
}

} // namespace blockmaestro
