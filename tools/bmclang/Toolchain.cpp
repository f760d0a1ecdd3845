// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Toolchain.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace blockmaestro {
std::string joinPath(StringRef Folder, const Twine &Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

Expected<std::string> findClang(bool ForCxx) {
  std::string Name = ForCxx ? "clang++" : "clang";
  std::string Configured = joinPath(BLOCKMAESTRO_LLVM_TOOLS, Name);
  if (sys::fs::can_execute(Configured))
    return Configured;
  std::string Versioned = Name + "-" + BLOCKMAESTRO_LLVM_MAJOR;
  if (ErrorOr<std::string> OnPath = sys::findProgramByName(Versioned))
    return *OnPath;
  return createStringError("cannot find " + Versioned +
                           ", neither on PATH nor in " BLOCKMAESTRO_LLVM_TOOLS);
}

std::string installationRoot() {
  std::string Program = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&installationRoot));
  return sys::path::parent_path(sys::path::parent_path(Program)).str();
}

Expected<std::string> findLibrary(StringRef Name) {
  std::string Path = joinPath(joinPath(installationRoot(), "lib"), Name);
  if (sys::fs::exists(Path))
    return Path;
  return createStringError("cannot find '" + Path +
                           "'; the installation is not complete");
}

} // namespace blockmaestro
