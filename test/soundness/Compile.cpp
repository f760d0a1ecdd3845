// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compile.h"

#include "Footprints.h"
#include "MetadataReader.h"
#include "MetadataWriter.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace blockmaestro::soundness {

namespace {

/// A file of its own name that goes when this does.
struct TemporaryFile {
  SmallString<64> Path;
  explicit TemporaryFile(const char *Suffix) {
    sys::fs::createTemporaryFile("soundness", Suffix, Path);
  }
  ~TemporaryFile() { sys::fs::remove(Path); }
};

double seconds(std::chrono::steady_clock::time_point Since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Since)
      .count();
}

/// Device IR as clang hands it to its first pass. Empty, or what went wrong.
std::string runClang(const TemporaryFile &Source, const TemporaryFile &Bitcode,
                     unsigned Level, bool Relocatable) {
  TemporaryFile Messages("txt");
  std::string Optimise = "-O" + std::to_string(Level);
  std::vector<StringRef> Command = {BM_CLANG,
                                    "-x",
                                    "cuda",
                                    "--cuda-device-only",
                                    "--offload-arch=sm_90",
                                    "-nocudainc",
                                    "-nocudalib",
                                    "-std=c++20",
                                    "-w",
                                    "-Wno-unknown-cuda-version",
                                    Optimise,
                                    Relocatable ? "-fgpu-rdc" : "-fno-gpu-rdc",
                                    "-gline-tables-only",
                                    "-emit-llvm",
                                    "-Xclang",
                                    "-disable-llvm-passes",
                                    "-c",
                                    Source.Path,
                                    "-o",
                                    Bitcode.Path};
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(""),
                                          Messages.Path.str()};
  if (sys::ExecuteAndWait(BM_CLANG, Command, std::nullopt, Redirects) == 0)
    return "";
  auto Text = MemoryBuffer::getFile(Messages.Path);
  return "clang failed: " + (Text ? (*Text)->getBuffer().str() : "");
}

Expected<ModuleRecord> analyse(const TemporaryFile &Bitcode, bool Relocatable) {
  auto Buffer = MemoryBuffer::getFile(Bitcode.Path);
  if (!Buffer)
    return errorCodeToError(Buffer.getError());
  LLVMContext Context;
  auto M = parseBitcodeFile(**Buffer, Context);
  if (!M)
    return M.takeError();
  return analyzeDeviceModule(**M, Relocatable);
}

/// Adds the records of those kernels that are relocatable, or of the others.
/// What goes wrong is in Failure.
void compilePart(std::vector<Kernel> &Kernels, unsigned Level, bool Relocatable,
                 Compiled &Out) {
  TemporaryFile Source("cu"), Bitcode("bc");
  {
    std::error_code Error;
    raw_fd_ostream Stream(Source.Path, Error);
    Stream << Prelude;
    for (Kernel &K : Kernels)
      if (K.Relocatable == Relocatable)
        Stream << "#line 1 \"" << symbolOf(K) << "\"\n" << print(K);
  }
  auto Start = std::chrono::steady_clock::now();
  Out.Failure = runClang(Source, Bitcode, Level, Relocatable);
  Out.ClangSeconds += seconds(Start);
  if (!Out.Failure.empty())
    return;
  Start = std::chrono::steady_clock::now();
  Expected<ModuleRecord> Record = analyse(Bitcode, Relocatable);
  Out.AnalysisSeconds += seconds(Start);
  if (!Record) {
    Out.Failure = toString(Record.takeError());
    return;
  }
  std::vector<uint8_t> Bytes = serialize(*Record);
  auto Read = readMetadata(Bytes.data(), Bytes.size());
  if (!Read.ok() || Read->size() != 1) {
    Out.Failure = "the record cannot be read: " + Read.status().message();
    return;
  }
  for (KernelRecord &Each : Read->front().Kernels)
    Out.Records.emplace(Each.Symbol, std::move(Each));
}

} // namespace

Compiled compile(std::vector<Kernel> &Kernels, unsigned OptimisationLevel) {
  Compiled Out;
  for (bool Relocatable : {false, true})
    if (Out.Failure.empty() && llvm::any_of(Kernels, [&](const Kernel &K) {
          return K.Relocatable == Relocatable;
        }))
      compilePart(Kernels, OptimisationLevel, Relocatable, Out);
  return Out;
}

const KernelRecord *findRecord(const Compiled &From, const Kernel &K) {
  const auto Found = From.Records.find(symbolOf(K));
  return Found == From.Records.end() ? nullptr : &Found->second;
}

} // namespace blockmaestro::soundness
