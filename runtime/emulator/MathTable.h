// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host's counterparts of libdevice's functions, as data, and
// the library functions that compiled code may call. What is not here runs
// libdevice's own code.
// On the data's way: read by KernelSource, Retarget and Compiler.
// Threads: constant tables.

#ifndef BLOCKMAESTRO_RUNTIME_EMULATOR_MATHTABLE_H
#define BLOCKMAESTRO_RUNTIME_EMULATOR_MATHTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Intrinsics.h"

namespace blockmaestro {

/// A function of the host's C library; libdevice's of the same meaning is
/// called __nv_<Name>.
struct HostFunction {
  const char *Name;
  void *Address;
};
llvm::ArrayRef<HostFunction> hostFunctions();

/// The host function called \p Name, or null.
const HostFunction *findHostFunction(llvm::StringRef Name);

/// The LLVM intrinsic that does what libdevice's \p Name does, all operands and
/// the result being of one type; not_intrinsic when there is none.
llvm::Intrinsic::ID intrinsicOfLibdevice(llvm::StringRef Name);

} // namespace blockmaestro

#endif
