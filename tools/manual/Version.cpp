// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Version.h"

#include "BuiltCommit.h"

#include "llvm/Config/llvm-config.h"

using namespace llvm;

namespace blockmaestro {

StringRef version() { return BLOCKMAESTRO_VERSION; }

std::string versionLine(StringRef Tool) {
  return Tool.str() + ": BlockMaestro " BLOCKMAESTRO_VERSION
                      ", commit " BLOCKMAESTRO_COMMIT
                      ", LLVM " LLVM_VERSION_STRING;
}

} // namespace blockmaestro
