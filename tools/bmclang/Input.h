// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the name of a file or library says about it.
// On the data's way: asked by CommandLine. Threads: no state.

#ifndef BLOCKMAESTRO_TOOLS_BMCLANG_INPUT_H
#define BLOCKMAESTRO_TOOLS_BMCLANG_INPUT_H

#include "llvm/ADT/StringRef.h"

namespace blockmaestro {

/// What a file is for the driver.
enum class InputKind {
  Cuda,   ///< Is compiled for the host and for the device.
  Cxx,    ///< Is C or C++: for the device too where OpenMP has it so.
  Header, ///< Is precompiled; nothing is linked.
  Other,  ///< Another language of the host's, an object or a library.
};

/// Language is what -x last said, empty for "by the name".
InputKind kindOfInput(llvm::StringRef Name, llvm::StringRef Language);

/// Whether Argument asks for NVIDIA's own CUDA runtime, or cuBLAS, cuFFT or
/// cuRAND, which ours stands in for: -lcudart, a path to libcublas.so or
/// libcudart_static.a.
bool namesCudaRuntime(llvm::StringRef Argument);

} // namespace blockmaestro

#endif
