// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the passes of the plugin. Pipeline.cpp is the table of contents
// of everything the compiler does.
// On the data's way: the first runs at the start of the optimisation pipeline
// of both compilations of a CUDA file, the device's first; the second at the
// end of the device's.
// Invariants: a module it cannot help is left as it is. Device code that exists
// is never changed, only added to. Threads: one per module.

#ifndef BLOCKMAESTRO_PASSES_PIPELINE_H
#define BLOCKMAESTRO_PASSES_PIPELINE_H

#include "llvm/IR/PassManager.h"

#include <string>

namespace blockmaestro {

/// What the driver tells the plugin, by environment variables: options of
/// -mllvm would have to be known before the plugin is loaded.
struct PassOptions {
  std::string Handover;        ///< BLOCKMAESTRO_HANDOVER: a folder, or empty.
  bool DumpFootprints = false; ///< BLOCKMAESTRO_DUMP=footprints
  /// The device code may be linked with that of other files; false with
  /// BLOCKMAESTRO_DEVICE_CODE=whole.
  bool Relocatable = true;
  /// BLOCKMAESTRO_OPENMP: the folder of the device runtime, or empty.
  bool InferDepend = false; ///< Tasks carry what they touch.
  std::string OpenMP;

  static PassOptions fromEnvironment();
};

class BlockMaestroPass : public llvm::PassInfoMixin<BlockMaestroPass> {
public:
  explicit BlockMaestroPass(PassOptions Options)
      : Options(std::move(Options)) {}

  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  /// Also for functions that must not be optimised: soundness of the rewritten
  /// launches does not depend on the optimisation level.
  static bool isRequired() { return true; }

private:
  PassOptions Options;
};

/// Prints the footprints of a device module's kernels; changes nothing.
class PrintFootprintsPass : public llvm::PassInfoMixin<PrintFootprintsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

class FinishVariantsPass : public llvm::PassInfoMixin<FinishVariantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

  /// Variants are added at every optimisation level.
  static bool isRequired() { return true; }
};

} // namespace blockmaestro

#endif
