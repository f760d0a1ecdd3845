// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the program's start-up code registered: fat binaries with
// the kernels and variables of their code.
// On the data's way: Registry.h -> here -> Device::addModule().
// Ownership: records outlive what is registered. Threads: plain values.

#ifndef BLOCKMAESTRO_RUNTIME_CUDA_REGISTEREDMODULE_H
#define BLOCKMAESTRO_RUNTIME_CUDA_REGISTEREDMODULE_H

#include "blockmaestro/Metadata.h"

#include <cstddef>
#include <string>
#include <vector>

namespace blockmaestro {

struct RegisteredFunction {
  const void *Stub = nullptr; ///< The host function that stands for the kernel.
  std::string Symbol;         ///< Mangled, as in the device module.
  int ThreadLimit = -1;
  /// Of this module's kernel; null when no record is known to be. Set when
  /// handed out.
  const KernelRecord *Record = nullptr;
};

struct RegisteredVariable {
  void *Host = nullptr; ///< The host variable that stands for it.
  std::string Symbol;
  size_t Bytes = 0;
  bool Constant = false;
  bool Extern = false;
};

/// One fat binary, as the program's start-up code registered it.
struct RegisteredModule {
  void *FatBinary = nullptr; ///< Argument of __cudaRegisterFatBinary.
  /// Of the code in it that the device runs; several where the code of several
  /// objects was linked, in the linker's order. Set when handed out.
  std::vector<const ModuleRecord *> Records;
  std::vector<RegisteredFunction> Functions;
  std::vector<RegisteredVariable> Variables;
};

} // namespace blockmaestro

#endif
