// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceSites.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace blockmaestro {

namespace {

/// Headers of compiler and toolkit that programs read textures through.
const char *const WrappingHeaders[] = {"__clang_cuda_texture_intrinsics.h",
                                       "surface_indirect_functions.h",
                                       "texture_indirect_functions.h"};

/// The place of the program's own code that reached \p Where.
const DILocation *ownPlace(const DILocation *Where) {
  const auto IsWrapped = [](const DILocation *At) {
    return is_contained(WrappingHeaders,
                        sys::path::filename(At->getFilename()));
  };
  while (Where && IsWrapped(Where) && Where->getInlinedAt())
    Where = Where->getInlinedAt();
  return Where;
}

/// "file.cu:12", or nothing when \p I has no place in the source.
std::string describeSite(const Instruction &I) {
  const DILocation *Where = ownPlace(I.getDebugLoc().get());
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
