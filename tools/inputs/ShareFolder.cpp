// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShareFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {

std::string shareFolder(const char *Argument0, StringRef Name) {
  static int Here;
  SmallString<128> Path(sys::fs::getMainExecutable(Argument0, &Here));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", "share", "blockmaestro", Name);
  return std::string(Path);
}

} // namespace blockmaestro
