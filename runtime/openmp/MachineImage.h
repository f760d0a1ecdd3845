// Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What it is: what the host has to know of the machine code (an ELF file) that
// clang-linker-wrapper embeds: its architecture and what its variables begin
// as. On the data's way: LinkedBinary -> here -> Images, FatBinary. Invariants:
// pure functions; an image that is cut off has nothing, no byte outside of it
// is read. Threads: no state.

#ifndef BLOCKMAESTRO_RUNTIME_OPENMP_MACHINEIMAGE_H
#define BLOCKMAESTRO_RUNTIME_OPENMP_MACHINEIMAGE_H

#include "ClangInterface.h"

#include <optional>
#include <span>
#include <string>

namespace blockmaestro::openmp {

using ImageBytes = std::span<const uint8_t>;

struct ImageArchitecture {
  unsigned Number = 0; ///< 90 for sm_90.
  char Scope = 0;      ///< 'a' in sm_90a, 'f' in sm_100f, else 0.
};

/// Nothing where Image is no machine code for GPUs.
std::optional<ImageArchitecture> architectureOf(ImageBytes Image);

/// What the variable Symbol begins as; empty where there is none that has
/// content.
ImageBytes contentOf(ImageBytes Image, const std::string &Symbol);
bool hasSymbol(ImageBytes Image, const std::string &Symbol);

/// What clang says of Kernel; nothing where Image has no such kernel.
std::optional<KernelEnvironment> environmentOf(ImageBytes Image,
                                               const std::string &Kernel);

} // namespace blockmaestro::openmp

#endif
