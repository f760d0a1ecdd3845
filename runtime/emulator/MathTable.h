// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the host's counterparts of CUDA's math, as data: libdevice
// functions, NVVM arithmetic intrinsics, and the library functions compiled
// code may call.
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

/// How an arithmetic NVVM intrinsic is written on the host.
enum class NvvmForm {
  None,
  Intrinsic,        ///< The same operands.
  Add,              ///< Floating point.
  Multiply,         ///< Floating point.
  Divide,           ///< Floating point.
  Reciprocal,       ///< 1 / x.
  ReciprocalRoot,   ///< 1 / sqrt(x).
  Saturate,         ///< Clamp to 0..1, NaN to 0.
  HighHalfSigned,   ///< Upper half of the product.
  HighHalfUnsigned, ///< Upper half of the product.
};
struct NvvmRow {
  const char *Prefix;
  NvvmForm Form;
  llvm::Intrinsic::ID Id;
};
/// The row for the intrinsic \p Name, or null.
const NvvmRow *findNvvmRow(llvm::StringRef Name);

} // namespace blockmaestro

#endif
