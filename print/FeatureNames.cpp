// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureNames.h"

#include <iterator>

namespace blockmaestro {

static constexpr const char *Names[] = {
    "barrier",         "dynamic shared memory",
    "early exit",      "grid sync",
    "cluster",         "prints",
    "asserts",         "device heap",
    "textures",        "dynamic parallelism",
    "indirect calls",  "recursion",
    "inline assembly", "volatile",
    "clock",           "warp rows",
    "block wait",
};
static_assert(std::size(Names) == FeatureCount);

const char *toText(Feature F) { return Names[static_cast<unsigned>(F)]; }

std::vector<std::string> featureNames(const KernelRecord &K) {
  std::vector<std::string> Found;
  for (unsigned I = 0; I < FeatureCount; ++I)
    if (K.has(static_cast<Feature>(I)))
      Found.push_back(Names[I]);
  return Found;
}

} // namespace blockmaestro
