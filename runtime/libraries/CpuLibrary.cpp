// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuLibrary.h"

#include "Process.h"

#include <dlfcn.h>
#include <string>

namespace blockmaestro {

void *openCpuLibrary(const CpuLibraryName &Which) {
  void *Library = dlopen(Which.File, RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    sayFailure(std::string(Which.User) + " on the emulated device needs " +
               Which.Product + ": there is no " + Which.File +
               "; install the package " + Which.Package);
  return Library;
}

void *FunctionFinder::symbol(const char *Name) {
  void *Found = Library ? dlsym(Library, Name) : nullptr;
  Complete &= Found != nullptr;
  return Found;
}

} // namespace blockmaestro
