// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenMP.h"

#include "LocalGpu.h"
#include "Toolchain.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace blockmaestro {
namespace {

constexpr StringLiteral Target = "nvptx64-nvidia-cuda";

std::string join(StringRef Folder, StringRef Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

bool hasOpenMPRuntime(StringRef Folder) {
  return sys::fs::exists(join(Folder, "libomp.so")) ||
         sys::fs::exists(join(Folder, "libomp.a"));
}

} // namespace

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
                         "-L" + Empty, "-Xoffload-linker", "-L" + Empty});
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
        join(sys::path::parent_path(sys::path::parent_path(Real)), "lib"));
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
