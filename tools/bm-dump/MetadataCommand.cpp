// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: `bm-dump metadata`: every field of every record; of the bitcode
// its size.

#include "Commands.h"
#include "FeatureNames.h"
#include "FootprintText.h"
#include "RecordJson.h"
#include "RecordsCommand.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace blockmaestro {
namespace {

void showParameter(const Parameter &P, size_t Number) {
  outs() << "    arg" << Number << ": " << P.Bytes << " bytes at " << P.Offset
         << (P.Pointer ? ", pointer" : "") << (P.ByValue ? ", by value" : "")
         << '\n';
}

void showVariants(const KernelRecord &K) {
  if (!K.PdlSymbol.empty())
    outs() << "    pdl: " << K.PdlSymbol << '\n';
  if (!K.PrelaunchSymbol.empty())
    outs() << "    prelaunch: " << K.PrelaunchSymbol << '\n';
  if (K.PersistentCase >= 0)
    outs() << "    persistent case: " << K.PersistentCase << '\n';
  if (!K.TimedSymbol.empty())
    outs() << "    timed: " << K.TimedSymbol << '\n';
  if (!K.NoVariantReason.empty())
    outs() << "    no variant: " << K.NoVariantReason << '\n';
}

void showKernel(const KernelRecord &K) {
  outs() << "  kernel " << K.Name << "  [" << K.Symbol << "]\n"
         << "    arguments: " << K.ArgumentBytes << " bytes\n";
  for (size_t I = 0; I < K.Parameters.size(); ++I)
    showParameter(K.Parameters[I], I);
  outs() << "    shared: " << K.StaticSharedBytes << " bytes\n";
  if (K.Cluster[0])
    outs() << "    cluster: " << K.Cluster[0] << " x " << K.Cluster[1] << " x "
           << K.Cluster[2] << '\n';
  if (K.Features)
    outs() << "    features: " << join(featureNames(K), ", ") << '\n';
  outs() << "    " << summaryText(K.Bytes) << '\n';
  showVariants(K);
  if (K.Replaceable)
    outs() << "    weak: another file may replace it\n";
  if (K.Code)
    outs() << "    code: " << utohexstr(K.Code, /*LowerCase=*/true) << '\n';
}

void showMetadataText(ArrayRef<ModuleRecord> Records) {
  for (const ModuleRecord &Module : Records) {
    outs() << "module " << Module.Source << " for " << Module.Architecture
           << "\n  bitcode: " << Module.Bitcode.size() << " bytes\n";
    if (Module.Relocatable)
      outs() << "  relocatable\n";
    if (!Module.PersistentSymbol.empty())
      outs() << "  persistent entry: " << Module.PersistentSymbol << '\n';
    for (const GlobalRecord &Global : Module.Globals)
      outs() << "  global " << Global.Symbol << ": " << Global.Bytes << " bytes"
             << (Global.Internal ? ", internal" : "") << '\n';
    for (const SharedCode &Each : Module.Shared)
      outs() << "  shared " << Each.Symbol << ": "
             << utohexstr(Each.Code, /*LowerCase=*/true) << '\n';
    for (const KernelRecord &Kernel : Module.Kernels)
      showKernel(Kernel);
  }
}

void showMetadataJson(ArrayRef<ModuleRecord> Records) {
  json::Array Modules;
  for (const ModuleRecord &Module : Records)
    Modules.push_back(toJson(Module));
  printJson(json::Object{{"version", MetadataVersion},
                         {"modules", std::move(Modules)}});
}

} // namespace

int runMetadata(const DumpOptions &Given) {
  return showRecords({showMetadataText, showMetadataJson}, Given);
}

} // namespace blockmaestro
