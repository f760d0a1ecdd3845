// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceSites.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// "file.cu:12", or nothing when \p I has no place in the source.
std::string describeSite(const Instruction &I) {
  const DILocation *Where = I.getDebugLoc().get();
  if (!Where || Where->getLine() == 0)
    return "";
  return (sys::path::filename(Where->getFilename()) + ":" +
          std::to_string(Where->getLine()))
      .str();
}

} // namespace

uint32_t SourceSites::siteOf(const Instruction &I) {
  auto [Place, New] = Numbers.try_emplace(describeSite(I), Texts.size());
  if (New)
    Texts.push_back(Place->first);
  return Place->second;
}

} // namespace blockmaestro
