// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostCalls.h"

#include "llvm/ADT/StringSet.h"

using namespace llvm;

// Only their addresses are taken here, so their types do not matter.
#define BM_HOST_CALL(Name) extern "C" void Name();
#include "HostCalls.def"
#undef BM_HOST_CALL

namespace blockmaestro {

std::vector<HostFunction> hostCalls() {
  std::vector<HostFunction> All = hostFunctions().vec();
#define BM_HOST_CALL(Name) All.push_back({#Name, (void *)&::Name});
#include "HostCalls.def"
#undef BM_HOST_CALL
  return All;
}

bool isHostCall(StringRef Name) {
  static const StringSet<> Names = [] {
    StringSet<> Set;
    for (const HostFunction &F : hostCalls())
      Set.insert(F.Name);
    return Set;
  }();
  return Names.contains(Name);
}

} // namespace blockmaestro
