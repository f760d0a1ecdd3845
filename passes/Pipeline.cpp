// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pipeline.h"

#include "device/ClusterMarks.h"

#include "BlockVariants.h"
#include "Embed.h"
#include "FootprintText.h"
#include "Footprints.h"
#include "Handover.h"
#include "KernelStubs.h"
#include "LaunchRewriter.h"
#include "Linkage.h"
#include "ManagedVariables.h"
#include "MetadataWriter.h"
#include "RegionCode.h"
#include "TaskTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <cstdlib>

using namespace llvm;

namespace blockmaestro {
namespace {

/// The program is compiled without our help, and says why.
void warn(Module &M, Error Why) {
  std::string Text = "blockmaestro: this file is compiled without it: " +
                     toString(std::move(Why));
  M.getContext().diagnose(DiagnosticInfoGeneric(Text, DS_Warning));
}

Error treatManagedVariables(Module &M) {
  if (M.getTargetTriple().getArch() != Triple::nvptx64)
    return useManagedMemory(M);
  markManagedVariables(M);
  return Error::success();
}

/// A program on standard input comes in a file of the handover folder, named
/// as the input was; so that no object names the folder, neither does M.
void renameStandardInput(Module &M, const PassOptions &Options) {
  if (!Options.Handover.empty() &&
      M.getSourceFileName() == Options.Handover + "/-")
    M.setSourceFileName("-");
}

std::vector<uint8_t> bitcodeOf(const Module &M) {
  SmallVector<char, 0> Bytes;
  raw_svector_ostream Stream(Bytes);
  WriteBitcodeToFile(M, Stream);
  return {Bytes.begin(), Bytes.end()};
}

void dumpFootprints(const ModuleRecord &Record) {
  for (const KernelRecord &Kernel : Record.Kernels)
    outs() << toText(Kernel);
  outs().flush();
}

/// Whether M has nothing a record could be about, as for a file that is CUDA by
/// its name only.
bool isEmpty(const Module &M) {
  return M.global_empty() &&
         all_of(M, [](const Function &F) { return F.isDeclaration(); });
}

Error runOnDevice(Module &M, const PassOptions &Options) {
  if (isEmpty(M))
    return Error::success();
  const bool IsRegions = isRegionCode(M);
  Expected<FileLayout> Tasks =
      IsRegions ? completeRegionCode(M, Options.OpenMP, Options.InferDepend)
                : FileLayout();
  if (!Tasks) { // Without its runtime such code does not link.
    M.getContext().emitError("blockmaestro: " + toString(Tasks.takeError()));
    return Error::success();
  }
  joinRenamedVariables(M);
  resolveAliases(M, Options.Relocatable);
  markClusters(M);
  // 1. Which bytes does each block of each kernel touch?
  Expected<ModuleRecord> Record = analyzeDeviceModule(M, Options.Relocatable);
  if (!Record)
    return Record.takeError();
  // 2. Say what could not be helped (-Rpass-missed=blockmaestro).
  emitRemarks(M, *Record);
  if (Options.DumpFootprints)
    dumpFootprints(*Record);
  if (Options.Handover.empty())
    return Error::success();
  // 3. Keep the code as it is now for the emulated device, and the names by
  // which other files can use it.
  Record->Bitcode = bitcodeOf(M);
  OfferedNames Names;
  if (Options.Relocatable)
    Names = namesForLinker(M);
  // 4. Add what a fat binary with this code is known by, and have the linker
  // find the kernels of other files.
  if (Options.Relocatable) {
    addPartVariable(M);
    declareKernels(M);
  }
  // 5. Add the kernels whose blocks wait for their own producers.
  if (!IsRegions) {
    addBlockVariants(M, *Record);
    emitVariantRemarks(M, *Record);
  }
  // 6. Hand all that over to the host's compilation.
  if (!Tasks->Records.Kernels.empty())
    Tasks->Footprints = serialize(Tasks->Records);
  if (!Tasks->Kinds.empty())
    if (Error Failure = writeTaskLayout(Options.Handover, M.getSourceFileName(),
                                        Record->Architecture, toText(*Tasks)))
      return Failure;
  return joinErrors(writeHandover(Options.Handover, M.getSourceFileName(),
                                  Record->Architecture, serialize(*Record)),
                    writeLinkNames(Options.Handover, M.getSourceFileName(),
                                   Record->Architecture, Names.Offered,
                                   Names.Wanted));
}

/// What the device's compilation says of target regions goes into the object.
Error runOnRegions(Module &M, const PassOptions &Options,
                   ArrayRef<uint8_t> Records) {
  Expected<std::vector<std::string>> Layouts =
      readTaskLayouts(Options.Handover, M.getSourceFileName());
  if (!Layouts)
    return Layouts.takeError();
  embedRecords(M, Records, object::OffloadKind::OFK_OpenMP);
  return addTaskTable(M, *Layouts);
}

Error runOnHost(Module &M, const PassOptions &Options) {
  if (Options.Handover.empty())
    return Error::success();
  // 1. Take what the device's compilation handed over.
  Expected<std::vector<uint8_t>> Records =
      readHandover(Options.Handover, M.getSourceFileName());
  if (!Records)
    return Records.takeError();
  if (Records->empty())
    return Error::success();
  // A file may have functions for regions of others.
  if (!Options.OpenMP.empty() || hasTargetRegions(M))
    return runOnRegions(M, Options, *Records);
  if (!Options.Relocatable && !registersOwnCode(M)) {
    if (!hasOffloadEntries(M)) // Functions that no kernel of the file calls.
      return Error::success();
    return createStringError(
        "-fgpu-rdc has to be among bmclang++'s own arguments");
  }
  Expected<LinkNames> Names =
      readLinkNames(Options.Handover, M.getSourceFileName());
  if (!Names)
    return Names.takeError();
  // 2. Put it into the object, registered before main.
  embedRecords(M, *Records);
  embedLinkNames(M, *Names);
  // 3. Send every launch of a kernel of this file to the runtime.
  rewriteLaunches(M);
  return Error::success();
}

} // namespace

PassOptions PassOptions::fromEnvironment() {
  auto Text = [](const char *Name) -> std::string {
    const char *Value = std::getenv(Name);
    return Value ? Value : "";
  };
  PassOptions Options;
  Options.Handover = Text("BLOCKMAESTRO_HANDOVER");
  Options.DumpFootprints = Text("BLOCKMAESTRO_DUMP") == "footprints";
  Options.OpenMP = Text("BLOCKMAESTRO_OPENMP");
  Options.InferDepend = !Text("BLOCKMAESTRO_INFER_DEPEND").empty();
  Options.Relocatable = Text("BLOCKMAESTRO_DEVICE_CODE") != "whole";
  return Options;
}

PreservedAnalyses PrintFootprintsPass::run(Module &M, ModuleAnalysisManager &) {
  if (Expected<ModuleRecord> Record =
          analyzeDeviceModule(M, PassOptions::fromEnvironment().Relocatable))
    dumpFootprints(*Record);
  else
    warn(M, Record.takeError());
  return PreservedAnalyses::all();
}

PreservedAnalyses BlockMaestroPass::run(Module &M, ModuleAnalysisManager &) {
  const Triple &Target = M.getTargetTriple();
  Error Failure = Error::success();
  renameStandardInput(M, Options);
  if (Error Refused = treatManagedVariables(M))
    M.getContext().emitError(toString(std::move(Refused)));
  if (Target.getArch() == Triple::nvptx64)
    Failure = joinErrors(std::move(Failure), runOnDevice(M, Options));
  else if (Target.getArch() == Triple::x86_64)
    Failure = joinErrors(std::move(Failure), runOnHost(M, Options));
  if (Failure)
    warn(M, std::move(Failure));
  return PreservedAnalyses::none();
}

PreservedAnalyses FinishVariantsPass::run(Module &M, ModuleAnalysisManager &) {
  return finishBlockVariants(M) ? PreservedAnalyses::none()
                                : PreservedAnalyses::all();
}

} // namespace blockmaestro
