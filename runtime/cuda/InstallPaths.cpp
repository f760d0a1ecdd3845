// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstallPaths.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>

namespace blockmaestro {

std::string ownFolder() {
  Dl_info Info{};
  if (!dladdr(reinterpret_cast<void *>(&ownFolder), &Info) || !Info.dli_fname)
    return "";
  char Real[PATH_MAX];
  std::string Path = realpath(Info.dli_fname, Real) ? Real : Info.dli_fname;
  return Path.substr(0, Path.rfind('/') + 1);
}

std::vector<std::string> cudaLibraryPlaces() {
  std::vector<std::string> Out = {""};
  for (const char *Variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *Root = std::getenv(Variable))
      Out.push_back(std::string(Root) + "/lib64/");
  Out.push_back(ownFolder() + "../cuda/lib64/");
  Out.push_back(BLOCKMAESTRO_CUDA_ROOT "/lib64/");
  Out.push_back("/usr/local/cuda/lib64/");
  return Out;
}

} // namespace blockmaestro
