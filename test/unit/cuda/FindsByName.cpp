// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A library that could find the driver's functions.

#include <dlfcn.h>

extern "C" void *bmFindsByName(const char *Name) {
  return dlsym(RTLD_DEFAULT, Name);
}
