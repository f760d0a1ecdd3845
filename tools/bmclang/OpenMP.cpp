// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenMP.h"

#include "LocalGpu.h"
#include "Toolchain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/OffloadBinary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Target = "nvptx64-nvidia-cuda";

constexpr StringLiteral LibompFolder = "-L" BLOCKMAESTRO_LLVM_TOOLS "/../lib";

/// Regions call microtasks by their addresses somewhere; nobody can do anything
/// about the linker's warning that it does not know how much stack they need.
constexpr StringLiteral QuietStacks = "--suppress-stack-size-warning";

bool hasOpenMPRuntime(StringRef Folder) {
  return sys::fs::exists(joinPath(Folder, "libomp.so")) ||
         sys::fs::exists(joinPath(Folder, "libomp.a"));
}

void addRegionsOf(StringRef File, std::set<std::string> &Architectures) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
      MemoryBuffer::getFile(File, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Text)
    return; // The linker says it.
  SmallVector<object::OffloadFile> Images;
  if (Error Other = object::extractOffloadBinaries(**Text, Images)) {
    consumeError(std::move(Other));
    return;
  }
  for (const object::OffloadFile &Image : Images) {
    const object::OffloadBinary &Binary = *Image.getBinary();
    if (Binary.getOffloadKind() == object::OFK_OpenMP &&
        Binary.getTriple().starts_with("nvptx64"))
      Architectures.insert(Binary.getArch().str());
  }
}

} // namespace

std::set<std::string> linkedRegions(const CommandLine &Command) {
  std::set<std::string> Architectures;
  for (const CommandLine::Argument &Each : Command.Rest)
    if (Each.Input && is_contained({".o", ".a", ".lo", ".obj"},
                                   sys::path::extension(Each.Text)))
      addRegionsOf(Each.Text, Architectures);
  return Architectures;
}

void linkRegions(std::vector<std::string> &Out) {
  Out.insert(Out.end(),
             {"--offload-link", LibompFolder.str(), "-Xoffload-linker",
              QuietStacks.str(), "-Wl,--push-state,--no-as-needed", "-lomp",
              "-Wl,--pop-state"});
}

void takeFromArchives(const std::set<std::string> &Architectures,
                      std::vector<std::string> &Out) {
  for (const std::string &Architecture : Architectures)
    Out.push_back("-Wl,--should-extract=" + Architecture);
}

Error addTargetRegions(const CommandLine &Command,
                       std::vector<std::string> &Out) {
  Expected<std::string> Nothing = findLibrary("openmp/libomptarget-nvptx.bc");
  if (!Nothing)
    return Nothing.takeError();
  const std::string Empty = sys::path::parent_path(*Nothing).str();
  if (Command.OffloadTargets.empty())
    Out.push_back(("-fopenmp-targets=" + Target).str());
  if (!Command.HasArchitecture && !Command.HasTargetArchitecture)
    Out.push_back("--offload-arch=" + defaultArchitecture());
  Out.insert(Out.end(), {"--libomptarget-nvptx-bc-path=" + *Nothing,
                         "-L" + Empty, "-Xoffload-linker", "-L" + Empty,
                         "-Xoffload-linker", QuietStacks.str()});
  return Error::success();
}

std::vector<std::string> openMPFolders(const CommandLine &Command,
                                       StringRef Clang) {
  std::vector<std::string> Folders = Command.LibraryFolders;
  if (std::optional<std::string> Value = sys::Process::GetEnv("LIBRARY_PATH"))
    for (StringRef Each : split(*Value, ':'))
      Folders.push_back(Each.str());
  SmallString<128> Real;
  if (!sys::fs::real_path(Clang, Real))
    Folders.push_back(
        joinPath(sys::path::parent_path(sys::path::parent_path(Real)), "lib"));
  append_range(Folders, std::vector<std::string>{"/usr/local/lib", "/usr/lib",
                                                 "/usr/lib64",
                                                 "/usr/lib/x86_64-linux-gnu",
                                                 "/usr/lib/aarch64-linux-gnu"});
  return Folders;
}

Error checkOpenMPRuntime(ArrayRef<std::string> Folders) {
  if (any_of(Folders, hasOpenMPRuntime))
    return Error::success();
  return createStringError(
      "cannot find libomp, which '-fopenmp' needs; install "
      "libomp-" BLOCKMAESTRO_LLVM_MAJOR "-dev");
}

} // namespace blockmaestro
