// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: the part of clang's own command line that the driver has to
// understand: which flags take the next argument, which stop before the linker,
// what a file's name says about its language.
// On the data's way: asked by CommandLine.
// Invariants: DriverTests compares the flags that take the next argument with
// what the clang in use says in its help. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_CLANGFLAGS_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_CLANGFLAGS_H

#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

/// Whether the argument behind Flag is its value, and so neither a flag nor a
/// file: `-o x`, `-Xclang -c`, `-Xarch_sm_90 -c`.
bool takesNextArgument(llvm::StringRef Flag);

/// What a file is for the driver.
enum class InputKind {
  Cuda,   ///< Is compiled for the host and for the device.
  Header, ///< Is precompiled; nothing is linked.
  Other,  ///< Is compiled for the host, or is an object or a library.
};

/// Language is what -x last said, empty for "by the name".
InputKind kindOfInput(llvm::StringRef Name, llvm::StringRef Language);

/// Whether Flag makes clang end before the linker: -c, -E, -fsyntax-only.
bool stopsBeforeLink(llvm::StringRef Flag);

/// Whether Argument asks for NVIDIA's own CUDA runtime, which ours stands in
/// for: -lcudart, a path to libcudart.so or libcudart_static.a.
bool namesCudaRuntime(llvm::StringRef Argument);

} // namespace blockmaestro

#endif
